#include "solvers/multimode/jumping_states.hpp"

#include <gtest/gtest.h>

#include "mti/build/build.hpp"

namespace mti {
namespace jumping_states_test {

using Reasons = std::vector<std::string>;

Source relay() {
  Source source;
  source.states = {{.name = "x", .start = 0.2}, {.name = "w"}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = z - x", "der(w) = x"};
  source.constraints = {"(x - 0.9)*z <= 0", "(0.1 - x)*(1 - z) <= 0"};
  return source;
}

TEST(JumpingStates, AreNoneWhereEveryModeIsAnOrdinaryDifferentialEquation) {
  EXPECT_EQ(jumping_states(build(relay())), (Reasons{"", ""}));
}

TEST(JumpingStates, AreThoseOfLaws) {
  Source source = relay();
  source.transitions = {{.when = "rise(z)", .equations = {"w = 0.5*pre(x)"}}};
  EXPECT_EQ(jumping_states(build(source)), (Reasons{"", "a transition law sets w"}));
}

// A clutch ties two speeds in one of its modes: both jump when it closes.
TEST(JumpingStates, AreThoseThatAModeTies) {
  Source source;
  source.states = {{.name = "x", .start = 0.2}, {.name = "w"}};
  source.inputs = {{.name = "closed", .form = 0.0, .binary = true}};
  source.algebraic = {{.name = "torque"}};
  source.equations = {{"one", "der(x) = -x - torque"},
                      {"two", "der(w) = torque"},
                      {"clutch", "closed*(x - w) + (1 - closed)*torque = 0"}};
  const Reasons reasons = jumping_states(build(source));
  EXPECT_EQ(reasons,
            (Reasons{"states are tied by clutch where closed", "states are tied by clutch where closed"}));
}

// Of any index, where there is one mode and nothing that jumps from outside.
TEST(JumpingStates, AreNoneInASingleModeOfHigherIndex) {
  Source source;
  source.states = {{.name = "x", .start = 0.0}};
  source.algebraic = {{.name = "y"}};
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 1.0}}};
  source.equations = {"der(x) = y", "x = u"};
  EXPECT_EQ(jumping_states(build(source)), Reasons{""});
  source.inputs = {{.name = "u", .form = PulseSource{}}};
  EXPECT_NE(jumping_states(build(source)), Reasons{""});
}

TEST(JumpingStates, AreAllInDiscreteTime) {
  Source source;
  source.sample_time = 1.0;
  source.states = {{.name = "x", .start = 1.0}};
  source.equations = {"next(x) = 0.5*x"};
  EXPECT_EQ(jumping_states(build(source)), Reasons{"states change from sample to sample"});
}

}  // namespace jumping_states_test
}  // namespace mti
