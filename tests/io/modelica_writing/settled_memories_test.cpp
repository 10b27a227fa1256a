#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/modelica/read_modelica.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/build/build.hpp"
#include "solvers/reduced_index/reduced_index.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

// Two shafts of inertia 1 with the speeds 1 and 0, and a clutch g that closes at t = 1: both have 1/2 from there on. Written
// with one structure for all modes, the speed that is bound has that of the other in between.
namespace mti::settled_memories_test {
namespace {

Source clutch(const std::vector<const char*>& observers) {
  Source source;
  source.states = {{.name = "w1", .start = 1.0}, {.name = "w2"}};
  source.algebraic = {{.name = "f"}};
  source.inputs = {
      {.name = "g", .form = TableSource{.time = {0.0, 1.0}, .value = {0.0, 1.0}}, .binary = true}};
  source.equations = {"der(w1) = f", "der(w2) = -f", {"clutch", "g*(w1 - w2) + (1 - g)*f = 0"}};
  for (const char* observer : observers) source.equations.emplace_back(observer);
  source.experiment.stop = 2.0;
  return source;
}

std::string refusal(const Source& source) {
  try {
    static_cast<void>(to_modelica(reduced_index(source)));
  } catch (const InvalidModel& refused) {
    return refused.faults().front().id + " " + refused.faults().front().pointer;
  }
  return {};
}

TEST(SettledMemories, OfWhatIsBoundAreRefused) {
  Source relay = clutch({});
  relay.binaries = {{.name = "z"}};
  relay.constraints = {"(w2 - 0.8)*(1 - z) <= 0", "(0.1 - w2)*z <= 0"};
  EXPECT_EQ(refusal(relay), "modelica-unwritable /binaries/0");
  Source counter = clutch({"der(c) = 0"});
  counter.states.push_back({.name = "c"});
  counter.whens = {{.condition = "w2 > 0.8", .set = {{"c", "c + 1"}}}};
  EXPECT_TRUE(refusal(counter).starts_with("modelica-unwritable /binaries/"));
  Source function = clutch({"y = hysteresis(w2, 0.1, 0.8)"});
  function.algebraic.push_back({.name = "y"});
  EXPECT_TRUE(refusal(function).starts_with("modelica-unwritable /equations/"));
  // As a model file it is right.
  const Trajectory run = test::run(reduced_index(relay));
  EXPECT_EQ(test::last(run, "z"), 0.0);
  EXPECT_NEAR(test::last(run, "w2"), 0.5, 1e-6);
}

// What does not look at it, or forgets what it has seen, is written, and right when it is read back.
TEST(SettledMemories, OfOthersAreWritten) {
  Source other = clutch({"der(x) = 1", "s = (w2 > 0.8)"});
  other.states.push_back({.name = "x"});
  other.algebraic = {{.name = "f"}};
  other.binaries = {{.name = "z"}, {.name = "s"}};
  other.constraints = {"(x - 1.5)*(1 - z) <= 0", "(0.1 - x)*z <= 0"};
  const ModelicaReading read = read_modelica(to_modelica(reduced_index(other)));
  ASSERT_TRUE(read.faults.empty()) << read.faults.front().message;
  const Trajectory run = test::run(read.source);
  EXPECT_EQ(test::last(run, "z"), 1.0);
  EXPECT_EQ(test::last(run, "s"), 0.0);
  EXPECT_NEAR(test::last(run, "w2"), 0.5, 1e-6);
}

TEST(SettledMemories, LatchesAreWrittenWithADoubt) {
  Source latch = clutch({});
  latch.binaries = {{.name = "z"}};
  latch.constraints = {"(w2 - 0.8)*(1 - z) <= 0", "pre(z) - z <= 0"};
  EXPECT_NE(to_modelica(reduced_index(latch)).find("// z looks at signals that follow the mode at once"),
            std::string::npos);
}

}  // namespace
}  // namespace mti::settled_memories_test
