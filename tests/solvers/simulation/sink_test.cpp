// A run that hands its rows and events on: the parts are the run, and it keeps none of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace sink_test {

/// A triangle wave between 0 and 1 that turns at 1/2, 3/2, 5/2, …
Model triangle_wave() {
  Source source;
  source.states = {{.name = "x", .start = 0.5}};
  source.binaries = {{.name = "up", .start = Number(1.0)}};
  source.equations = {"der(x) = 2*up - 1"};
  source.constraints = {{"low", "-x*(1 - up) <= 0"}, {"high", "(x - 1)*up <= 0"}};
  source.experiment.stop = 1000.0;
  source.experiment.output_interval = 0.01;
  return build(source);
}

struct Collected {
  std::vector<double> time, values;
  std::vector<int> side;
  std::vector<double> events;
  std::size_t parts = 0, most_rows = 0, most_events = 0;

  void add(const Trajectory& part) {
    ++parts;
    most_rows = std::max(most_rows, part.size());
    most_events = std::max(most_events, part.events.size());
    for (std::size_t row = 0; row < part.size(); ++row) {
      time.push_back(part.time(row));
      side.push_back(part.side(row));
      values.insert(values.end(), part.row(row).begin(), part.row(row).end());
    }
    for (const Event& event : part.events) events.push_back(event.time);
  }
};

TEST(Sink, PartsAreTheRun) {
  const Model model = triangle_wave();
  Collected whole, parts;
  whole.add(simulate(model));
  const Trajectory rest = simulate(model, {.sink = [&](const Trajectory& part) { parts.add(part); }});
  EXPECT_EQ(parts.time, whole.time);
  EXPECT_EQ(parts.side, whole.side);
  EXPECT_EQ(parts.values, whole.values);
  EXPECT_EQ(parts.events, whole.events);
  ASSERT_EQ(whole.events.size(), 1000U);
  EXPECT_GT(parts.parts, 3U);
  EXPECT_LT(parts.most_rows, whole.time.size() / 2);
  EXPECT_LE(parts.most_events, 300U);
  EXPECT_EQ(rest.size(), 0U);
  EXPECT_TRUE(rest.events.empty());
  EXPECT_EQ(rest.rows_in_all(), whole.time.size());
  EXPECT_EQ(rest.statistics.events, 1000);
  EXPECT_EQ(rest.outcome.kind, OutcomeKind::reached_stop);
}

TEST(Sink, WhatItThrowsComesOut) {
  const Model model = triangle_wave();
  EXPECT_THROW(
      static_cast<void>(simulate(model, {.sink = [](const Trajectory&) { throw std::range_error("mine"); }})),
      std::range_error);
}

/// Memory ends in the second part: the run ends there, and the part comes again.
TEST(Sink, MemoryThatEndsIsAnOutcomeAndNoRowIsLost) {
  const Model model = triangle_wave();
  Collected whole, parts;
  whole.add(simulate(model));
  bool refused = false;
  const Trajectory rest = simulate(model, {.sink = [&](const Trajectory& part) {
                                     if (parts.parts == 1 && !std::exchange(refused, true))
                                       throw std::bad_alloc();
                                     parts.add(part);
                                   }});
  EXPECT_EQ(rest.outcome.kind, OutcomeKind::out_of_memory);
  ASSERT_EQ(parts.parts, 2U);
  ASSERT_GT(parts.time.size(), 100U);
  EXPECT_TRUE(std::equal(parts.time.begin(), parts.time.end() - 1, whole.time.begin()));
}

}  // namespace sink_test
}  // namespace mti
