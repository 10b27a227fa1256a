// Values that are set to others than those of the file: what follows from them is that of a file which holds them.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/kinetics/read_sbml.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/source/overrides.hpp"
#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace sbml_overrides_test {

using test::SbmlModel;
using Values = std::vector<std::pair<std::string, double>>;

/// The value of a signal at the end of a run, with other values set before it.
double at_end(const SbmlModel& model, const std::string& name, double stop, const Values& values = {},
              std::optional<double> start = {}) {
  Source source = read_sbml_text(model.text());
  override_values(source, values);
  SimulationOptions options;
  options.start = start;
  options.stop = stop;
  options.dense = true;
  const Trajectory run = simulate(build(source), options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
  return run.at(stop, run.column(name));
}

/// Ids of what is refused.
std::string fault_of(const SbmlModel& model, const Values& values, std::optional<double> start = {}) {
  try {
    static_cast<void>(at_end(model, "y", 20.0, values, start));
  } catch (const FaultError& refused) {
    return refused.faults().front().id + " " + refused.faults().front().pointer;
  }
  return "";
}

/// x' = 1 from x(0), an event where x passes k.
SbmlModel crossing(const std::string& x, const std::string& k, const std::string& comparison,
                   bool initial_value) {
  SbmlModel model;
  model.parameter("x", x, false).rate("x", "1").parameter("k", k).parameter("y", "0", false);
  model.event("E", comparison + "(x, k)", {{"y", "y + 1"}}, {.initial_value = initial_value});
  return model;
}

TEST(SbmlOverrides, TriggersBeginOnTheSideOfTheValuesThatAreSet) {
  for (const char* comparison : {"gt", "geq", "lt", "leq"})
    for (const bool initial_value : {true, false})
      for (const char* k : {"3", "5", "8", "30"}) {
        SCOPED_TRACE(std::string(comparison) + " " + k + (initial_value ? " true" : " false"));
        const double twin = at_end(crossing("5", k, comparison, initial_value), "y", 10.0);
        const SbmlModel model = crossing("5", "10", comparison, initial_value);
        EXPECT_EQ(at_end(model, "y", 10.0, {{"k", std::stod(k)}}), twin);
        EXPECT_EQ(at_end(model, "y", 10.0, {{"k.value", std::stod(k)}}), twin);
      }
}

TEST(SbmlOverrides, TriggersBeginOnTheSideOfTheStartValuesThatAreSet) {
  for (const char* comparison : {"gt", "geq", "lt"})
    for (const bool initial_value : {true, false})
      for (const char* x : {"2", "10", "20"}) {
        SCOPED_TRACE(std::string(comparison) + " " + x + (initial_value ? " true" : " false"));
        const double twin = at_end(crossing(x, "10", comparison, initial_value), "y", 10.0);
        const SbmlModel model = crossing("5", "10", comparison, initial_value);
        EXPECT_EQ(at_end(model, "y", 10.0, {{"x", std::stod(x)}}), twin);
        EXPECT_EQ(at_end(model, "y", 10.0, {{"x.initial", std::stod(x)}}), twin);
      }
}

TEST(SbmlOverrides, TriggersBeginOnTheSideThatRulesGiveThem) {
  // w = x·k and the concentration of what is given as an amount, 6/size
  SbmlModel model;
  model.compartment("C", "size='2'").species("S", "initialAmount='6' boundaryCondition='true'");
  model.parameter("x", "1", false).rate("x", "1").parameter("k", "1").parameter("y", "0", false);
  model.parameter("w", "", false).assignment("w", "x*k");
  model.event("E", "gt(w, 5 + S - S)", {{"y", "y + 1"}}).event("D", "lt(S - time, 1)", {{"y", "y + 10"}});
  model.parameter("z", "", false).initial("z", "S").rate("z", "0");
  EXPECT_EQ(at_end(model, "y", 8.0), 11.0);                // w = 5 at 4, S = 3 < 1 + t from 2
  EXPECT_EQ(at_end(model, "y", 8.0, {{"k", 6.0}}), 10.0);  // w = 6 at the start
  EXPECT_EQ(at_end(model, "y", 8.0, {{"C", 12.0}}), 1.0);  // S = 1/2 at the start
}

TEST(SbmlOverrides, TriggersOfAlgebraicRulesBeginOnTheSideThatTheRunFinds) {
  // 0 = w − 2x
  for (const char* comparison : {"gt", "geq", "lt", "leq"})
    for (const bool initial_value : {true, false})
      for (const double k : {3.0, 14.0, 90.0}) {
        SCOPED_TRACE(std::string(comparison) + (initial_value ? " true " : " false ") + std::to_string(k));
        const double twin =
            at_end(crossing("5", "1", comparison, initial_value), "y", 10.0, {{"k", k / 2.0}});
        SbmlModel model;
        model.parameter("x", "5", false).rate("x", "1").parameter("k", "10").parameter("y", "0", false);
        model.parameter("w", "", false).algebraic("w - 2*x");
        model.event("E", std::string(comparison) + "(w, k)", {{"y", "y + 1"}},
                    {.initial_value = initial_value});
        EXPECT_EQ(at_end(model, "y", 10.0, {{"k", k}}), twin);
      }
}

TEST(SbmlOverrides, TriggersOfConcentrationsBeginOnTheSideOfTheAmountThatIsSet) {
  // S = S.amount/C with C' = 1 from 2, against 4: falls below at C = S.amount/4
  SbmlModel model;
  model.compartment("C", "size='2'", false).rate("C", "1").parameter("y", "0", false);
  model.species("S", "initialAmount='6'").event("E", "lt(S, 4)", {{"y", "y + 1"}});
  EXPECT_EQ(at_end(model, "y", 5.0), 0.0);
  EXPECT_EQ(at_end(model, "y", 5.0, {{"S.amount", 16.0}}), 1.0);
  EXPECT_EQ(at_end(model, "y", 5.0, {{"S.initial", 8.0}}), 1.0);
  EXPECT_EQ(at_end(model, "y", 5.0, {{"C", 1.0}}), 1.0);
  EXPECT_EQ(at_end(model, "y", 1.5, {{"S.amount", 16.0}}), 0.0);
}

TEST(SbmlOverrides, VariablesThatOthersBeginWithBeginWithTheSameParameter) {
  SbmlModel model;
  model.parameter("x", "5", false)
      .rate("x", "1")
      .parameter("z", "", false)
      .initial("z", "2*x")
      .rate("z", "0");
  for (const char* name : {"x", "x.initial"}) {
    EXPECT_EQ(at_end(model, "z", 1.0, {{name, 7.0}}), 14.0);
    EXPECT_NEAR(at_end(model, "x", 1.0, {{name, 7.0}}), 8.0, 1e-6);
  }
}

TEST(SbmlOverrides, WhatBeginsByTimeBeginsAtZero) {
  SbmlModel trigger;
  trigger.parameter("y", "0", false).event("E", "geq(time, 5)", {{"y", "y + 1"}});
  EXPECT_EQ(at_end(trigger, "y", 20.0), 1.0);
  EXPECT_EQ(fault_of(trigger, {}, 10.0), "bad-option /experiment/start");
  SbmlModel assigned;
  assigned.parameter("y", "", false).initial("y", "time + 1").rate("y", "0");
  EXPECT_EQ(fault_of(assigned, {}, 10.0), "bad-option /experiment/start");
  EXPECT_EQ(at_end(crossing("5", "10", "gt", true), "y", 20.0, {}, 10.0), 1.0);
}

/// n: 0, then 3 from 1 on; y' = 1 where n > p.
SbmlModel counter(const std::string& p) {
  SbmlModel model;
  model.parameter("n", "0", false).parameter("p", p).parameter("y", "0", false).parameter("other", "1");
  model.rate("y", "piecewise(1, gt(n, p), 0)").event("E", "geq(time, 1)", {{"n", "3"}});
  return model;
}

TEST(SbmlOverrides, WhatIsComparedAsWholeStaysWhole) {
  for (const char* p : {"-1", "2", "3", "4"})
    EXPECT_NEAR(at_end(counter("2"), "y", 3.0, {{"p", std::stod(p)}}), at_end(counter(p), "y", 3.0), 1e-6);
  EXPECT_NEAR(at_end(counter("2.6"), "y", 3.0), 2.0, 1e-5);  // compared as it is
  EXPECT_EQ(fault_of(counter("2"), {{"p", 2.6}}), "not-finite /parameters/p.value.is_whole");
  EXPECT_EQ(fault_of(counter("2"), {{"p", 3.0 - 1e-9}}), "not-finite /parameters/p.value.is_whole");
  EXPECT_EQ(fault_of(counter("2"), {{"n", 0.5}}), "not-finite /parameters/n.initial.is_whole");
  EXPECT_EQ(fault_of(counter("2"), {{"other", 0.5}}), "");
}

TEST(SbmlOverrides, IncrementsOfCountersStayWhole) {
  SbmlModel model;
  model.parameter("n", "0", false).parameter("y", "0", false).parameter("step", "1");
  model.event("E1", "geq(time, 1)", {{"n", "n + step"}}).event("E2", "geq(time, 2)", {{"n", "n + step"}});
  model.event("E3", "geq(n, 2)", {{"y", "100"}});
  EXPECT_EQ(at_end(model, "y", 3.0), 100.0);
  EXPECT_EQ(at_end(model, "y", 1.5, {{"step", 2.0}}), 100.0);
  EXPECT_EQ(fault_of(model, {{"step", 0.8}}), "not-finite /parameters/step.value.is_whole");
}

TEST(SbmlOverrides, PrioritiesThatChangeAtAnyDepthAreThoseOfTheRun) {
  const auto with = [](const std::string& priority) {
    SbmlModel model;
    model.parameter("y", "0", false).parameter("x", "0", false).rate("x", "1").parameter("k", "3");
    model.event("A", "geq(x, 10)", {{"y", "1"}}, {.priority = priority});
    model.event("B", "geq(x, 10)", {{"y", "2"}}, {.priority = "5"});
    return model;
  };
  // At t = 10 they are 21, 10, 13 and 3; at the start 1, 0, 3 and 3.
  for (const char* priority : {"1 + 2*time", "time", "k + x"})
    EXPECT_EQ(at_end(with(priority), "y", 20.0), 2.0) << priority;
  EXPECT_EQ(at_end(with("4 - rateOf(x)"), "y", 20.0), 1.0);
  EXPECT_EQ(at_end(with("7*k"), "y", 20.0), 2.0);  // A first: what B assigns stays
  EXPECT_EQ(at_end(with("k"), "y", 20.0), 1.0);
}

}  // namespace sbml_overrides_test
}  // namespace mti
