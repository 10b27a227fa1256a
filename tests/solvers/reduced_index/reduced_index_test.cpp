// Models rewritten with one structure of index 0: what the rewriting consists of, and random bodies with ties that come and
// go, whose run as a multi-mode model is the oracle.

#include "solvers/reduced_index/reduced_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "bench/faulty_coaxial.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "solvers/multimode/all_modes.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace reduced_index_test {

std::string equation(const Source& source, const std::string& name) {
  const auto found = std::ranges::find(source.equations, name, &RelationSource::name);
  return found == source.equations.end() ? "" : found->text;
}

// 1 = if p then x else x': x leads where p, x' elsewhere (Electronics 2022, 2.1).
TEST(ReducedIndexOf, TwoEquationsHasOneStateThatFollows) {
  Source source;
  source.states = {{.name = "x"}};
  source.binaries = {{.name = "p"}};
  source.equations = {{"law", "p*x + (1 - p)*der(x) = 1"}};
  source.constraints = {{"threshold", "(x - 1)*(1 - 2*p) <= 0"}};
  const Source reduced = reduced_index(source);
  ASSERT_EQ(reduced.states.size(), 1U);
  EXPECT_EQ(reduced.states[0].name, "s_x");
  EXPECT_EQ(equation(reduced, "law"), "p*x + (1 - p)*der_x = 1");
  EXPECT_EQ(equation(reduced, "value_of_x"), "0 = if not p then x - s_x else der_x");
  EXPECT_EQ(equation(reduced, "slope_of_s_x"), "der(s_x) = if not p then der_x else 0");
  ASSERT_EQ(reduced.transitions.size(), 1U);
  EXPECT_EQ(reduced.transitions[0].when, "fall(p)");
  EXPECT_EQ(reduced.transitions[0].equations, std::vector<std::string>{"s_x = pre(x)"});
}

Source clutch() {
  Source source;
  source.parameters = {{"j1", 1.0}, {"j2", 2.0}};
  source.states = {{.name = "w1", .start = 1.0}, {.name = "w2", .start = 1.5}};
  source.algebraic = {{.name = "f1"}, {.name = "f2"}};
  source.binaries = {{.name = "g"}};
  source.equations = {{"shaft1", "j1*der(w1) = -0.01*w1 + f1"},
                      {"shaft2", "j2*der(w2) = -0.0125*w2 + f2"},
                      {"clutch", "g*(w1 - w2) + (1 - g)*f1 = 0"},
                      {"balance", "f1 + f2 = 0"}};
  source.constraints = {{"begin", "(time - 5)*(1 - 2*g) <= 0"}};
  source.experiment = {.stop = 8.0, .rtol = 1e-9, .atol = 1e-11};
  return source;
}

// The closed clutch gives w2; at its closing momentum is kept, j1 w1 + j2 w2, which (j1 + j2) w carries on.
TEST(ReducedIndexOf, AClutchBalancesMomentum) {
  const Source reduced = reduced_index(clutch());
  EXPECT_EQ(equation(reduced, "clutch"), "0 = if g then der_w1 - der_w2 else f1");
  EXPECT_EQ(equation(reduced, "value_of_w2"), "0 = if g then w1 - w2 else w2 - s_w2");
  const Model model = build(reduced);
  const Trajectory run = simulate(model, {});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const double w1 = std::exp(-0.01 * 5.0), w2 = 1.5 * std::exp(-0.0125 / 2.0 * 5.0);
  const double w = (w1 + 2.0 * w2) / 3.0 * std::exp(-(0.01 + 0.0125) / 3.0 * 3.0);
  const std::size_t last = run.size() - 1;
  for (const char* name : {"w1", "w2"}) {
    const auto column = at(std::ranges::find(run.names(), name) - run.names().begin());
    EXPECT_NEAR(run.value(last, column), w, 1e-8);
  }
}

TEST(ReducedIndexOf, OneStructureIsTheModelItself) {
  Source source;
  source.states = {{.name = "T", .start = 18.0}};
  source.binaries = {{.name = "on"}};
  source.equations = {{"heat", "10*der(T) = 5 - T + 30*on"}};
  source.constraints = {{"low", "(19 - T)*(1 - on) <= 0"}, {"high", "(T - 21)*on <= 0"}};
  const Source reduced = reduced_index(source);
  ASSERT_EQ(reduced.equations.size(), 1U);
  EXPECT_EQ(reduced.equations[0].text, source.equations[0].text);
  EXPECT_EQ(reduced.states.size(), 1U);
  EXPECT_TRUE(reduced.transitions.empty());
}

// The cable grows by as much for each element, though its modes are 3^N.
TEST(ReducedIndexOf, TheCableGrowsWithItsElements) {
  std::size_t last = 0;
  for (const int elements : {4, 8, 16, 32}) {
    const Source reduced = reduced_index(bench::FaultyCoaxial{.elements = elements}.source());
    if (last > 0) {
      EXPECT_LE(reduced.equations.size(), 2 * last);
    }
    last = reduced.equations.size();
    const AllModes all(build(reduced));
    for (const ModeNumber& c : all.offsets.c)
      for (const ModeSet& level : c.levels) EXPECT_TRUE(all.space.considered(level).empty());
  }
}

void expect_refused(const Source& source, const std::string& id, const std::string& part) {
  try {
    static_cast<void>(reduced_index(source));
    FAIL() << "is rewritten";
  } catch (const InvalidModel& refused) {
    EXPECT_EQ(refused.faults().front().id, id) << refused.what();
    EXPECT_NE(refused.faults().front().message.find(part), std::string::npos) << refused.what();
  }
}

TEST(ReducedIndexRefuses, WhatItWouldGetWrong) {
  Source jumps = clutch();
  jumps.inputs = {{.name = "u",
                   .form = TableSource{
                       .time = {0.0, 6.0}, .value = {0.0, 1.0}, .interpolation = Interpolation::previous}}};
  jumps.equations[2].text = "g*(w1 - w2 - u) + (1 - g)*f1 = 0";
  expect_refused(jumps, "not-differentiable", "the input u jumps");

  Source cubic = clutch();
  cubic.equations[0].text = "j1*der(w1) = -0.01*w1 + f1^3";
  expect_refused(cubic, "modelica-unwritable", "jumps with it");

  // A reset of one shaft would drag the other one along.
  Source reset = clutch();
  reset.whens = {{.condition = "time > 6", .set = {{"w2", "5"}}}};
  expect_refused(reset, "modelica-unwritable", "w2 is set, and where g equation clutch ties it");
  Source law = clutch();
  law.transitions = {{.when = "fall(g)", .equations = {"w1 = 5"}}};
  expect_refused(law, "modelica-unwritable", "w1 is set");

  // The run begins with 4/3, which is not what was before it.
  Source past = clutch();
  past.binaries.clear();
  past.constraints.clear();
  past.inputs = {{.name = "g", .form = TableSource{.time = {0.0, 1.0}, .value = {1.0, 0.0}}, .binary = true}};
  past.equations[0].text = "j1*der(w1) = -0.01*delay(w1, 0.3) + f1";
  expect_refused(past, "modelica-unwritable", "the past of w1");

  Source twice;
  twice.states = {{.name = "x"}};
  twice.algebraic = {{.name = "y"}};
  twice.equations = {"der(x) = -x", "x = 1"};
  expect_refused(twice, "singular-modes", "no mode");
}

// A brake that a hysteresis works, and a freewheel behind it: what is the nearest change does not depend on helpers.
TEST(ReducedIndexOf, ABrakeWorksAsBeforeBesideAFreewheel) {
  for (const double w1 : {0.8, 0.5, 1.1}) {
    Source source;
    source.states = {{.name = "w0", .start = -1.0}, {.name = "w1", .start = w1}, {.name = "clock"}};
    source.algebraic = {{"f0"}, {"f1"}, {"s"}};
    source.binaries = {{"brake"}, {"free"}};
    source.equations = {"der(clock) = 1",
                        "brake = hysteresis(sin(2.1*clock), -0.4, 0.4)",
                        "brake*w0 + (1 - brake)*f0 = 0",
                        "s = w1 - w0",
                        "free*s + (1 - free)*f1 = 0",
                        "der(w0) = f0 - f1 - 1",
                        "der(w1) = f1 - 0.6*w1 - 0.4"};
    source.constraints = {"s >= 0", "f1 >= 0"};
    source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-9};
    const Trajectory run = simulate(build(source), {}),
                     rewritten = simulate(build(reduced_index(source)), {});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(rewritten.outcome.kind, OutcomeKind::reached_stop) << rewritten.outcome.message;
    for (const char* name : {"w0", "w1", "brake", "free"})
      EXPECT_NEAR(rewritten.value(rewritten.size() - 1, rewritten.column(name)),
                  run.value(run.size() - 1, run.column(name)), 1e-6)
          << name << " from " << w1;
  }
}

// A rope that an input makes taut where the ball is not at its end: the motion that was would have to jump there, by impulses
// of second order, and the model ends as well (refused_restart).
TEST(ReducedIndexOf, ARopeThatIsTooShortIsNotTaut) {
  Source source;
  source.states = {{.name = "x", .start = 0.6}, {.name = "y", .start = 0.2}, {.name = "vx"}, {.name = "vy"}};
  source.algebraic = {{.name = "lambda"}};
  source.inputs = {
      {.name = "taut", .form = TableSource{.time = {0.0, 0.2}, .value = {0.0, 1.0}}, .binary = true}};
  source.equations = {{"motion_x", "der(x) = vx"},
                      {"motion_y", "der(y) = vy"},
                      {"newton_x", "der(vx) + lambda*x = 0"},
                      {"newton_y", "der(vy) + lambda*y + 9.81 = 0"},
                      {"rope", "taut*(1 - x^2 - y^2) + (1 - taut)*lambda = 0"}};
  EXPECT_EQ(simulate(build(source), {}).outcome.kind, OutcomeKind::refused_restart);
  const Trajectory run = simulate(build(reduced_index(source)), {});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::dead_end);
  EXPECT_NE(run.outcome.message.find("x_not_above_s_x"), std::string::npos) << run.outcome.message;
}

// What a law replaces is told by names, however the law is written.
TEST(ReducedIndexOf, ABallThatBouncesOnItsSupport) {
  for (const char* law : {"v = -0.5*pre(v)", " v=-0.5*pre(v)"}) {
    Source source;
    source.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
    source.algebraic = {{.name = "F"}};
    source.binaries = {{.name = "contact"}};
    source.equations = {{"motion", "der(h) = v"},
                        {"newton", "der(v) = F - 10"},
                        {"support", "contact*h + (1 - contact)*F = 0"}};
    source.constraints = {{"floor", "-h <= 0"}, {"pushes", "-F <= 0"}};
    source.transitions = {{.when = "reach(floor)", .replaces = {"support"}, .equations = {law}}};
    source.experiment.stop = 0.8;
    const Trajectory run = simulate(build(reduced_index(source)), {});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const auto column = at(std::ranges::find(run.names(), "h") - run.names().begin());
    const double since = 0.8 - std::sqrt(0.2),
                 speed = 0.5 * std::sqrt(20.0);  // less than until the next impact
    EXPECT_NEAR(run.value(run.size() - 1, column), speed * since - 5.0 * since * since, 1e-5);
  }
}

/// Bodies m v' = −k v + Σ c λ; a tie holds Σ c v = 0, or follows a sine, where its input is 1, and λ = 0 elsewhere.
Source tied_bodies(unsigned seed) {
  std::mt19937 random(seed);
  const auto integer = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const auto number = [&](double low, double high) { return low + (high - low) * integer(0, 1000) / 1000.0; };
  const auto text = [](double value) { return "(" + text::format_number(value) + ")"; };
  const int bodies = integer(2, 5), ties = integer(1, std::min(3, bodies - 1));
  Source source;
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.5, .frequency = 0.4, .phase = 0.3}}};
  std::vector<std::string> forces(at(bodies));
  for (int t = 0; t < ties; ++t) {
    const std::string g = "g" + std::to_string(t), lambda = "l" + std::to_string(t);
    std::string sum;
    for (int b = 0; b < bodies; ++b) {
      if (b != t && integer(0, 2) == 0) continue;
      const std::string factor = text(b == t ? 1.0 : number(-2.0, 2.0));
      forces[at(b)] += " + " + factor + "*" + lambda;
      sum += (sum.empty() ? "" : " + ") + factor + "*v" + std::to_string(b);
    }
    if (integer(0, 2) == 0) sum += " - u";
    source.algebraic.push_back({.name = lambda});
    TableSource table{.time = {0.0}, .value = {static_cast<double>(integer(0, 1))}};
    double time = number(0.1, 1.0);
    while (time < 3.9) {
      table.time.emplace_back(time);
      table.value.emplace_back(1.0 - std::get<double>(table.value.back()));
      time += number(0.2, 1.5);
    }
    source.inputs.push_back({.name = g, .form = table, .binary = true});
    source.equations.emplace_back("tie" + std::to_string(t),
                                  integer(0, 1) == 0
                                      ? g + "*(" + sum + ") + (1 - " + g + ")*" + lambda + " = 0"
                                      : "0 = if " + g + " then " + sum + " else " + lambda);
  }
  for (int b = 0; b < bodies; ++b) {
    const std::string v = "v" + std::to_string(b);
    source.states.push_back({.name = v, .start = number(-3.0, 3.0)});
    source.equations.emplace_back(
        "body" + std::to_string(b),
        text(number(0.5, 3.0)) + "*der(" + v + ") = -" + text(number(0.0, 1.0)) + "*" + v + forces[at(b)]);
  }
  std::ranges::shuffle(source.equations, random);
  source.experiment = {.stop = 4.0, .rtol = 1e-8, .atol = 1e-10, .output_interval = 0.25};
  return source;
}

TEST(ReducedIndexOf, RandomTiesMovesAsTheModel) {
  int compared = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    const Source source = tied_bodies(seed);
    const Trajectory one = simulate(build(source), {});
    const Trajectory other = simulate(build(reduced_index(source)), {});
    ASSERT_EQ(one.outcome.kind, OutcomeKind::reached_stop) << one.outcome.message;
    ASSERT_EQ(other.outcome.kind, OutcomeKind::reached_stop) << other.outcome.message;
    ASSERT_EQ(one.time(one.size() - 1), other.time(other.size() - 1));
    for (std::size_t column = 0; column < one.columns(); ++column) {
      const auto found = std::ranges::find(other.names(), one.names()[column]);
      ASSERT_NE(found, other.names().end());
      const double value = one.value(one.size() - 1, column);
      EXPECT_NEAR(other.value(other.size() - 1, at(found - other.names().begin())), value,
                  1e-7 * (1.0 + std::abs(value)))
          << one.names()[column];
      ++compared;
    }
  }
  EXPECT_GT(compared, 400);
}

}  // namespace reduced_index_test
}  // namespace mti::test
