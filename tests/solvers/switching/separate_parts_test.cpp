// Parts of a model that share no signal: each moves as it does alone, also where another one slides or is constrained.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace separate_parts_test {

/// w' = 1 − 3f slides on w = 0 with f = 1/3.
void add_relay(Source& source) {
  source.states.push_back({"w"});
  source.binaries.push_back({"f"});
  source.equations.emplace_back("der(w) = 1 - 3*f");
  source.constraints.emplace_back("(1 - 2*f)*w <= 0");
}

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

Trajectory run_of(const Model& model, double stop, double rtol = 1e-8) {
  SimulationOptions options = test::with_accuracy(rtol);
  options.stop = stop;
  Trajectory run = simulate(model, options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  return run;
}

/// A mass that an input stops at 0, from 1, by impulses of order 2; x jumps, and so does v.
TEST(SeparateParts, AHigherIndexBeginsBesideASlide) {
  Source source;
  source.states = {{"x", 1.0}, {"v", 0.0}};
  source.inputs = {{.name = "held", .form = TableSource{{0.0, 1.0}, {0.0, 1.0}}, .binary = true}};
  source.algebraic = {{"F"}};
  source.equations = {"der(x) = v", "der(v) = F", "held*x + (1 - held)*F = 0"};
  add_relay(source);
  const Trajectory run = run_of(build(source), 1.5);
  EXPECT_NEAR(last(run, "x"), 0.0, 1e-9);
  EXPECT_NEAR(last(run, "v"), 0.0, 1e-9);
  EXPECT_NEAR(last(run, "f"), 1.0 / 3.0, 1e-9);
}

/// A body that is thrown at one that sticks, beside a relay: both go on from the impact with one velocity, and part.
TEST(SeparateParts, AnImpactIsLeftBesideASlide) {
  Source source;
  source.states = {{"x0", 0.0}, {"v0", 1.0}, {"x1", 0.5}, {"v1", 0.0}};
  source.algebraic = {{"l"}};
  source.binaries = {{"f1"}, {"z"}};
  source.equations = {"der(x0) = v0", "der(x1) = v1", "der(v0) = -0.5 - l",
                      "der(v1) = 0 - 0.3*(2*f1 - 1) + l", "z*(x1 - x0) + (1 - z)*l = 0"};
  source.constraints = {"x0 - x1 <= 0", "l >= 0", "(1 - 2*f1)*v1 <= 0"};
  const Trajectory alone = run_of(build(source), 2.0);
  add_relay(source);
  const Trajectory beside = run_of(build(source), 2.0);
  for (const char* state : {"x0", "v0", "x1", "v1"})
    EXPECT_NEAR(last(beside, state), last(alone, state), 1e-7) << state;
  // 0.5 = t − t²/4; both have (1 − t/2)/2 then, and friction takes 0.3, the other force 0.5: they part.
  const double met = 2.0 - std::sqrt(2.0), common = 0.5 * (1.0 - 0.5 * met);
  EXPECT_NEAR(last(beside, "v0"), common - 0.5 * (2.0 - met), 1e-7);
  EXPECT_NEAR(last(beside, "v1"), std::max(common - 0.3 * (2.0 - met), 0.0), 1e-7);
}

/// Rows that only hold with the slope of an input once they are put together anew, where a relay is met.
TEST(SeparateParts, RecombinedRowsBesideARelay) {
  for (const double w : {0.0, -0.3}) {
    Source source;
    source.states = {{"a", 1.0}, {"b", 0.0}, {"w", w}};
    source.inputs = {{.name = "q", .form = SineSource{1.0, 1.0, std::acos(0.0)}}};
    source.binaries = {{"f"}};
    source.equations = {"a - 0.5*time*b = q", "der(a) - 0.5*time*der(b) + 0.5*b = 0", "der(w) = 1 - 3*f"};
    source.constraints = {"(1 - 2*f)*w <= 0"};
    constexpr double stop = 0.8, rtol = 1e-8;
    const Trajectory run = run_of(build(source), stop, rtol);
    // q = cos 2πt, and the derivative of the first row less the second is −b = q'.
    const double two_pi = 4.0 * std::acos(0.0), b = two_pi * std::sin(two_pi * stop);
    EXPECT_NEAR(last(run, "b"), b, 10.0 * rtol * std::abs(b));
    EXPECT_NEAR(last(run, "a"), std::cos(two_pi * stop) + 0.5 * stop * b, 10.0 * rtol * std::abs(b));
    EXPECT_NEAR(last(run, "w"), 0.0, 10.0 * rtol);
  }
}

/// A domain ends beside a slide: the run does, too, at once.
TEST(SeparateParts, ADomainEndsBesideASlide) {
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
    Source source;
    source.states = {{"x"}};
    source.algebraic = {{"y"}};
    source.equations = {"der(x) = 1", "y = asin(x)"};
    add_relay(source);
    SimulationOptions options;
    options.stop = 3.0;
    options.integrator = integrator;
    options.max_seconds = 20.0;
    const Trajectory run = simulate(build(source), options);
    EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << run.outcome.message;
    EXPECT_NEAR(run.outcome.end_time, 1.0, 1e-6);
  }
}

/// A diode that leaks 10⁻⁹ of what it conducts, beside what slides and beside an index of 2: it turns on where the voltage rises
/// through zero, every 20 ms, and off after half a period and some more.
TEST(SeparateParts, ADiodeThatLeaksSwitchesInTime) {
  const std::vector<std::vector<std::string>> asides = {
      {}, {"p = der(m)", "m = 0"}, {"der(m) = p - m", "der(k) = -p", "m = k"}};
  for (const double rtol : {1e-4, 1e-6, 1e-8})
    for (std::size_t aside = 0; aside < asides.size(); ++aside) {
      Source source;
      source.inputs = {{.name = "e", .form = SineSource{60.0, 50.0}}};
      source.states = {{"i", 0.0}};
      source.algebraic = {{"s"}, {"u"}};
      source.binaries = {{"z", 1.0}};
      source.equations = {"0.01*der(i) = e - u - 10*i", "u = z*1e-3*s + (1 - z)*s",
                          "i = z*s + (1 - z)*1e-9*s"};
      source.constraints = {"(1 - 2*z)*s <= 0"};
      if (asides[aside].empty()) add_relay(source);
      if (!asides[aside].empty()) {
        source.states.push_back({"m"});
        source.algebraic.push_back({"p"});
        if (asides[aside].size() > 2) source.states.push_back({"k"});
        for (const std::string& equation : asides[aside]) source.equations.emplace_back(equation);
      }
      const Model model = build(source);
      const Trajectory run = run_of(model, 0.05, rtol);
      std::vector<double> on;
      for (const Event& event : run.events)
        for (const Change& change : event.changed)
          if (model.signature.row_name(change.row) == "z" && change.after > 0.5) on.push_back(event.time);
      ASSERT_EQ(on.size(), 2U) << rtol << ", " << aside;
      EXPECT_NEAR(on[0], 0.02, 10.0 * rtol * 0.05) << aside;
      EXPECT_NEAR(on[1], 0.04, 10.0 * rtol * 0.05) << aside;
    }
}

}  // namespace separate_parts_test
}  // namespace mti
