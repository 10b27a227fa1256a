#include "solvers/zeno.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace mti {
namespace {

constexpr std::size_t longest_period = 8;  ///< events in one period of the pattern
constexpr std::size_t periods = 4;         ///< that must shrink one after the other
constexpr double largest_ratio = 0.98;
/// Multiples of an event time's resolution that the limit may be away: impacts of heights near the accuracy
/// of positions are told apart no longer, though their times still are.
constexpr double close = 64.0;

}  // namespace

std::optional<ZenoDetector::Limit> ZenoDetector::estimate(std::size_t period) const {
  if (times_.size() < period * (periods + 1) + 1) return std::nullopt;
  const auto back = [&](std::size_t k) { return times_[times_.size() - 1 - k * period]; };
  for (std::size_t k = 0; k < periods; ++k)
    if (back(k) - back(k + 1) > largest_ratio * (back(k + 1) - back(k + 2))) return std::nullopt;
  const double now = back(0) - back(1), before = back(1) - back(2);
  const double ratio = before > 0.0 ? now / before : 0.0;
  return Limit{back(0) + now * ratio / (1.0 - ratio), ratio};
}

std::optional<ZenoDetector::Limit> ZenoDetector::add(double time, double resolution) {
  times_.push_back(time);
  if (times_.size() > longest_period * (periods + 1) + 1) times_.pop_front();
  const double smallest = std::max(resolution, 1e3 * std::numeric_limits<double>::epsilon() * std::abs(time));
  for (std::size_t period = 1; period <= longest_period; ++period)
    if (const auto limit = estimate(period); limit && limit->time - time <= close * smallest) return limit;
  return std::nullopt;
}

std::optional<ZenoDetector::Limit> ZenoDetector::near(double time) const {
  for (std::size_t period = 1; period <= longest_period; ++period)
    if (const auto limit = estimate(period);
        limit && std::abs(limit->time - time) <= 1e-3 * (time - times_.front()))
      return limit;
  return std::nullopt;
}

}  // namespace mti
