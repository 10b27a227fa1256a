// Of two admissible changes of the same distance one lets states jump: it is taken if it is declared first, and a run says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace needless_jump_test {

/// Two thyristors with an inductance of 1 H each share a constant current of 1 A. The second is fired at t = 1 for 0.1 s and takes
/// the current over, i1 = 1 − (t − 1)/2, by t = 3. There either of them may be turned off, since no gate asks for the other one.
Source commutation(const std::vector<std::string>& order) {
  Source source;
  source.states = {{"i1", 1.0}, {"i2"}};
  source.inputs = {{"u1", 1.0}, {"u2", 2.0}};
  source.inputs.push_back(
      {.name = "g2", .form = TableSource{{0.0, 1.0, 1.1}, {0.0, 1.0, 0.0}}, .binary = true});
  source.algebraic = {{"v1"}, {"v2"}, {"vn"}};
  for (const std::string& name : order) source.binaries.push_back({name, name == "on1" ? 1.0 : 0.0});
  source.equations = {"u1 = der(i1) + v1 + vn", "u2 = der(i2) + v2 + vn", "on1*v1 + (1 - on1)*i1 = 0",
                      "on2*v2 + (1 - on2)*i2 = 0", "i1 + i2 = 1"};
  source.constraints = {"i1 >= 0", "i2 >= 0", "v2*g2*(1 - on2) <= 0"};
  source.experiment = {.stop = 5.0};
  return source;
}

bool warns(const Trajectory& run, const std::string& text) {
  return std::ranges::any_of(
      run.warnings, [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

TEST(NeedlessJump, IsToldWhereTheOrderOfDeclarationDecidesForIt) {
  const Trajectory run = simulate(build(commutation({"on2", "on1"})), test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column("i1")), 1.0, 1e-7);
  EXPECT_TRUE(warns(run, "lets i1, i2 jump; with on1 = 0 in its place no state would"));
}

TEST(NeedlessJump, IsNoneWhereTheOtherOneIsDeclaredFirst) {
  const Trajectory run = simulate(build(commutation({"on1", "on2"})), test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column("i2")), 1.0, 1e-7);
  EXPECT_NEAR(run.events.back().time, 3.0, 1e-6);
  EXPECT_FALSE(warns(run, "jump"));
}

}  // namespace needless_jump_test
}  // namespace mti
