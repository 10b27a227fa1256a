// Starts that initial equations determine, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/transform/scenario_start.hpp"
#include "solvers/diagnosis/diagnosis.hpp"
#include "solvers/equilibria/equilibrium.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/stepping/run.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti::test {
namespace initial_equations_test {

StateSource free_state(std::string name, double guess = 0.0) {
  return {.name = std::move(name), .start = guess, .fixed = false};
}

double first(const Trajectory& run, const std::string& name) { return run.value(0, run.column(name)); }

/// Two rooms: C1 T1' = P − G (T1 − T2), C2 T2' = G (T1 − T2) − H (T2 − Ta).
Source rooms(std::vector<RelationSource> initial) {
  return {.parameters = {{"P", 600.0}, {"G", 30.0}, {"H", 50.0}, {"Ta", -4.0}},
          .states = {free_state("T1", 20.0), free_state("T2", 20.0)},
          .equations = {"9e4*der(T1) = P - G*(T1 - T2)", "4e5*der(T2) = G*(T1 - T2) - H*(T2 - Ta)"},
          .initial = std::move(initial)};
}

// T = 20 − 0.1·on: with 19.9 both values are possible, and the declared one counts, whatever the guess.
TEST(InitialEquations, GuessesAreNoMemory) {
  for (const bool initial : {false, true})
    for (const double guess : {10.0, 20.0, 30.0}) {
      const Source source{
          .states = {free_state("T", guess)},
          .algebraic = {{"on"}},
          .equations = {"der(T) = 20 - T - 0.1*on",
                        std::string("on = hysteresis(T, 19, 21, initial ") + (initial ? "1)" : "0)")},
          .initial = {"der(T) = 0"}};
      const Trajectory run = simulate(build(source), {.stop = 1.0, .rtol = 1e-9, .atol = 1e-9});
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_NEAR(first(run, "T"), initial ? 19.9 : 20.0, 1e-9) << guess;
      EXPECT_EQ(first(run, "on"), initial ? 1.0 : 0.0) << guess;
    }
}

// T2 = Ta + P/H = 8, T1 = T2 + P/G = 28.
TEST(InitialEquations, SteadyStartOfALinearModel) {
  const Trajectory run =
      simulate(build(rooms({"der(T1) = 0", "der(T2) = 0"})), {.stop = 3600.0, .rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(first(run, "T1"), 28.0, 1e-12);
  EXPECT_NEAR(first(run, "T2"), 8.0, 1e-12);
  EXPECT_NEAR(last(run, "T1"), 28.0, 1e-7) << "it stays there";
  EXPECT_TRUE(run.events.empty());
  EXPECT_TRUE(run.warnings.empty());
}

// T1 = T2 and T2' = 0: 0 = −H (T2 − Ta).
TEST(InitialEquations, EqualTemperatures) {
  const Trajectory run = simulate(build(rooms({"T1 = T2", "der(T2) = 0"})), {.stop = 1.0});
  EXPECT_NEAR(first(run, "T1"), -4.0, 1e-12);
  EXPECT_NEAR(first(run, "T2"), -4.0, 1e-12);
}

// Negative control: without the key the same file begins at its start values, and at the same bits as one that never had it.
TEST(InitialEquations, FixedStartsAreWhatTheyAre) {
  Source fixed = rooms({});
  for (StateSource& state : fixed.states) state.fixed = true;
  const Trajectory run = simulate(build(fixed), {.stop = 3600.0});
  EXPECT_EQ(first(run, "T1"), 20.0);
  EXPECT_EQ(first(run, "T2"), 20.0);
  Model model = build(rooms({"der(T1) = 0", "der(T2) = 0"}));
  model.fix_start();
  expect_identical(run, simulate(model, {.stop = 3600.0}));
}

TEST(InitialEquations, AFixedStateKeepsItsStart) {
  Source source = rooms({"der(T1) = 0"});
  source.states[1] = {.name = "T2", .start = 5.0};
  const Trajectory run = simulate(build(source), {.stop = 1.0});
  EXPECT_EQ(first(run, "T2"), 5.0);
  EXPECT_NEAR(first(run, "T1"), 25.0, 1e-12);  // T2 + P/G
}

// x² + x = 6 has the roots 2 and −3: the guess decides.
TEST(InitialEquations, TheGuessChoosesAmongRoots) {
  for (const double guess : {5.0, -5.0}) {
    const Trajectory run = simulate(
        build({.states = {free_state("x", guess)}, .equations = {"der(x) = -x"}, .initial = {"x^2 + x = 6"}}),
        {.stop = 1.0});
    EXPECT_NEAR(first(run, "x"), guess > 0 ? 2.0 : -3.0, 1e-12);
  }
}

// A flow is given, of which the level follows: h = (q/c)².
TEST(InitialEquations, AnAlgebraicConditionDeterminesAState) {
  const Trajectory run = simulate(build({.states = {free_state("h", 1.0)},
                                         .algebraic = {{.name = "q", .start = 1.0}},
                                         .equations = {"der(h) = 0.3 - q", "q = 0.5*sqrt(h)"},
                                         .initial = {"q = 0.3"}}),
                                  {.stop = 1.0, .rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(first(run, "h"), 0.36, 1e-12);  // (0.3/0.5)²
}

Source pendulum(double x, double y, bool free = true) {
  return {.states = {{.name = "x", .start = x, .fixed = !free},
                     {.name = "y", .start = y, .fixed = !free},
                     {.name = "vx", .fixed = !free},
                     {.name = "vy", .fixed = !free}},
          .algebraic = {{.name = "force", .start = 1.0}},
          .equations = {"der(x) = vx", "der(y) = vy", "der(vx) = -force*x", "der(vy) = -force*y - 9.81",
                        RelationSource("rod", "x^2 + y^2 = 4")}};
}

// Index 3, two degrees of freedom: rest at x = 0, y = −2 with force = 9.81/2.
TEST(InitialEquations, PendulumAtRest) {
  Source source = pendulum(0.3, -1.9);
  source.initial = {"der(x) = 0", "der(vx) = 0"};
  const Trajectory run = simulate(build(source), {.stop = 2.0, .rtol = 1e-8, .atol = 1e-8});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(first(run, "x"), 0.0, 1e-12);
  EXPECT_NEAR(first(run, "y"), -2.0, 1e-12);
  EXPECT_NEAR(first(run, "force"), 9.81 / 2.0, 1e-11);
  EXPECT_NEAR(last(run, "y"), -2.0, 1e-7);
  EXPECT_TRUE(run.warnings.empty());
}

// A row for each of the four free states: two of them follow from the others, which hold.
TEST(InitialEquations, RowsThatFollowFromOthersAreReported) {
  Source source = pendulum(0.3, -1.9);
  source.initial = {"der(x) = 0", "der(y) = 0", "der(vx) = 0", "der(vy) = 0"};
  const Trajectory run = simulate(build(source), {.stop = 1.0});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(first(run, "y"), -2.0, 1e-9);
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_NE(run.warnings[0].find("follow from"), std::string::npos) << run.warnings[0];
}

// x and y' are given: y = −√(4 − x²), x x' + y y' = 0.
TEST(InitialEquations, PendulumByPositionAndSpeed) {
  Source source = pendulum(1.0, -1.5);
  source.initial = {"x = 1.2", "vx = 0.4"};
  const Trajectory run = simulate(build(source), {.stop = 1.0});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(first(run, "x"), 1.2, 1e-12);
  EXPECT_NEAR(first(run, "y"), -1.6, 1e-11);
  EXPECT_NEAR(first(run, "vy"), 1.2 * 0.4 / 1.6, 1e-11);
}

// Index 2: an inductor behind a capacitor that is driven, u = 3 sin: x = u gives x' = i. The free start of x needs no row.
TEST(InitialEquations, IndexTwoNeedsNoRowForWhatItsConstraintsFix) {
  const Trajectory run = simulate(
      build({.states = {free_state("x", 7.0), free_state("w", 1.0)},
             .inputs = {{.name = "u", .form = SineSource{.amplitude = 3.0, .frequency = 0.5, .offset = 2.0}}},
             .algebraic = {{.name = "i"}},
             .equations = {"der(x) = i", "x = u", "der(w) = i - w"},
             .initial = {"der(w) = 0"}}),
      {.stop = 1.0});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const double slope = 3.0 * 3.14159265358979323846;  // 2π·f·amplitude
  EXPECT_NEAR(first(run, "x"), 2.0, 1e-11);
  EXPECT_NEAR(first(run, "w"), slope, 1e-10);
}

// Heated below 19, not above 21: with der(T) = 0 only the heater that is off has its equilibrium, T = Ta = 24, inside.
Source thermostat(double ambient, double on) {
  return {.parameters = {{"Ta", ambient}},
          .states = {free_state("T", 20.0)},
          .binaries = {{.name = "on", .start = on}},
          .equations = {"der(T) = Ta - T + 12*on"},
          .constraints = {RelationSource("cold", "(19 - T)*(1 - on) <= 0"),
                          RelationSource("warm", "(T - 21)*on <= 0")},
          .initial = {"der(T) = 0"}};
}

TEST(InitialEquations, TheModeThatAdmitsTheStartIsFound) {
  const Model model = build(thermostat(24.0, 1.0));
  mti::Run run(model, {.stop = 1.0});
  ASSERT_FALSE(run.ended()) << run.outcome().message;
  EXPECT_EQ(run.mode().z, std::vector<char>{0});
  EXPECT_NEAR(run.v()[1], 24.0, 1e-12);
  // With on: T = 8 + 12 = 20 is inside of [.., 21]; with off T = 8 is too cold.
  const Model heated = build(thermostat(8.0, 0.0));
  mti::Run warm(heated, {.stop = 1.0});
  ASSERT_FALSE(warm.ended()) << warm.outcome().message;
  EXPECT_EQ(warm.mode().z, std::vector<char>{1});
  EXPECT_NEAR(warm.v()[1], 20.0, 1e-12);
}

// At Ta = 15 both equilibria, 15 and 27, lie outside of their modes.
TEST(InitialEquations, NoModeAdmitsTheStart) {
  const Trajectory run = simulate(build(thermostat(15.0, 0.0)), {.stop = 1.0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(run.outcome.message.find("unchanged: violates cold"), std::string::npos) << run.outcome.message;
  EXPECT_NE(run.outcome.message.find("on = 1: violates warm"), std::string::npos) << run.outcome.message;
}

// A chain of independent thermostats, each with one mode: the search takes them apart, 2^24 modes would not end.
TEST(InitialEquations, IndependentPartsAreSearchedApart) {
  Source source;
  const int rooms = 24;
  for (int i = 0; i < rooms; ++i) {
    const std::string k = std::to_string(i), T = "T" + k, on = "on" + k;
    source.states.push_back(free_state(T, 20.0));
    source.binaries.push_back({.name = on, .start = i % 2 == 0 ? 1.0 : 0.0});
    source.equations.emplace_back("der(" + T + ") = " + (i % 3 == 0 ? "24" : "8") + " - " + T + " + 12*" +
                                  on);
    source.constraints.emplace_back("(19 - " + T + ")*(1 - " + on + ") <= 0");
    source.constraints.emplace_back("(" + T + " - 21)*" + on + " <= 0");
    source.initial.emplace_back("der(" + T + ") = 0");
  }
  const Trajectory run = simulate(build(source), {.stop = 0.1});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (int i = 0; i < rooms; ++i)
    EXPECT_NEAR(first(run, "T" + std::to_string(i)), i % 3 == 0 ? 24.0 : 20.0, 1e-11);
  EXPECT_LT(run.statistics.candidates, 200);
}

TEST(InitialEquations, TooFewAreNamed) {
  const Trajectory run = simulate(build(rooms({"T1 = T2"})), {.stop = 1.0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(run.outcome.message.find("too few initial equations: the start of T1, T2 is left open by initial "
                                     "equations initial1"),
            std::string::npos)
      << run.outcome.message;
}

TEST(InitialEquations, ContradictionsAreNamed) {
  const Trajectory run = simulate(build(rooms({RelationSource("equal", "T1 = T2"),
                                               RelationSource("apart", "T1 = T2 + 3"), "der(T2) = 0"})),
                                  {.stop = 1.0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(run.outcome.message.find("no start fulfils initial equations equal, apart"), std::string::npos)
      << run.outcome.message;
  EXPECT_EQ(run.outcome.message.find("initial3"), std::string::npos) << run.outcome.message;
}

// A row too many that contradicts a fixed start names it.
TEST(InitialEquations, AFixedStartThatContradictsIsNamed) {
  Source source = rooms({"der(T1) = 0", "T2 = 6"});
  source.states[1] = {.name = "T2", .start = 5.0};
  const Trajectory run = simulate(build(source), {.stop = 1.0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(run.outcome.message.find("initial2"), std::string::npos) << run.outcome.message;
  EXPECT_NE(run.outcome.message.find("(fixed: T2)"), std::string::npos) << run.outcome.message;
}

TEST(InitialEquations, ARunThatGoesOnDoesNotSolveThemAgain) {
  const Model model =
      build({.states = {free_state("x", 1.0)}, .equations = {"der(x) = 1 - x"}, .initial = {"x = 3"}});
  const SimulationOptions options{.stop = 2.0, .rtol = 1e-9, .atol = 1e-9};
  mti::Run run(model, options);
  run.advance(1.0);
  const SavedRun saved = run.save();
  mti::Run later(model, options, saved);
  later.advance(2.0);
  EXPECT_NEAR(later.v()[1], 1.0 + 2.0 * std::exp(-2.0), 1e-7);
}

TEST(InitialEquations, CheckSaysThatNoRunCanBegin) {
  const Diagnosis diagnosis = diagnose(build(rooms({"T1 = T2"})));
  ASSERT_EQ(diagnosis.errors(), 1U);
  EXPECT_EQ(diagnosis.remarks[0].id, "no-consistent-start");
  EXPECT_EQ(diagnose(build(rooms({"T1 = T2", "der(T2) = 0"}))).errors(), 0U);
}

// An equilibrium and a steady start are the same point.
TEST(InitialEquations, ASteadyStartIsAnEquilibrium) {
  const Model model = build(rooms({"der(T1) = 0", "der(T2) = 0"}));
  const EquilibriumSearch search = find_equilibria(model);
  ASSERT_EQ(search.equilibria.size(), 1U);
  EXPECT_TRUE(search.equilibria[0].rests);
  const std::vector<LinearizationPoint> points = points_of_run(model, {.times = {0.0}});
  ASSERT_EQ(points.size(), 1U);
  for (const int row : {2, 3})
    EXPECT_NEAR(points[0].v[at(row)], search.equilibria[0].linearization.v[at(row)], 1e-10);
}

// What a mode's equations determine of x at each time, x = u: its slope, of which an initial equation speaks, is u'.
TEST(InitialEquations, SlopesOfStatesThatAreAlgebraic) {
  const Trajectory run =
      simulate(build({.states = {{.name = "x", .start = 0.0, .fixed = false}, free_state("a", 1.0)},
                      .inputs = {{.name = "u", .form = TableSource{.time = {0.0, 1.0}, .value = {1.0, 6.0}}}},
                      .equations = {"x = u", "der(a) = -a"},
                      .initial = {"a = der(x)"}}),
               {.stop = 0.5});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(first(run, "a"), 5.0, 1e-11);
}

Model clutch() {
  return build({.states = {{.name = "w1", .start = 7.0}, {.name = "w2", .start = 7.0}},
                .inputs = {{.name = "g", .form = Number(0.0), .binary = true}},
                .algebraic = {{.name = "t1"}, {.name = "t2"}},
                .equations = {"der(w1) = -0.5*w1 + t1", "der(w2) = -w2 + 3 + t2", "t1 + t2 = 0",
                              "g*(w1 - w2) + (1 - g)*t1 = 0"},
                .scenarios = {{.name = "at rest", .modes = "not g", .equations = {"der(w2) = 0", "w1 = 1"}},
                              {.name = "engaged", .modes = "g", .equations = {"w1 = 1"}}}});
}

TEST(Scenarios, AreStartsOfRuns) {
  const Trajectory run = simulate(with_scenario(clutch(), "at rest"), {.stop = 1.0});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(first(run, "w1"), 1.0, 1e-12);
  EXPECT_NEAR(first(run, "w2"), 3.0, 1e-12);
  EXPECT_EQ(first(simulate(clutch(), {.stop = 1.0}), "w1"), 7.0) << "without it nothing changes";
}

TEST(Scenarios, HoldInTheirModesOnly) {
  const Trajectory run = simulate(with_scenario(clutch(), "engaged"), {.stop = 1.0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(run.outcome.message.find("not among the modes of the scenario"), std::string::npos)
      << run.outcome.message;
}

TEST(Scenarios, AnUnknownNameIsRefused) {
  try {
    static_cast<void>(with_scenario(clutch(), "at rst"));
    FAIL() << "expected a fault";
  } catch (const InvalidOption& refused) {
    EXPECT_EQ(refused.faults()[0].id, "unknown-scenario");
    EXPECT_NE(refused.faults()[0].message.find("did you mean at rest?"), std::string::npos);
  }
}

}  // namespace initial_equations_test
}  // namespace mti::test
