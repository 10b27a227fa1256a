// Rows that follow from others once these are differentiated: linear equations, and the same with one row more, a
// sum of them and of their derivatives, which is to change nothing.

#include "solvers/plan/surplus_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace surplus_row_test {
namespace {

Trajectory run_of(const Source& source, double stop = 0.5) {
  SimulationOptions options;
  options.rtol = 1e-9;
  options.atol = 1e-11;
  options.stop = options.output_interval = stop;
  return simulate(build(source), options);
}

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

Source proportional(const std::string& slope) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}, {.name = "w", .start = 2.0}};
  source.equations = {{"motion", "der(x) = -x"}, {"gain", "w = 2*x"}, {"later", slope}};
  return source;
}

TEST(SurplusRow, FollowsFromADerivative) {
  for (const std::string slope : {"der(w) = -w", "der(w) = -2*x", "3*der(w) + 2*w = -2*x"}) {
    const Trajectory run = run_of(proportional(slope), 1.0);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(run.warnings.size(), 1U);
    EXPECT_EQ(run.warnings[0].find("equation later follows from motion"), 0U) << run.warnings[0];
    EXPECT_NE(run.warnings[0].find(" and the derivative of gain"), std::string::npos) << run.warnings[0];
    EXPECT_NEAR(last(run, "w"), 2.0 * std::exp(-1.0), 1e-8);
  }
}

/// Danger: a row that only nearly follows is left out.
TEST(SurplusRow, WhatDoesNotFollowIsRefused) {
  for (const std::string slope :
       {"der(w) = -w + 1", "der(w) = -1.000001*w", "der(w) = -w + time", "der(w) = -w*x"}) {
    const Trajectory run = run_of(proportional(slope));
    EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start) << slope;
    for (const std::string name : {"motion", "gain", "later"})
      EXPECT_NE(run.outcome.message.find(name), std::string::npos) << run.outcome.message;
  }
}

/// Danger: of rows that hold for all time only what their derivatives say is kept: 2*w' = 4*x' does not say w = 2x.
TEST(SurplusRow, TheRowThatIsDifferentiatedStays) {
  Source source = proportional("2*der(w) = 4*der(x)");
  std::swap(source.equations[1], source.equations[2]);
  source.states[1].start = 2.0;
  const Trajectory run = run_of(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_EQ(run.warnings[0].find("equation later follows from the derivative of gain"), 0U)
      << run.warnings[0];
  source.states[1].start = 3.0;
  EXPECT_EQ(run_of(source).outcome.kind, OutcomeKind::no_consistent_start) << "w - 2x cannot jump, and is 1";
}

/// Twice: q2 = 2 q1 has v2' = 2 v1'. So has what the time adds, whose derivative is a number.
TEST(SurplusRow, FollowsFromASecondDerivative) {
  Source source;
  source.states = {{"q1", 1.0}, {"q2", 2.0}, {"v1", 0.0}, {"v2", 3.0}};
  source.equations = {{"slope1", "der(q1) = v1"},
                      {"slope2", "der(q2) = v2"},
                      {"force1", "der(v1) = -q1"},
                      {"rod", "q2 = 2*q1 + 3*time"},
                      {"force2", "der(v2) = -2*q1"}};
  const Trajectory run = run_of(source, 1.0);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_EQ(
      run.warnings[0].find("equation force2 follows from force1 and derivatives of slope1, slope2, rod"), 0U)
      << run.warnings[0];
  EXPECT_NEAR(last(run, "q2"), 2.0 * std::cos(1.0) + 3.0, 1e-8);
  EXPECT_NEAR(last(run, "v2"), -2.0 * std::sin(1.0) + 3.0, 1e-8);
  source.equations.back().text = "der(v2) = -2*q1 + 0.5";
  const Trajectory refused = run_of(source);
  EXPECT_EQ(refused.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(refused.outcome.message.find("no solution of slope1, slope2, force1, rod, force2"),
            std::string::npos)
      << refused.outcome.message;
}

/// x' = A x + B y + b, y = C x + c and w = D x + e + h*time, w being states, with all numbers whole; and
/// sums of rows and derivatives of the rows of w, multiplied out here.
class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : random_(seed) {
    const int n = integer(1, 4), p = integer(0, 2), m = integer(1, 3);
    for (int i = 0; i < n; ++i) names_.push_back("x" + std::to_string(i));
    for (int i = 0; i < p; ++i) names_.push_back("y" + std::to_string(i));
    for (int i = 0; i < m; ++i) names_.push_back("w" + std::to_string(i));
    std::vector<double> x;
    for (int i = 0; i < n; ++i) {
      x.push_back(integer(-3, 3));
      source_.states.push_back({.name = names_[static_cast<std::size_t>(i)], .start = x.back()});
      Row row = empty_row();
      row.slope[static_cast<std::size_t>(i)] = 1.0;
      for (int j = 0; j < n + p; ++j) row.value[static_cast<std::size_t>(j)] = integer(-1, 1);
      row.number = integer(-2, 2);
      rows_.push_back(row);
    }
    for (int i = 0; i < p + m; ++i) {
      Row row = empty_row();
      row.value[at(n + i)] = 1.0;
      double start = 0.0;
      for (int j = 0; j < n; ++j) {
        row.value[static_cast<std::size_t>(j)] = integer(-2, 2);
        start -= row.value[static_cast<std::size_t>(j)] * x[static_cast<std::size_t>(j)];
      }
      row.number = integer(-2, 2);
      const std::string& name = names_[at(n + i)];
      if (i < p) {
        source_.algebraic.push_back({.name = name});
      } else {
        row.time = integer(-1, 1);
        source_.states.push_back({.name = name, .start = start - row.number});
        shadows_.push_back(rows_.size());
      }
      rows_.push_back(row);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      source_.equations.push_back({"e" + std::to_string(i), text(rows_[i])});
    Row sum = empty_row();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (chance(40)) add(sum, i, integer(1, 3), false);
    do {
      for (const std::size_t i : shadows_)
        if (differentiated_.empty() ? chance(50) : chance(30) && differentiated_.back() < i) {
          add(sum, i, integer(1, 3) * 0.5, true);
          differentiated_.push_back(i);
        }
    } while (differentiated_.empty());
    sum_ = sum;
  }

  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// With the sum, and `off` added to it, in some place.
  [[nodiscard]] Source with_sum(double off, std::size_t place) const {
    Source source = source_;
    Row row = sum_;
    row.number += off;
    source.equations.emplace(source.equations.begin() + static_cast<std::ptrdiff_t>(place), "sum", text(row));
    return source;
  }

  [[nodiscard]] std::string reason() const {
    std::string others, derivatives;
    for (std::size_t i : plain_) others += (others.empty() ? "" : ", ") + ("e" + std::to_string(i));
    for (std::size_t i : differentiated_)
      derivatives += (derivatives.empty() ? "" : ", ") + ("e" + std::to_string(i));
    return "equation sum follows from " + others + (others.empty() ? "" : " and ") +
           (differentiated_.size() == 1 ? "the derivative of " : "derivatives of ") + derivatives;
  }

  [[nodiscard]] std::vector<std::size_t> concerned() const {
    std::vector<std::size_t> rows = plain_;
    rows.insert(rows.end(), differentiated_.begin(), differentiated_.end());
    return rows;
  }

 private:
  struct Row {
    std::vector<double> slope, value;
    double number = 0.0, time = 0.0;
  };

  [[nodiscard]] Row empty_row() const {
    return {std::vector<double>(names_.size(), 0.0), std::vector<double>(names_.size(), 0.0)};
  }

  void add(Row& sum, std::size_t i, double factor, bool derivative) {
    const Row& row = rows_[i];
    for (std::size_t j = 0; j < names_.size(); ++j) {
      (derivative ? sum.slope : sum.value)[j] += factor * row.value[j];
      if (!derivative) sum.slope[j] += factor * row.slope[j];
    }
    sum.number += factor * (derivative ? row.time : row.number);
    if (derivative) return;
    sum.time += factor * row.time;
    plain_.push_back(i);
  }

  [[nodiscard]] std::string text(const Row& row) const {
    std::string result = text::format_number(row.number) + " + (" + text::format_number(row.time) + ")*time";
    for (std::size_t j = 0; j < names_.size(); ++j) {
      if (row.slope[j] != 0.0)
        result += " + (" + text::format_number(row.slope[j]) + ")*der(" + names_[j] + ")";
      if (row.value[j] != 0.0) result += " + (" + text::format_number(row.value[j]) + ")*" + names_[j];
    }
    return result + " = 0";
  }

  int integer(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  bool chance(int percent) { return integer(1, 100) <= percent; }

  std::mt19937 random_;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
  std::vector<std::size_t> shadows_, plain_, differentiated_;
  Row sum_;
  Source source_;
};

/// Danger: a row that takes part in the motion is left out, or a contradiction.
TEST(SurplusRow, OfRandomSystemsChangesNothing) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomSystem system(seed);
    const std::size_t rows = system.source().equations.size(), place = seed % 2 == 0 ? rows : seed / 2 % rows;
    const Trajectory without = run_of(system.source());
    ASSERT_EQ(without.outcome.kind, OutcomeKind::reached_stop) << "seed " << seed << without.outcome.message;
    EXPECT_TRUE(without.warnings.empty()) << "seed " << seed;
    const Trajectory run = run_of(system.with_sum(0.0, place));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << "seed " << seed << ": " << run.outcome.message;
    ASSERT_EQ(run.warnings.size(), 1U) << "seed " << seed;
    if (place == rows) {
      EXPECT_EQ(run.warnings[0].find(system.reason() + ": left out"), 0U) << run.warnings[0];
    }
    for (const std::string& name : system.names())
      EXPECT_NEAR(last(run, name), last(without, name), 1e-6 * (1.0 + std::abs(last(without, name))))
          << "seed " << seed << ", " << name;
    const Trajectory refused = run_of(system.with_sum(0.25, place));
    EXPECT_EQ(refused.outcome.kind, OutcomeKind::no_consistent_start) << "seed " << seed;
    // A message names six rows.
    const std::vector<std::size_t> concerned = system.concerned();
    const bool complete = refused.outcome.message.find(" more") == std::string::npos;
    for (std::size_t i = 0; i < rows; ++i) {
      const bool named = refused.outcome.message.find("e" + std::to_string(i)) != std::string::npos;
      const bool concerns = std::ranges::find(concerned, i) != concerned.end();
      EXPECT_TRUE(concerns ? named || !complete : !named)
          << "seed " << seed << ": " << refused.outcome.message;
    }
  }
}

}  // namespace
}  // namespace surplus_row_test
}  // namespace mti::test
