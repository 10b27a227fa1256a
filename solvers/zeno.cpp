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

}  // namespace

std::optional<ZenoDetector::Limit> ZenoDetector::add(double time, double resolution) {
  times_.push_back(time);
  if (times_.size() > longest_period * (periods + 1) + 1) times_.pop_front();
  const double smallest = std::max(resolution, 1e3 * std::numeric_limits<double>::epsilon() * std::abs(time));
  for (std::size_t period = 1; period <= longest_period; ++period) {
    if (times_.size() < period * (periods + 1) + 1) break;
    const auto back = [&](std::size_t k) { return times_[times_.size() - 1 - k * period]; };
    bool shrinks = true;
    for (std::size_t k = 0; k < periods && shrinks; ++k) {
      const double now = back(k) - back(k + 1), before = back(k + 1) - back(k + 2);
      shrinks = now <= largest_ratio * before;
    }
    if (!shrinks) continue;
    const double now = back(0) - back(1), before = back(1) - back(2);
    const double ratio = before > 0.0 ? now / before : 0.0;
    const double left = now * ratio / (1.0 - ratio);
    if (left <= smallest) return Limit{time + left, ratio};
  }
  return std::nullopt;
}

}  // namespace mti
