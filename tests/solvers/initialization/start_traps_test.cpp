// Starts that are solved for where a mode could be excluded for the wrong reason, where Newton's method is far off, and where
// binaries settle after the start. Against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/transform/scenario_start.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti::test {
namespace start_traps_test {

StateSource free_state(std::string name, double guess = 0.0) {
  return {.name = std::move(name), .start = guess, .fixed = false};
}

Source free_x(std::vector<BinarySource> binaries, std::vector<RelationSource> equations,
              std::vector<RelationSource> constraints, std::vector<RelationSource> initial) {
  return {.states = {free_state("x")},
          .binaries = std::move(binaries),
          .equations = std::move(equations),
          .constraints = std::move(constraints),
          .initial = std::move(initial)};
}

double first(const Trajectory& run, const std::string& name) { return run.value(0, run.column(name)); }

Trajectory start_of(const Source& source) {
  return simulate(build(source), {.stop = 1e-3, .max_seconds = 20.0});
}

// x = 5 with a = 1, by an output o of a; x = 4 with b = c = 1 takes one decider more.
TEST(StartTraps, AModeIsNotExcludedByItsOutputs) {
  for (const char* o : {"o", "a"}) {
    std::vector<BinarySource> binaries = {{"a"}, {"b"}, {"c"}};
    std::vector<RelationSource> equations = {std::string("der(x) = 4*b*c - x + 5*") + o};
    if (*o == 'o') binaries.push_back({"o"}), equations.emplace_back("o = a");
    const Trajectory run =
        start_of(free_x(binaries, equations, {"3 - x <= 0", "a + b + c - 3 <= 0"}, {"der(x) = 0"}));
    ASSERT_GT(run.size(), 0U) << run.outcome.message;
    EXPECT_NEAR(first(run, "x"), 5.0, 1e-9) << o;
    EXPECT_EQ(first(run, "a"), 1.0) << o;
  }
}

// Many outputs of one decider.
TEST(StartTraps, OfManyOutputsOneDeciderIsLeft) {
  for (const int count : {1, 30, 33, 40}) {
    std::vector<BinarySource> binaries = {{"a"}};
    std::vector<RelationSource> equations = {"der(x) = 5*a - x"};
    for (int k = 0; k < count; ++k) {
      const std::string name = "o" + std::to_string(k);
      binaries.push_back({name});
      equations.emplace_back(name + " = a");
    }
    equations[0] = RelationSource("der(x) = 5*o" + std::to_string(count - 1) + " - x");
    const Trajectory run = start_of(free_x(binaries, equations, {"3 - x <= 0"}, {"der(x) = 0"}));
    ASSERT_GT(run.size(), 0U) << count << " " << run.outcome.message;
    EXPECT_NEAR(first(run, "x"), 5.0, 1e-9) << count;
  }
}

// A row that holds no unknown fails by its own binaries alone: 0 = 1 + z − x at z = 1.
TEST(StartTraps, ARowOfBinariesAloneExcludesItsOwnModesOnly) {
  const Trajectory run =
      start_of(free_x({{"z"}}, {"der(x) = 1 + z - x"}, {"x - 100 <= 0"}, {"der(x) = 0", "z = 1"}));
  ASSERT_GT(run.size(), 0U) << run.outcome.message;
  EXPECT_EQ(first(run, "z"), 1.0);
  EXPECT_NEAR(first(run, "x"), 2.0, 1e-9);
}

// a = −1 is one of three roots; which one is found may hang on w, which has nothing to do with it.
TEST(StartTraps, OneRootOfSeveralExcludesNothing) {
  Source source = free_x({{"zb"}}, {"der(x) = -x", "der(w) = zb - w"}, {"x + 0.5 <= 0"},
                         {"x^3 = x", "(1 - zb)*(w^2 - 9) + zb*(w - 3) = 0"});
  source.states[0].start = 0.5;
  source.states.push_back(free_state("w", 0.5));
  const Trajectory run = start_of(source);
  ASSERT_GT(run.size(), 0U) << run.outcome.message;
  EXPECT_NEAR(first(run, "x"), -1.0, 1e-9);
  EXPECT_NEAR(first(run, "w"), 3.0, 1e-9);
}

// T h' = q − √h/2 rests at h = (2q)², however slow it is.
TEST(StartTraps, SlowModelsHaveTheirSteadyStart) {
  for (const double T : {1.0, 1e2, 1e4, 1e6, 1e8})
    for (const double q : {0.1, 0.3, 0.8, 2.0, 5.0}) {
      Source source = {.parameters = {{"T", T}, {"q", q}},
                       .states = {free_state("h", 1.0)},
                       .algebraic = {{"r"}},
                       .equations = {"T*der(h) = q - 0.5*r", "r = sqrt(h)"},
                       .initial = {"der(h) = 0"}};
      const Trajectory run = simulate(build(source), {.stop = T});
      ASSERT_GT(run.size(), 0U) << T << " " << q << " " << run.outcome.message;
      EXPECT_NEAR(first(run, "h"), 4.0 * q * q, 1e-6 * 4.0 * q * q) << T << " " << q;
    }
}

TEST(StartTraps, AGuessWhereASlopeIsInfiniteIsLeft) {
  Source source = {.states = {free_state("h")},
                   .algebraic = {{"q"}},
                   .equations = {"der(h) = 0.3 - q", "q = 0.5*sqrt(h)"},
                   .initial = {"q = 0.3"}};
  const Trajectory run = start_of(source);
  ASSERT_GT(run.size(), 0U) << run.outcome.message;
  EXPECT_NEAR(first(run, "h"), 0.36, 1e-9);
}

// In the first mode nothing is unknown at all.
TEST(StartTraps, AModeWithoutUnknownsIsPassedOver) {
  const Trajectory run = start_of(free_x({{"z", 1.0}}, {"(1 - z)*(der(x) + x - 2) = 0"}, {}, {"der(x) = 1"}));
  ASSERT_GT(run.size(), 0U) << run.outcome.message;
  EXPECT_EQ(first(run, "z"), 0.0);
  EXPECT_NEAR(first(run, "x"), 1.0, 1e-9);
}

// o1, o2 and o3 follow one after the other; with o3 = 1 nothing is at rest at x = 2.
TEST(StartTraps, InitialEquationsHoldOnceBinariesHaveSettled) {
  const Trajectory run = start_of(free_x({{"a"}, {"o1"}, {"o2"}, {"o3"}},
                                         {"der(x) = 2 - x + 5*o3", "o1 = a", "o2 = pre(o1)", "o3 = pre(o2)"},
                                         {"1 - a <= 0"}, {"der(x) = 0"}));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
}

// q parts that are each left open by z = 1: part by part, not 2^q modes.
TEST(StartTraps, OpenPartsAreLeftOneByOne) {
  constexpr int parts = 20;
  Source source;
  for (int k = 0; k < parts; ++k) {
    const std::string i = std::to_string(k);
    source.states.push_back(free_state("T" + i, 20.0));
    source.binaries.push_back({"z" + i, 1.0});
    source.equations.emplace_back("der(T" + i + ") = (1 - z" + i + ")*(24 - T" + i + ")");
    source.constraints.emplace_back("z" + i + "*(T" + i + " - 1000) <= 0");
    source.initial.emplace_back("der(T" + i + ") = 0");
  }
  const Trajectory run = start_of(source);
  ASSERT_GT(run.size(), 0U) << run.outcome.message;
  for (int k = 0; k < parts; ++k) EXPECT_NEAR(first(run, "T" + std::to_string(k)), 24.0, 1e-9);
  EXPECT_LE(run.statistics.candidates, 4 * parts);
}

// Six of 24 binaries are asked for; the others stay.
TEST(StartTraps, ScenariosForModesThatAreFarAreFoundAtOnce) {
  Source source;
  source.states = {{.name = "x"}};
  std::string sum = "der(x) = 1 - x", wanted;
  for (int k = 0; k < 24; ++k) {
    const std::string z = "z" + std::to_string(k);
    source.binaries.push_back({z});
    source.constraints.emplace_back(z + "*(x - 100) <= 0");
    sum += " + " + z;
    if (k < 6) wanted += (k == 0 ? "" : " and ") + z;
  }
  source.equations = {sum};
  source.scenarios = {{.name = "six", .modes = wanted, .equations = {"x = 1"}}};
  source.states[0].fixed = true;
  const Model model = with_scenario(build(source), "six");
  const Trajectory run = simulate(model, {.stop = 1e-3, .max_seconds = 20.0});
  ASSERT_GT(run.size(), 0U) << run.outcome.message;
  for (int k = 0; k < 24; ++k) EXPECT_EQ(first(run, "z" + std::to_string(k)), k < 6 ? 1.0 : 0.0) << k;
  EXPECT_LE(run.statistics.candidates, 100);
}

// 0.1 + 0.2 is not 0.3 in the last digit.
TEST(StartTraps, RoundingOfWhatIsFixedIsNoContradiction) {
  Source source = {.states = {{.name = "x", .start = 0.1}, {.name = "y", .start = 0.2}, free_state("s")},
                   .equations = {"der(x) = -x", "der(y) = -y", "der(s) = -s"},
                   .initial = {"x + y = 0.3", "s = 1"}};
  const Trajectory run = start_of(source);
  ASSERT_GT(run.size(), 0U) << run.outcome.message;
  EXPECT_NEAR(first(run, "s"), 1.0, 1e-12);
  source.initial[0] = RelationSource("x + y = 0.3000001");
  EXPECT_EQ(start_of(source).outcome.kind, OutcomeKind::no_consistent_start);
}

TEST(StartTraps, TheScenarioThatIsTakenIsNoneAnyMore) {
  Source source = free_x({{"z"}}, {"der(x) = 1 - x + z"}, {"z*(x - 10) <= 0"}, {});
  source.states[0].fixed = true;
  source.scenarios = {{.name = "hot", .modes = "z", .equations = {"x = 1"}},
                      {.name = "cold", .equations = {"x = -1"}}};
  const Model model = with_scenario(build(source), "hot");
  for (const Scenario& scenario : model.scenarios) EXPECT_TRUE(scenario.is_initial || !scenario.name.empty());
}

/// A scenario makes the start of a state a guess, and its past is not what the file says: that is to be told.
TEST(StartTraps, ThePastOfWhatAScenarioDetermines) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}, {.name = "y"}};
  source.equations = {"der(x) = 0", "der(y) = delay(x, 1)"};
  source.scenarios = {{.name = "s", .equations = {"x = 4", "y = 0"}}};
  EXPECT_THROW(static_cast<void>(with_scenario(build(source), "s")), InvalidModel);
  source.equations[1] = "der(y) = delay(x, 1, 2)";
  const Trajectory run = simulate(with_scenario(build(source), "s"), {.stop = 2.0});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column("y")), 2.0 + 4.0, 1e-6);
}

}  // namespace start_traps_test
}  // namespace mti::test
