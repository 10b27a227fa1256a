#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

/// Questions that tests ask of a run.
namespace mti::test {

inline Trajectory run(const Source& source, SimulationOptions options = {}) {
  return simulate(build(source), options);
}

/// Options with rtol = atol, the accuracy that most tests derive their tolerances from.
inline SimulationOptions with_accuracy(double tolerance) {
  SimulationOptions options;
  options.rtol = options.atol = tolerance;
  return options;
}

/// Times of the events after the initial one.
inline std::vector<double> event_times(const Trajectory& trajectory) {
  std::vector<double> times;
  for (const Event& event : trajectory.events)
    if (event.kind != EventKind::initial) times.push_back(event.time);
  return times;
}

/// "z1:0>1 z2:1>0", in the order of the event's list.
inline std::string changes_text(const std::vector<Change>& changes, const Model& model) {
  std::string text;
  for (const Change& change : changes)
    text += (text.empty() ? "" : " ") + model.signature.row_name(change.row) + ":" +
            std::to_string(std::lround(change.before)) + ">" + std::to_string(std::lround(change.after));
  return text;
}

/// Every event on a line of its own: "switch c1 c2 | z1:0>1".
inline std::string events_text(const Trajectory& trajectory, const Model& model) {
  std::string text;
  for (const Event& event : trajectory.events) {
    text += to_string(event.kind);
    for (const int row : event.constraints) text += " " + model.constraint_names[at(row)];
    text += " | " + changes_text(event.changed, model) + "\n";
  }
  return text;
}

/// The recorded value of `name` at the output time closest to `time`; of several rows of that time the last.
inline double recorded(const Trajectory& trajectory, const std::string& name, double time) {
  const std::size_t column = trajectory.column(name);
  double closest = std::numeric_limits<double>::infinity(), value = 0.0;
  for (std::size_t row = 0; row < trajectory.size(); ++row)
    if (const double distance = std::abs(trajectory.time(row) - time); distance <= closest) {
      closest = distance;
      value = trajectory.value(row, column);
    }
  EXPECT_LE(closest, 1e-9) << "nothing recorded at t = " << time;
  return value;
}

inline double last(const Trajectory& trajectory, const std::string& name) {
  return trajectory.value(trajectory.size() - 1, trajectory.column(name));
}

/// Two runs are the same to the last bit: rows, events, outcome.
inline void expect_identical(const Trajectory& a, const Trajectory& b) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.names(), b.names());
  for (std::size_t row = 0; row < a.size(); ++row) {
    ASSERT_EQ(a.time(row), b.time(row));
    ASSERT_EQ(a.side(row), b.side(row));
    for (std::size_t column = 0; column < a.columns(); ++column)
      ASSERT_EQ(a.value(row, column), b.value(row, column)) << a.names()[column] << " at t = " << a.time(row);
  }
  EXPECT_EQ(event_times(a), event_times(b));
  EXPECT_EQ(a.outcome.kind, b.outcome.kind);
  EXPECT_EQ(a.outcome.message, b.outcome.message);
}

/// Time never decreases, neither in rows nor in events nor to the end.
inline void expect_ordered(const Trajectory& trajectory) {
  for (std::size_t row = 1; row < trajectory.size(); ++row)
    ASSERT_GE(trajectory.time(row), trajectory.time(row - 1)) << "row " << row;
  for (std::size_t k = 1; k < trajectory.events.size(); ++k)
    ASSERT_GE(trajectory.events[k].time, trajectory.events[k - 1].time) << "event " << k;
  if (trajectory.size() > 0) {
    EXPECT_GE(trajectory.outcome.end_time, trajectory.time(trajectory.size() - 1));
  }
}

/// Rows are ordered in time, sides at one time are 0 alone or −1 then 1, and nothing is written twice. A run
/// that ended early may end with a left limit.
inline void expect_well_formed(const Trajectory& trajectory) {
  for (std::size_t row = 0; row < trajectory.size(); ++row) {
    const int side = trajectory.side(row);
    const bool first = row == 0;
    if (side == 1) {
      ASSERT_FALSE(first);
      EXPECT_EQ(trajectory.side(row - 1), -1);
      EXPECT_EQ(trajectory.time(row - 1), trajectory.time(row));
    } else if (!first) {
      EXPECT_NE(trajectory.side(row - 1), -1) << "a left limit without its right limit, row " << row;
      const double gap = trajectory.time(row) - trajectory.time(row - 1);
      EXPECT_GT(gap, 1e-12 * std::max(1.0, std::abs(trajectory.time(row))))
          << "rows " << row - 1 << " and " << row << " coincide at t = " << trajectory.time(row);
    }
  }
}

}  // namespace mti::test
