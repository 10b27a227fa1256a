// Functions of steps of what changes: counters that laws count up and down.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/kinetics/read_sbml.hpp"
#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace steps_test {

using test::refusals_of;
using test::SbmlModel;
using test::SbmlRun;
using Ids = std::vector<std::string>;

constexpr double close = 1e-6;

TEST(SbmlSteps, FunctionsOfASignalOfBothSigns) {
  // x = 3 sin(t), through 0 and turning at ±3
  SbmlModel model;
  model.parameter("x", "0", false).rate("x", "3*cos(time)");
  for (const char* id : {"f", "c", "q", "r"}) model.parameter(id, "", false);
  model.assignment("f", "floor(x)").assignment("c", "ceiling(x)");
  model.assignment("q", "quotient(x, 0.7)").assignment("r", "rem(x, 0.7)");
  const SbmlRun run(model, 10);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (int i = 0; i < 76; ++i) {
    const double t = 0.1 + 0.13 * i;
    const double x = 3.0 * std::sin(t);
    if (std::abs(x - std::round(x)) > 1e-4) {
      EXPECT_NEAR(run("f", t), std::floor(x), close) << t;
      EXPECT_NEAR(run("c", t), std::ceil(x), close) << t;
    }
    if (std::abs(x / 0.7 - std::round(x / 0.7)) > 1e-4) {
      EXPECT_NEAR(run("q", t), std::trunc(x / 0.7), close) << t;
      EXPECT_NEAR(run("r", t), std::fmod(x, 0.7), close) << t;
    }
  }
}

TEST(SbmlSteps, BeginWhereTheirArgumentDoes) {
  SbmlModel model;
  model.parameter("x", "-2.5", false).rate("x", "-1").parameter("f", "", false).assignment("f", "floor(x)");
  model.parameter("n", "4", false).rate("n", "0").parameter("g", "", false).assignment("g", "floor(n)");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("f", 0), -3, close);
  EXPECT_NEAR(run("f", 0.4), -3, close);
  EXPECT_NEAR(run("f", 0.6), -4, close);
  EXPECT_NEAR(run("g", 1), 4, close);
}

TEST(SbmlSteps, OfNumbersThatJumpToWholeOnes) {
  // n counts the periods of a sine that begin, up, and m down from 9: exactly onto the numbers where steps are.
  SbmlModel model;
  model.parameter("n", "0", false).parameter("m", "9", false);
  model.event("E", "gt(sin(2*pi*time - 0.1), 0)", {{"n", "n + 1"}, {"m", "m - 1"}});
  const std::vector<std::pair<std::string, std::string>> formulas = {
      {"a", "floor(n)"},       {"b", "ceiling(n)"},     {"c", "floor(n/2)"},      {"d", "rem(n, 2)"},
      {"e", "quotient(n, 3)"}, {"f", "ceiling(m)"},     {"g", "ceiling(m/2)"},    {"h", "floor(-m)"},
      {"i", "rem(m, 3)"},      {"j", "floor(n + 0.5)"}, {"k", "floor(n/2 + m/2)"}};
  for (const auto& [id, formula] : formulas) model.parameter(id, "", false).assignment(id, formula);
  const SbmlRun run(model, 7);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (int k = 0; k < 7; ++k) {
    const double t = k + 0.5, n = k + 1, m = 9 - n;
    const std::vector<double> expected = {
        n, n, std::floor(n / 2), std::fmod(n, 2), std::floor(n / 3), m, std::ceil(m / 2), -m, std::fmod(m, 3),
        n, 4};
    for (std::size_t i = 0; i < formulas.size(); ++i)
      EXPECT_NEAR(run(formulas[i].first, t), expected[i], close) << formulas[i].second << " " << t;
  }
}

TEST(SbmlSteps, ADoseEachDay) {
  // A quarter of each unit of time with rate 4; counted where the unit begins, and by the number of units
  SbmlModel model;
  model.parameter("x", "0", false).parameter("n", "0", false).parameter("late", "0", false);
  model.rate("x", "piecewise(4, lt(rem(time, 1), 0.25), 0)");
  model.event("E", "lt(rem(time, 1), 0.25)", {{"n", "n + 1"}});
  model.event("F", "geq(floor(time), 2)", {{"late", "floor(time) + time"}});
  const SbmlRun run(model, 3.5);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("x", 0.9), 1, close);
  EXPECT_NEAR(run("x", 2.1), 2.4, close);
  EXPECT_NEAR(run("x", 3.5), 4, close);
  EXPECT_NEAR(run("n", 3.5), 3, close);
  EXPECT_NEAR(run("late", 1.9), 0, close);
  EXPECT_NEAR(run("late", 2.1), 4, close);
  EXPECT_TRUE(read_sbml_text(model.text()).experiment.fixed_start);  // before 0 rem would be another function
}

TEST(SbmlSteps, OfAJump) {
  SbmlModel model;
  model.parameter("x", "0.5", false).parameter("f", "", false).assignment("f", "floor(x)");
  model.event("A", "geq(time, 1)", {{"x", "7.3"}}).event("B", "geq(time, 2)", {{"x", "-1.5"}});
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("f", 0.9), 0, close);
  EXPECT_NEAR(run("f", 1.1), 7, close);
  EXPECT_NEAR(run("f", 3), -2, close);
  // A second event of that instant would take what has been counted up to then.
  model.parameter("y", "0", false).event("D", "gt(x, 5)", {{"y", "f"}});
  EXPECT_EQ(refusals_of(model.text()), Ids{"sbml-event /D"});
}

TEST(SbmlSteps, FactorialsOfWhatChangesAreRefused) {
  SbmlModel model;
  model.parameter("x", "1", false).rate("x", "1").parameter("y", "", false).assignment("y", "factorial(x)");
  EXPECT_EQ(refusals_of(model.text()), Ids{"sbml-function /y"});
}

/// n = 2 and h = n/2 = 1, e = 1 by halves: comparisons with what they are equal to.
TEST(SbmlSteps, WhatTakesWholeNumbersOrPartsOfThemIsComparedAtEquality) {
  const std::vector<std::pair<std::string, double>> conditions = {
      {"geq(n, 4/2)", 1}, {"lt(n, 4/2)", 0},        {"geq(n/2, 1)", 1},  {"lt(n*0.5, 1)", 0},
      {"geq(n^2, 4)", 1}, {"geq(n + 0.5, 2.5)", 1}, {"geq(h, 1)", 1},    {"gt(h, 1)", 0},
      {"geq(e, 1)", 1},   {"lt(e, 1)", 0},          {"leq(n/3, 2/3)", 1}};
  for (const auto& [condition, expected] : conditions) {
    SCOPED_TRACE(condition);
    SbmlModel model;
    for (const char* id : {"n", "e", "y"}) model.parameter(id, "0", false);
    model.parameter("h", "", false).assignment("h", "n/2").rate("y", "piecewise(1, " + condition + ", 0)");
    model.event("E", "geq(time, 1)", {{"n", "n + 1"}, {"e", "e + 0.5"}});
    model.event("F", "geq(time, 2)", {{"n", "n + 1"}, {"e", "e + 0.5"}});
    const SbmlRun run(model, 3);
    EXPECT_NEAR(run("y", 3) - run("y", 2), expected, close);
  }
}

}  // namespace steps_test
}  // namespace mti
