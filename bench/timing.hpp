#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti::bench {

/// Seconds of processor time of the calling thread: not disturbed by being interrupted on a busy machine.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The middle value; the upper one of two.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Time of one call: the median of as many as fit into `budget` seconds, at least one and at most `most`.
inline double time_of(const std::function<void()>& function, double budget, std::size_t most) {
  std::vector<double> seconds;
  const double begun = thread_seconds();
  do {
    const double before = thread_seconds();
    function();
    seconds.push_back(thread_seconds() - before);
  } while (thread_seconds() - begun < budget && seconds.size() < most);
  return median(std::move(seconds));
}

/// Exponent p of c·N^p through the points (row.N, row.*cost) with N ≥ least, by least squares of the
/// logarithms; nothing from fewer than two points.
template <class Costs>
std::optional<double> growth_exponent(const std::vector<Costs>& rows, double Costs::*cost, int least) {
  double count = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const Costs& row : rows) {
    if (row.N < least || !(row.*cost > 0.0)) continue;
    const double log_N = std::log(row.N), log_cost = std::log(row.*cost);
    count += 1.0;
    x += log_N;
    y += log_cost;
    xx += log_N * log_N;
    xy += log_N * log_cost;
  }
  if (count < 2.0) return std::nullopt;
  return (count * xy - x * y) / (count * xx - x * x);
}

/// Time of one of several functions that were called in turn, so that all met the same load.
struct InTurn {
  double seconds = 0.0;        ///< median
  double first_to_this = 0.0;  ///< median over the rounds of (time of the first function)/(time of this one)
};

/// Calls all functions once a round. The order rotates, for each finds caches and clock rate as the one
/// before left them. One round goes before the first that counts.
inline std::vector<InTurn> time_in_turn(int rounds, const std::vector<std::function<void()>>& functions) {
  const std::size_t count = functions.size();
  std::vector<std::vector<double>> seconds(count), ratios(count);
  for (const auto& function : functions) function();
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> now(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t which = (i + at(round)) % count;
      const double begun = thread_seconds();
      functions[which]();
      now[which] = thread_seconds() - begun;
    }
    for (std::size_t i = 0; i < count; ++i) {
      seconds[i].push_back(now[i]);
      ratios[i].push_back(now[0] / now[i]);
    }
  }
  std::vector<InTurn> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back({median(seconds[i]), median(ratios[i])});
  return result;
}

}  // namespace mti::bench
