#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// Elements without mass that stick and slip: a spring in series with dry friction (Jenkins, Maxwell slip). x follows u at the distance r
/// (the play operator), and ẋ, which friction depends on, is an impulse wherever x would jump.
namespace mti {
namespace massless_friction_test {

constexpr double r = 0.3;

/// Of u = sin 2πt, which is monotone between its turning points.
double play(double t, double x) {
  const auto follow = [&](double at) {
    const double u = std::sin(2.0 * std::numbers::pi * at);
    x = std::max(u - r, std::min(u + r, x));
  };
  for (int k = 0; 0.25 + 0.5 * k < t; ++k) follow(0.25 + 0.5 * k);
  follow(t);
  return x;
}

struct Element {
  std::string name;
  std::vector<std::string> equations;
  bool has_v = false;
};

class MasslessFriction : public testing::TestWithParam<Element> {};

TEST_P(MasslessFriction, IsThePlayOperator) {
  for (const double x0 : {-0.3, 0.0, 0.2})
    for (const double accuracy : {1e-4, 1e-7, 1e-9}) {
      SCOPED_TRACE(std::to_string(x0) + ", " + std::to_string(accuracy));
      Source source;
      source.states = {{"x", x0}};
      if (GetParam().has_v) source.algebraic = {{"v"}};
      source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 1.0}}};
      for (const std::string& equation : GetParam().equations) source.equations.push_back({equation});
      source.experiment = {.stop = 2.3, .output_interval = Number(0.01)};
      const Trajectory run = test::run(source, test::with_accuracy(accuracy));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      for (std::size_t i = 0; i < run.size(); ++i)
        ASSERT_NEAR(run.value(i, run.column("x")), play(run.time(i), x0), 50.0 * accuracy) << run.time(i);
    }
}

INSTANTIATE_TEST_SUITE_P(Writings, MasslessFriction,
                         testing::Values(Element{"ByDerivative", {"x = u - 0.3*sign(der(x))"}},
                                         Element{"ByCondition",
                                                 {"x = u - (if der(x) > 0 then 0.3 else -0.3)"}},
                                         Element{"BySpeed", {"der(x) = v", "10*(u - x) = 3*sign(v)"}, true}),
                         [](const auto& instance) { return instance.param.name; });

Source stepped(double after) {
  Source source;
  source.states = {{"x"}};
  source.inputs = {{.name = "u", .form = TableSource{.time = {1.0, 1.0}, .value = {0.0, after}}}};
  source.experiment.stop = 2.0;
  return source;
}

/// x = u steps: ẋ is an impulse that no bound lets pass, whether ẋ stands in an equation or not.
TEST(AlgebraicJump, IsAnImpulseOfTheDerivative) {
  for (const double after : {1.0, -1.0}) {
    Source source = stepped(after);
    source.equations = {"x = u"};
    source.constraints = {"der(x) <= 5"};
    const Trajectory run = test::run(source);
    EXPECT_EQ(run.outcome.kind, after > 0.0 ? OutcomeKind::dead_end : OutcomeKind::reached_stop) << after;
  }
}

/// x follows u, by 5 a unit of time at most.
TEST(AlgebraicJump, IsLimitedByASlewRate) {
  Source source = stepped(1.0);
  source.binaries = {{"z", 1.0}};
  source.equations = {"z*(x - u) + (1 - z)*(der(x) - 5) = 0"};
  source.constraints = {"z*(der(x) - 5) <= 0", "(1 - z)*(x - u) <= 0"};
  source.experiment.output_interval = Number(0.01);
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (std::size_t i = 0; i < run.size(); ++i)
    EXPECT_NEAR(run.value(i, run.column("x")), std::clamp(5.0 * (run.time(i) - 1.0), 0.0, 1.0), 1e-6);
  test::expect_kinds(run, 0.0, {{1.0, EventKind::input}, {1.2, EventKind::switch_mode}}, 1e-6);
}

}  // namespace massless_friction_test
}  // namespace mti
