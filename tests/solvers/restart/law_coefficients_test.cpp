// What multiplies an impulse under a law: refused where it jumps, and only where that counts.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace law_coefficients_test {

/// A body of mass m reaches a wall at t = 1 with speed 1; what happens there is for the law to say.
Source body(const std::string& balance, const std::vector<std::string>& law) {
  Source source;
  source.states = {{"v", 1.0}, {"h", -1.0}, {"m", 1.0}};
  source.algebraic = {{"F", 0.0}};
  source.equations = {"der(h) = v", {"balance", balance}, {"free", "F = 0"}, {"mass", "der(m) = 0"}};
  source.constraints = {{"wall", "h <= 0"}};
  source.transitions = {{"reach(wall)", {"free", "mass"}, law}};
  source.experiment = {.stop = 3.0};
  return source;
}

struct ModelRun {
  explicit ModelRun(const Source& source) : model(build(source)), trajectory(simulate(model)) {}
  [[nodiscard]] OutcomeKind outcome() const { return trajectory.outcome.kind; }
  [[nodiscard]] const std::string& message() const { return trajectory.outcome.message; }
  [[nodiscard]] bool names(const std::string& text) const {
    return message().find(text) != std::string::npos;
  }
  /// The weight of the impulse of a signal at an event; 0: none.
  [[nodiscard]] double weight(std::size_t event, const std::string& signal) const {
    for (const Impulse& impulse : trajectory.events.at(event).impulses)
      if (model.signature.row_name(impulse.row) == signal) return impulse.weight;
    return 0.0;
  }
  Model model;
  Trajectory trajectory;
};

/// m·v' = F: with the mass before the jump F̂ = −3/2, with that after it −3, with the momentum −2.
TEST(LawCoefficients, AMassThatJumpsIsRefusedByName) {
  const ModelRun run(body("m*der(v) = F", {"v = -0.5*pre(v)", "m = 2*pre(m)"}));
  EXPECT_EQ(run.outcome(), OutcomeKind::refused_restart);
  EXPECT_NEAR(run.trajectory.outcome.end_time, 1.0, 1e-6);
  for (const char* name : {"wall", "balance", "der(v)", "(m)", "state"})
    EXPECT_TRUE(run.names(name)) << name << ": " << run.message();
}

/// The same model with the momentum as a state: F̂ = p⁺ − p⁻ = −1 − 1.
TEST(LawCoefficients, AStateForWhatIsBalancedIsTheWayOut) {
  Source source = body("m*v = p", {"p = -pre(p)", "m = 2*pre(m)"});
  source.states[0] = {"p", 1.0};
  source.algebraic.push_back({"v", 1.0});
  source.equations.push_back("der(p) = F");
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.message();
  EXPECT_NEAR(run.weight(0, "F"), -2.0, 1e-6);
  EXPECT_NEAR(test::last(run.trajectory, "v"), -0.5, 1e-6);
}

/// F̂ = m (v⁺ − v⁻) = −3/2: nothing jumps that multiplies an impulse, so nothing is refused.
TEST(LawCoefficients, AMassThatStaysIsNotRefused) {
  const ModelRun run(body("m*der(v) = F", {"v = -0.5*pre(v)", "m = pre(m)"}));
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.message();
  EXPECT_NEAR(run.weight(0, "F"), -1.5, 1e-6);
}

/// m jumps, but the speed w of the second body of mass m does not: 0·δ is 0, with whichever mass.
TEST(LawCoefficients, AMassThatJumpsWithoutAnImpulseIsNotRefused) {
  Source source = body("der(v) = F", {"v = -0.5*pre(v)", "m = 2*pre(m)"});
  source.states.push_back({"w", 1.0});
  source.algebraic.push_back({"G", 0.0});
  source.equations.push_back("m*der(w) = G");
  source.equations.push_back("G = 4");
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.message();
  EXPECT_EQ(run.weight(0, "G"), 0.0);
  EXPECT_NEAR(test::last(run.trajectory, "w"), 1.0 + 4.0 * 1.0 + 2.0 * 2.0,
              1e-5);  // mass 1 for 1 s, 2 for 2 s
}

/// m·(v' − F) = 0 is v' = F, whatever m > 0 does: F̂ = −3/2. With m < 0 after it, it is 0 somewhere between.
TEST(LawCoefficients, AFactorOfTheWholeRowDoesNotCount) {
  const ModelRun run(body("m*der(v) = m*F", {"v = -0.5*pre(v)", "m = 2*pre(m)"}));
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.message();
  EXPECT_NEAR(run.weight(0, "F"), -1.5, 1e-6);
  EXPECT_EQ(ModelRun(body("m*der(v) = m*F", {"v = -0.5*pre(v)", "m = -pre(m)"})).outcome(),
            OutcomeKind::refused_restart);
}

/// The mass as an algebraic signal that follows from what jumps: only its right limit shows that.
TEST(LawCoefficients, ACoefficientThatFollowsFromAJumpIsRefused) {
  Source source = body("total*der(v) = F", {"v = -0.5*pre(v)", "m = 2*pre(m)"});
  source.algebraic.push_back({"total", 4.0});
  source.equations.push_back({"sum", "total = 3 + m"});
  const ModelRun run(source);
  EXPECT_EQ(run.outcome(), OutcomeKind::refused_restart);
  EXPECT_TRUE(run.names("balance") && run.names("total")) << run.message();
  source.equations.back() = {"sum", "total = 4"};
  const ModelRun twin(source);
  ASSERT_EQ(twin.outcome(), OutcomeKind::reached_stop) << twin.message();
  EXPECT_NEAR(twin.weight(0, "F"), 4.0 * (-0.5 - 1.0), 1e-6);
}

/// Power at an impact: F·v has no weight of its own, for v jumps with F. Energy is no such product.
TEST(LawCoefficients, ThePowerOfAnImpactIsRefused) {
  Source source = body("m*der(v) = F", {"v = -0.5*pre(v)", "m = pre(m)"});
  source.algebraic.push_back({"power", 0.0});
  source.equations.push_back({"observed", "power = F*v"});
  const ModelRun run(source);
  EXPECT_EQ(run.outcome(), OutcomeKind::refused_restart);
  EXPECT_TRUE(run.names("observed") && run.names("F") && run.names("v")) << run.message();
  source.equations.back() = {"observed", "2*power = m*v^2"};
  EXPECT_EQ(ModelRun(source).outcome(), OutcomeKind::reached_stop);
}

/// Two laws at one instant: the first one makes m = 2, which makes the second due. By then total = 3 + m is 5, before
/// and after the impact: F̂ = −5·3/2.
TEST(LawCoefficients, ALaterLawOfTheInstantKnowsWhatTheFirstOneMade) {
  Source source = body("total*der(v) = F", {});
  source.algebraic.push_back({"total", 4.0});
  source.equations.push_back({"sum", "total = 3 + m"});
  source.constraints = {{"line", "h <= 0"}, {"wall", "h + m - 2 <= 0"}};
  source.transitions = {{"reach(line)", {"mass"}, {"m = 2"}}, {"reach(wall)", {"free"}, {"v = -0.5*pre(v)"}}};
  const ModelRun run(source);
  ASSERT_EQ(run.outcome(), OutcomeKind::reached_stop) << run.message();
  EXPECT_NEAR(run.weight(0, "F"), -7.5, 1e-5);
  EXPECT_NEAR(test::last(run.trajectory, "v"), -0.5, 1e-6);
}

}  // namespace law_coefficients_test
}  // namespace mti
