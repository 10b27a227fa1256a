#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// What tests of sliding ask: relays, and the sequence of kinds.
namespace mti::test {

/// z = [s ≥ 0] as two rows that vanish on one surface: s (1 − z) ≤ 0, −s z ≤ 0.
inline void add_relay(Source& source, const std::string& z, const std::string& s) {
  source.constraints.emplace_back(z + "_rises", "(" + s + ")*(1 - " + z + ") <= 0");
  source.constraints.emplace_back(z + "_falls", "-(" + s + ")*" + z + " <= 0");
}

/// Time and kind of every event after the start.
using Kinds = std::vector<std::pair<double, EventKind>>;

inline void expect_kinds(const Trajectory& trajectory, double start, const Kinds& expected,
                         double tolerance) {
  Kinds found;
  std::string text;
  for (const Event& event : trajectory.events) {
    if (event.time <= start) continue;
    found.emplace_back(event.time, event.kind);
    text += std::to_string(event.time) + " " + to_string(event.kind) + "\n";
  }
  ASSERT_EQ(found.size(), expected.size()) << text << trajectory.outcome.message;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].first, expected[i].first, tolerance) << "event " << i << "\n" << text;
    EXPECT_EQ(to_string(found[i].second), to_string(expected[i].second)) << "event " << i << "\n" << text;
  }
}

/// `name` at every recorded row, right and left limits alike, against value(t); without the values before the
/// start.
inline void expect_course(const Trajectory& trajectory, const std::string& name,
                          const std::function<double(double)>& value, double tolerance) {
  const std::size_t column = trajectory.column(name);
  ASSERT_GE(trajectory.size(), 10U);
  for (std::size_t row = trajectory.side(0) < 0 ? 1 : 0; row < trajectory.size(); ++row)
    ASSERT_NEAR(trajectory.value(row, column), value(trajectory.time(row)), tolerance)
        << name << " at t = " << trajectory.time(row) << ", side " << trajectory.side(row);
}

/// The only zero of a continuous f in [low, high].
inline double zero(const std::function<double(double)>& f, double low, double high) {
  const bool rising = f(low) < 0.0;
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = 0.5 * (low + high);
    ((f(middle) < 0.0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

constexpr double sliding_accuracies[] = {1e-6, 1e-8, 1e-10};

}  // namespace mti::test
