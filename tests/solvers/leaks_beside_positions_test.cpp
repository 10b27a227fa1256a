// Diodes that leak in modes with conditions on positions: coils in series, inertias that are rigidly joined, a motor that sticks. The
// same physics without such a condition, or without the leakage, tells what is right.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace leaks_beside_positions_test {

/// A sine of 100 V behind an inductance, and a diode that charges 10 µF beside 100 Ω and what `load` draws.
Source rectifier(double leak, const std::string& load = "") {
  Source source;
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 100.0, .frequency = 50.0}}};
  source.states = {{"c", 0.0}};
  for (const char* name : {"i", "v", "k"}) source.algebraic.push_back({name});
  source.binaries = {{"z"}};
  source.parameters = {{"G", leak}};
  for (const std::string& equation : {std::string("k - c = -v"), std::string("z*v + (1 - z)*(i + G*v) = 0"),
                                      "1e-5*der(c) = i - c/100" + load})
    source.equations.emplace_back(equation);
  source.constraints = {"i + G*v >= 0", "v >= 0"};
  source.experiment.stop = 0.05;
  return source;
}

Source with_one_coil(Source source) {
  source.states.push_back({"a", 0.0});
  source.equations.emplace_back("2e-3*der(a) = u - k");
  source.equations.emplace_back("a = i");
  return source;
}

Source with_two_coils(Source source) {
  source.states.push_back({"a", 0.0});
  source.states.push_back({"b", 0.0});
  source.algebraic.push_back({"e"});
  for (const char* equation : {"1e-3*der(a) = u - e", "1e-3*der(b) = e - k", "a = i", "b = i"})
    source.equations.emplace_back(equation);
  return source;
}

/// Two inertias of 1 that are one, or one of 2.
Source with_inertias(Source source, bool joined) {
  source.states.push_back({"w1", 0.0});
  if (joined) {
    source.states.push_back({"w2", 0.0});
    source.algebraic.push_back({"M"});
    for (const char* equation : {"der(w1) = 0.1*c - M", "der(w2) = M - w2", "w1 = w2"})
      source.equations.emplace_back(equation);
  } else {
    source.equations.emplace_back("2*der(w1) = 0.1*c - w1");
  }
  return source;
}

Source with_dry_friction(Source source) {
  source.states.push_back({"w1", 0.0});
  source.equations.emplace_back("2*der(w1) = 0.01*c - w1 - 0.5*sign(w1)");
  return source;
}

void expect_same(const Source& source, const Source& reference, const std::string& what) {
  SimulationOptions options = test::with_accuracy(1e-9);
  const Trajectory expected = test::run(reference, options);
  ASSERT_EQ(expected.outcome.kind, OutcomeKind::reached_stop) << what << expected.outcome.message;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    options.rtol = tolerance;
    options.atol = 1e-8;
    const Trajectory run = test::run(source, options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << what << run.outcome.message;
    const double c = test::last(expected, "c");
    EXPECT_NEAR(test::last(run, "c"), c, 10.0 * tolerance * c + 1e-6) << what << " " << tolerance;
  }
}

TEST(LeaksBesidePositions, TurnOnBehindCoilsInSeries) {
  for (const double leak : {1e-8, 1e-10, 1e-12})
    expect_same(with_two_coils(rectifier(leak)), with_one_coil(rectifier(leak)), std::to_string(leak));
}

/// With one coil and an ideal diode, by SciPy's Radau at rtol = 1e-11 between the diode's events; what leaks makes some 10⁴ V/S.
TEST(LeaksBesidePositions, ChargeTheCapacitorAsAnotherSolverSays) {
  for (const double leak : {1e-8, 1e-10}) {
    const Trajectory run = test::run(with_two_coils(rectifier(leak)), test::with_accuracy(1e-8));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(test::last(run, "c"), 11.61304594, 1e-6 + 1e4 * leak) << leak;
  }
}

TEST(LeaksBesidePositions, TurnOnBesideJoinedInertias) {
  for (const double leak : {1e-8, 1e-10}) {
    const Source with_emf = with_one_coil(rectifier(leak, " - 0.001*w1"));
    expect_same(with_inertias(with_emf, true), with_inertias(with_emf, false), std::to_string(leak));
  }
}

TEST(LeaksBesidePositions, TurnOnWhileAMotorSticks) {
  const auto driven = [](double leak) {
    return with_dry_friction(with_one_coil(rectifier(leak, " - 0.001*w1")));
  };
  expect_same(driven(1e-10), driven(1e-14), "sticking");
}

}  // namespace leaks_beside_positions_test
}  // namespace mti
