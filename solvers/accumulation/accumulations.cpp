#include "solvers/accumulation/accumulations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "mti/common/rounding.hpp"

namespace mti {
namespace {

/// A turn of intervals may be half of one of surfaces, or a part of it: surfaces are those of so many turns, and of one that repeats itself.
constexpr std::size_t turns = 2, kept_turns = 4;
/// So many turns have each met what the one before has met.
constexpr std::size_t compared_turns = 2;
/// A limit that is known so many times better tells more than one of events of several constraints.
constexpr double clearer = 100.0;

}  // namespace

std::optional<Accumulations::Found> Accumulations::add(double time, double resolution, double known,
                                                       std::span<const int> constraints) {
  constexpr std::size_t most_recent = kept_turns * ZenoDetector::longest_period;
  recent_.emplace_front(constraints.begin(), constraints.end());
  if (recent_.size() > most_recent) recent_.pop_back();
  const auto common = all_.add(time, resolution, known);
  std::optional<ZenoDetector::Limit> own;
  for (const int constraint : constraints)
    if (const auto limit = own_[constraint].add(time, resolution, known)) own = limit;
  std::optional<Found> result;
  if (common) result = found(*common, time, resolution, true);
  // The present event belongs to the limit that its own constraints tend to.
  const auto takes_part = [&](int constraint) {
    return std::ranges::binary_search(result->constraints, constraint);
  };
  if (own && !(result && std::ranges::all_of(constraints, takes_part)))
    result = found(*own, time, resolution, false);
  else if (result && !constraints.empty() && std::ranges::none_of(constraints, takes_part))
    result.reset();
  return result;
}

std::optional<Accumulations::Found> Accumulations::tendency(double time, double resolution) {
  const auto limit = all_.tendency(time);
  return limit ? found(*limit, time, resolution, true) : std::nullopt;
}

std::optional<Accumulations::Found> Accumulations::near(double time, double resolution) {
  if (const auto limit = all_.near(time))
    if (auto result = found(*limit, time, resolution, true)) return result;
  for (const auto& [constraint, detector] : own_)
    if (const auto limit = detector.near(time))
      if (auto result = found(*limit, time, resolution, false)) return result;
  return std::nullopt;
}

double Accumulations::last_met(int constraint) const {
  const auto detector = own_.find(constraint);
  return detector == own_.end() ? -std::numeric_limits<double>::infinity() : detector->second.last();
}

bool Accumulations::repeats(std::size_t period) const {
  if (recent_.size() < (compared_turns + 1) * period) return false;
  return std::equal(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(compared_turns * period),
                    recent_.begin() + static_cast<std::ptrdiff_t>(period));
}

bool Accumulations::closes_in() const {
  // One surface alone is not closed in on.
  for (std::size_t period = 2; period <= ZenoDetector::longest_period; ++period)
    if (all_.shrinks(period) && repeats(period)) return true;
  return false;
}

/// 0: none that the last events have repeated.
std::size_t Accumulations::turn_of_surfaces() const {
  for (std::size_t period = 1; period <= ZenoDetector::longest_period; ++period)
    if (repeats(period)) return period;
  return 0;
}

std::vector<int> Accumulations::tending_beyond(double time) {
  std::vector<int> constraints;
  for (auto& [constraint, detector] : own_)
    if (const auto limit = detector.recent_tendency(time); limit && limit->time > time)
      constraints.push_back(constraint);
  return constraints;
}

void Accumulations::forget(std::span<const int> constraints) {
  all_ = {};
  for (std::vector<int>& met : recent_)
    std::erase_if(
        met, [&](int constraint) { return std::ranges::find(constraints, constraint) != constraints.end(); });
  for (const int constraint : constraints) own_.erase(constraint);
}

/// Of a limit of all events constraints take part that have met few, or follow another pattern, too, if each turn meets them: what
/// comes at times of its own is no part of it.
std::optional<Accumulations::Found> Accumulations::found(const ZenoDetector::Limit& all, double time,
                                                         double resolution, bool of_all) {
  const double rounding = 1e3 * machine_epsilon * std::abs(time), smallest = std::max(resolution, rounding);
  const std::vector<int> rows = recent(std::max(turns * all.period, turn_of_surfaces()));
  std::map<int, ZenoDetector::Limit> own;
  for (const int constraint : rows)
    if (const auto detector = own_.find(constraint); detector != own_.end())
      if (const auto limit = detector->second.recent_tendency(time)) own.emplace(constraint, *limit);
  // Two patterns side by side may be taken for one.
  Found result{all, {}, {}};
  for (const auto& [constraint, limit] : own)
    if (of_all && clearer * std::max(limit.uncertainty, rounding) < result.limit.uncertainty)
      result.limit = limit;
  for (const int constraint : rows) {
    if (const auto known = own.find(constraint); known != own.end()) {
      const ZenoDetector::Limit& limit = known->second;
      const double apart = std::abs(limit.time - result.limit.time),
                   uncertain = limit.uncertainty + result.limit.uncertainty;
      if (apart > uncertain + smallest) continue;
      if (apart > uncertain + rounding) result.near.push_back({constraint, limit.time});
    } else if (!of_all || !is_met_in_each_turn(constraint)) {
      continue;
    }
    result.constraints.push_back(constraint);
  }
  const bool all_tend_elsewhere = result.constraints.empty() && !recent_.front().empty();
  return all_tend_elsewhere ? std::nullopt : std::optional(std::move(result));
}

bool Accumulations::is_met_in_each_turn(int constraint) const {
  constexpr std::size_t fewest_turns = 3;
  const std::size_t length = std::min(ZenoDetector::longest_period, recent_.size() / fewest_turns);
  for (std::size_t begin = 0; length > 0 && begin + length <= recent_.size(); begin += length) {
    const auto first = recent_.begin() + static_cast<std::ptrdiff_t>(begin);
    const bool is_met = std::any_of(
        first, first + static_cast<std::ptrdiff_t>(length),
        [&](const std::vector<int>& met) { return std::ranges::find(met, constraint) != met.end(); });
    if (!is_met) return false;
  }
  return true;
}

/// Of the last events, ascending. What was met once happened to come between.
std::vector<int> Accumulations::recent(std::size_t events) const {
  std::map<int, int> times_met;
  for (const std::vector<int>& constraints : recent_)
    for (const int constraint : constraints) ++times_met[constraint];
  std::set<int> rows;
  for (std::size_t k = 0; k < std::min(events, recent_.size()); ++k)
    for (const int constraint : recent_[k])
      if (times_met[constraint] >= 2) rows.insert(constraint);
  return {rows.begin(), rows.end()};
}

}  // namespace mti
