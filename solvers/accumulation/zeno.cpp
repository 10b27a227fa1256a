#include "solvers/accumulation/zeno.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "mti/common/rounding.hpp"

namespace mti {
namespace {

constexpr std::size_t blocks = 4;      ///< that must shrink one after the other,
constexpr std::size_t few_blocks = 2;  ///< or so many of the period itself, if each shrinks to less than
constexpr double small_ratio = 0.3;    ///< this part of the one before
constexpr std::size_t most_events = 1 << 14;
/// A search goes through all times; new ones that are less than this part of them change little of it.
constexpr std::size_t part = 64;
/// Blocks of one period shrink at least by the first, longer ones by the second factor each.
constexpr double largest_ratio = 0.98, largest_ratio_of_long_blocks = 0.9;
/// Multiples of the resolution of an event's time: what happens within so little is not told from rest.
constexpr double close = 64.0;
/// An interval that is off by more than this part no longer follows the law.
constexpr double deviation = 0.1;
/// An estimate may be off by so many times its uncertainty, and an interval by so many times the resolution.
constexpr double uncertainties = 3.0, resolutions = 4.0;
/// Estimates that differ by more than this part of what they add to the last time are none: intervals that
/// shrink towards a positive one move their estimate on with every event.
constexpr double steady = 0.03;
/// An estimate rests on blocks that shrink at least by this factor; m is taken for the smaller one.
constexpr double shrunken = 0.75, well_shrunken = 0.6;
/// Two estimates are one comparison. Turns of so many events, which are compared one by one, say more than that.
constexpr std::size_t enough_to_compare = 3;
/// Ratios of single periods may differ by this part from that of the blocks.
constexpr double like = 0.1;

struct Estimate {
  double time, ratio, added;
};

/// From the times t0 < t1 < t2, m periods apart.
std::optional<Estimate> extrapolate(double t0, double t1, double t2, double m) {
  const double before = t1 - t0, now = t2 - t1;
  if (!(now > 0.0 && now <= shrunken * before)) return std::nullopt;
  const double R = now / before, added = now * R / (1.0 - R);
  return Estimate{t2 + added, std::pow(R, 1.0 / m), added};
}

}  // namespace

/// Calls look(period, m) for all blocks of m = 1, 2, 4, … periods that have room in the history.
template <class Look>
void ZenoDetector::every_block(Look look) const {
  for (std::size_t period = 1; period <= ZenoDetector::longest_period; ++period)
    for (std::size_t m = 1; m * period * (few_blocks + 1) < times_.size(); m *= 2) look(period, m);
}

/// The most recent blocks of m periods each take ever less time; two are enough if they shrink by
/// `ratio_of_few`.
bool ZenoDetector::shrinks(std::size_t period, std::size_t m, double ratio_of_few) const {
  const std::size_t events = period * m;
  const auto all_shrink = [&](std::size_t count, double ratio) {
    if (times_.size() <= events * (count + 1)) return false;
    for (std::size_t k = 0; k < count; ++k)
      if (back(k * events) - back((k + 1) * events) >
          ratio * (back((k + 1) * events) - back((k + 2) * events)))
        return false;
    return true;
  };
  return all_shrink(blocks, m > 1 ? largest_ratio_of_long_blocks : largest_ratio) ||
         (m == 1 && all_shrink(few_blocks, ratio_of_few));
}

/// The intervals within the last turn before `at` are those of the turn before, all shortened by the same ratio.
bool ZenoDetector::turns_alike(std::size_t at, std::size_t period) const {
  const double d = back(at) - back(at + period), ratio = d / (back(at + period) - back(at + 2 * period));
  double differing = 0.0;
  for (std::size_t k = at; k < at + period; ++k)
    differing += std::abs(back(k) - back(k + 1) - ratio * (back(k + period) - back(k + 1 + period)));
  return differing <= like * d;
}

/// What has come since goes on by the law of an estimate from there, as far as errors tell: ratios that pass a
/// maximum are steady there, and lead nowhere.
bool ZenoDetector::goes_on_by(const Limit& limit, std::size_t at) const {
  constexpr std::size_t sparse = 8;  // the farther back, of so many one
  for (std::size_t k = 0; k < at; k += 1 + k / sparse) {
    const double d = back(k) - back(k + limit.period);
    const double expected = (1.0 - limit.ratio) * (limit.time - back(k + limit.period));
    const double open = (1.0 - limit.ratio) * uncertainties * limit.uncertainty + resolution_of(k) +
                        resolution_of(k + limit.period);
    if (std::abs(d - expected) > deviation * std::abs(expected) + open) return false;
  }
  return true;
}

std::optional<ZenoDetector::Limit> ZenoDetector::steadiest(std::size_t period) const {
  const std::size_t last = times_.size() - 1;
  std::optional<Limit> best;
  double least_of_ratio = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at + 3 * period <= last; ++at) {
    std::size_t m = 1;
    const auto R = [&](std::size_t from, std::size_t events) {
      return (back(from) - back(from + events)) / (back(from + events) - back(from + 2 * events));
    };
    while (R(at, m * period) > well_shrunken && at + 6 * m * period <= last) m *= 2;
    // Estimates whose intervals overlap by half; of few events there may be two of them.
    const std::size_t events = m * period, apart = std::max<std::size_t>(m / 2, 1) * period;
    const std::size_t count = at + 2 * apart + 2 * events <= last ? 3 : 2;
    std::array<Estimate, 3> estimates{};
    bool complete = at + apart + 2 * events <= last;
    for (std::size_t k = 0; k < count && complete; ++k) {
      const std::size_t from = at + k * apart;
      const auto estimate =
          extrapolate(back(from + 2 * events), back(from + events), back(from), static_cast<double>(m));
      complete = estimate.has_value();
      if (complete) estimates[k] = *estimate;
    }
    if (!complete) continue;
    if (count == 2) estimates[2] = estimates[1];
    // Single periods follow the same law, or the period is another one.
    if (std::abs(R(at, period) - estimates[0].ratio) > like * estimates[0].ratio ||
        std::abs(R(at + period, period) - estimates[0].ratio) > like * estimates[0].ratio)
      continue;
    if (!turns_alike(at, period)) continue;
    // An estimate is off by a part of what it adds itself, and the older one adds more.
    const auto apart_by = [&](std::size_t k) { return std::abs(estimates[k].time - estimates[k + 1].time); };
    const double newer = apart_by(0), older = apart_by(1);
    const bool alone = count == 2 && period < enough_to_compare;
    if (newer > steady * estimates[alone ? 0 : 1].added || older > steady * estimates[2].added) continue;
    const double of_time = std::max(newer, older * estimates[1].added / estimates[2].added);
    const auto [low, high] = std::minmax({estimates[0].ratio, estimates[1].ratio, estimates[2].ratio});
    const double of_ratio = high - low;
    if (!goes_on_by({.time = estimates[0].time,
                     .ratio = estimates[0].ratio,
                     .uncertainty = of_time,
                     .period = period},
                    at))
      continue;
    if (!best || of_time < best->uncertainty) {
      if (!best) best = Limit();
      best->time = estimates[0].time;
      best->uncertainty = of_time;
      best->period = period;
    }
    if (of_ratio < least_of_ratio) {
      least_of_ratio = of_ratio;
      best->ratio = estimates[0].ratio;
    }
  }
  return best;
}

/// Of all periods: the shortest whose estimates are about as steady as any, or as the times are known.
std::optional<ZenoDetector::Limit> ZenoDetector::steadiest(double resolution) const {
  constexpr double about = 4.0;
  std::vector<Limit> limits;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t period = 1; period <= ZenoDetector::longest_period; ++period)
    if (const auto limit = steadiest(period)) {
      limits.push_back(*limit);
      least = std::min(least, limit->uncertainty);
    }
  for (const Limit& limit : limits)
    if (limit.uncertainty <= std::max(about * least, resolution)) return limit;
  return std::nullopt;
}

/// The last ratio R ± resolution/d leads to the same limit: where it does not, and errors leave as much to be seen, the law is another
/// one than it was.
bool ZenoDetector::agrees_with_last_ratio(const Limit& limit, double resolution) const {
  const double d = back(0) - back(limit.period), before = back(limit.period) - back(2 * limit.period);
  const auto limit_by = [&](double ratio) {
    return ratio < 1.0 ? back(0) + d * ratio / (1.0 - ratio) : std::numeric_limits<double>::infinity();
  };
  const double R = d / before, open = resolution / before, known = limit.uncertainty + resolution;
  return limit_by(std::max(R - open, 0.0)) <= limit.time + known && limit_by(R + open) >= limit.time - known;
}

std::optional<ZenoDetector::Limit> ZenoDetector::add(double time, double resolution, double known) {
  const double rounding = 1e3 * machine_epsilon * std::abs(time), smallest = std::max(resolution, rounding),
               known_to = std::min(std::max(known, rounding), smallest);
  times_.push_back(time);
  resolutions_.push_back(known_to);
  ++added_;
  ++since_tendency_;
  if (times_.size() == 2 * most_events)
    for (std::vector<double>* list : {&times_, &resolutions_})
      list->erase(list->begin(), list->begin() + most_events);
  bool examine = false;
  every_block([&](std::size_t period, std::size_t m) {
    if (examine || !shrinks(period, m, small_ratio)) return;
    const std::size_t events = period * m;
    const double d = back(0) - back(events), before = back(events) - back(2 * events);
    const double ratio = before > 0.0 ? std::pow(d / before, 1.0 / static_cast<double>(m)) : 0.0;
    examine = d / static_cast<double>(m) * (1.0 - ratio) <= close * smallest;
  });
  if (!examine) return std::nullopt;
  if (added_ * part > times_.size()) {
    limit_ = steadiest(smallest);
    added_ = 0;
  }
  const std::optional<Limit>& limit = limit_;
  if (!limit) return std::nullopt;
  const double d = back(0) - back(limit->period), left = limit->time - time;
  const double expected = (1.0 - limit->ratio) * (limit->time - back(limit->period));
  // Times beyond the limit by more than what errors of the intervals add up to are no accumulation there.
  if (left < -close * smallest / (1.0 - limit->ratio)) return std::nullopt;
  const double off = std::abs(d - expected);
  const bool ends_in_errors = off > deviation * expected && off <= resolutions * known_to;
  const bool is_short = d <= close * smallest && agrees_with_last_ratio(*limit, known_to);
  const bool lost = left <= close * smallest || is_short || ends_in_errors;
  return lost && d * (1.0 - limit->ratio) <= close * smallest ? limit : std::nullopt;
}

std::optional<ZenoDetector::Limit> ZenoDetector::tendency(double time) const {
  bool shrinking = false;
  every_block(
      [&](std::size_t period, std::size_t m) { shrinking = shrinking || shrinks(period, m, shrunken); });
  if (!shrinking) return std::nullopt;
  return steadiest(1e-9 * (time - times_.front()));
}

std::optional<ZenoDetector::Limit> ZenoDetector::recent_tendency(double time) {
  if (since_tendency_ * part > times_.size()) {
    if (const auto limit = tendency(time)) tendency_ = limit;
    since_tendency_ = 0;
  }
  return tendency_;
}

bool ZenoDetector::shrinks(std::size_t period) const {
  return times_.size() > period * (few_blocks + 1) && shrinks(period, 1, small_ratio);
}

std::optional<ZenoDetector::Limit> ZenoDetector::near(double time) const {
  const auto limit = tendency(time);
  if (limit && std::abs(limit->time - time) <= 1e-3 * (time - times_.front())) return limit;
  return std::nullopt;
}

}  // namespace mti
