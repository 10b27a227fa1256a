// Binaries that rows of logic determine together.

#include "solvers/logic/joint_outputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/logic/outputs.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace joint_outputs_test {

constexpr double rtol = 1e-8;

/// Thresholds d0, d1, … on x with x' = 1, met at t = 1, 2, …, and outputs.
Source logic(int deciders, const std::vector<std::string>& outputs, const std::vector<std::string>& rows) {
  Source source;
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = 1"};
  for (int i = 0; i < deciders; ++i) {
    const std::string d = "d" + std::to_string(i);
    source.binaries.push_back({d, 0.0});
    source.constraints.emplace_back("(x - " + std::to_string(i + 1) + ")*(1 - 2*" + d + ") <= 0");
  }
  for (const std::string& output : outputs) source.binaries.push_back({output, 0.0});
  for (const std::string& row : rows) source.equations.emplace_back(row);
  source.experiment.stop = deciders + 0.5;
  return source;
}

Mode with(const Model& model, unsigned deciders, int count) {
  Mode mode{model.z_start, std::vector<char>(at(model.signature.r()), 0), {}, {}};
  for (int i = 0; i < count; ++i) mode.z[at(i)] = static_cast<char>(deciders >> i & 1U);
  return mode;
}

/// Two numbers of four binary places and their sum, whose places and carries follow row by row.
TEST(JointOutputs, OfAnAdderAreThePlacesOfTheSum) {
  constexpr int places = 4;
  std::vector<std::string> outputs, rows;
  for (int i = 0; i < places; ++i) {
    const std::string n = std::to_string(i);
    outputs.push_back("s" + n);
    outputs.push_back("c" + n);
    rows.push_back("s" + n + " + 2*c" + n + " = d" + n + " + d" + std::to_string(places + i) +
                   (i > 0 ? " + c" + std::to_string(i - 1) : ""));
  }
  std::ranges::reverse(rows);
  const Model model = build(logic(2 * places, outputs, rows));
  const SignalRows signal_rows(model);
  const Outputs found(signal_rows);
  EXPECT_EQ(found.order().size(), outputs.size());
  for (unsigned deciders = 0; deciders < 1U << 2 * places; ++deciders) {
    Mode mode = with(model, deciders, 2 * places);
    ASSERT_TRUE(found.settle(mode));
    const unsigned sum = (deciders & 15U) + (deciders >> places);
    for (int i = 0; i < places; ++i)
      EXPECT_EQ(static_cast<unsigned>(mode.z[at(2 * places + 2 * i)]), sum >> i & 1U) << deciders << " " << i;
    EXPECT_EQ(static_cast<unsigned>(mode.z[at(4 * places - 1)]), sum >> places) << deciders;
  }
}

/// Negative controls: open somewhere, in a constraint, or two choices at one vertex.
TEST(JointOutputs, AreNoneThatRowsLeaveOpen) {
  for (const char* row : {"a + b = d0", "a*b = d0", "a + b + c = d0 + d1", "2*a + 2*b = 2*d0 + 2*d1"}) {
    const Model model = build(logic(2, {"a", "b", "c"}, {row}));
    const SignalRows rows(model);
    EXPECT_TRUE(JointOutputs(rows, std::vector<char>{0, 0, 1, 1, 1}, std::vector<char>{0, 0, 1, 1, 1})
                    .formulas()
                    .empty())
        << row;
  }
}

/// What nothing depends on changes no motion: z3 is a hysteresis far from its limits, and z0 trips at t = 1.
TEST(JointOutputs, FollowFreeOfCost) {
  Source source;
  source.states = {{"x", 0.0}, {"w", -5.0}, {"y", 0.0}};
  source.binaries = {{"z0", 0.0}, {"z3", 0.0}, {"sum", 0.0}, {"carry", 0.0}};
  source.equations = {"der(x) = 1", "der(w) = 0", "der(y) = z3", "sum + 2*carry = z0 + z3"};
  source.constraints = {"(1 - 2*z0)*(x - 1) <= 0", "w*(1 - z3) <= 0", "(-10 - w)*z3 <= 0"};
  source.experiment.stop = 2.0;
  for (const double start : {0.0, 1.0}) {
    source.binaries[1].start = start;
    const Trajectory run = test::run(source, test::with_accuracy(rtol));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(test::recorded(run, "z3", 2.0), start);
    EXPECT_NEAR(test::recorded(run, "y", 2.0), 2.0 * start, 10.0 * rtol);
    EXPECT_EQ(test::recorded(run, "sum", 0.5), start);
    EXPECT_EQ(test::recorded(run, "sum", 1.5), 1.0 - start);
    EXPECT_EQ(test::recorded(run, "carry", 1.5), start);
  }
}

/// Gates of deciders, and the same rows mixed by an invertible matrix of whole numbers: one motion, also where deciders slide
/// and outputs act on it.
TEST(JointOutputs, OfMixedRowsAreThoseOfTheRowsAlone) {
  std::mt19937 random(808);
  std::uniform_int_distribution<int> coin(0, 1), factor(-2, 2), gates(2, 3);
  int slid = 0, mixed_models = 0;
  for (int i = 0; i < 150; ++i) {
    const int count = gates(random);
    std::vector<std::string> outputs, sides;  // o_k = side_k
    const std::vector<std::string> kinds = {"d0",    "d1", "d0*d1", "d0 + d1 - d0*d1", "d0 + d1 - 2*d0*d1",
                                            "1 - d0"};
    for (int k = 0; k < count; ++k) {
      outputs.push_back("o" + std::to_string(k));
      sides.push_back(kinds[std::uniform_int_distribution<std::size_t>(0, kinds.size() - 1)(random)]);
    }
    // Lower times upper triangular, with ones on the diagonals.
    const auto n = at(count);
    std::vector<std::vector<int>> L(n, std::vector<int>(n, 0)), U = L, M = L;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        L[a][b] = a == b ? 1 : b < a ? factor(random) : 0;
        U[a][b] = a == b ? 1 : b > a ? coin(random) : 0;
      }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        for (std::size_t c = 0; c < n; ++c) M[a][b] += L[a][c] * U[c][b];
    Source plain;
    plain.states = {{"x", -0.5}, {"w", 0.3}, {"y", 0.0}};
    plain.binaries = {{"d0", 0.0}, {"d1", 0.0}};
    for (const std::string& output : outputs) plain.binaries.push_back({output, 0.0});
    const bool slides = coin(random) != 0;
    plain.equations = {slides ? "der(x) = 1 - 2*d0" : "der(x) = 1 - 0.1*x", "der(w) = 0.7 - w",
                       "der(y) = o0 + 2*o1 - 0.5*y"};
    plain.constraints = {"(1 - 2*d0)*x <= 0", "(1 - 2*d1)*(w - 0.5) <= 0"};
    plain.experiment.stop = 3.0;
    Source mixed = plain;
    std::string text;
    for (int k = 0; k < count; ++k) {
      plain.equations.emplace_back(outputs[at(k)] + " = " + sides[at(k)]);
      std::string row = "0";
      for (int l = 0; l < count; ++l)
        if (const int m = M[at(k)][at(l)]; m != 0)
          row += " + (" + std::to_string(m) + ")*(" + outputs[at(l)] + " - (" + sides[at(l)] + "))";
      mixed.equations.emplace_back(row + " = 0");
      text += row + " = 0; ";
    }
    const Trajectory one = test::run(plain, test::with_accuracy(rtol));
    const Trajectory other = test::run(mixed, test::with_accuracy(rtol));
    ASSERT_EQ(one.outcome.kind, OutcomeKind::reached_stop) << one.outcome.message;
    ASSERT_EQ(other.outcome.kind, OutcomeKind::reached_stop) << text << other.outcome.message;
    EXPECT_EQ(one.events.size(), other.events.size()) << text;
    for (const double t : {0.3, 0.9, 2.1, 3.0})
      for (const std::string& name : {std::string("x"), std::string("y"), outputs[0], outputs[1]})
        EXPECT_NEAR(test::recorded(one, name, t), test::recorded(other, name, t), 100.0 * rtol)
            << "model " << i << ", " << name << " at " << t;
    slid += slides ? 1 : 0;
    ++mixed_models;
  }
  EXPECT_GT(slid, 40);
  EXPECT_EQ(mixed_models, 150);
}

}  // namespace joint_outputs_test
}  // namespace mti
