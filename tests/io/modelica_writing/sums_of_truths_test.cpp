#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/modelica/read_modelica.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

// Binaries that equations of comparisons, parameters and other binaries determine, written as Modelica and read back.
namespace mti::sums_of_truths_test {
namespace {

TEST(SumsOfTruths, AreReadAsTheyWere) {
  const std::vector<std::string> rows = {"b = (x > 0.5) + (time > 1.5) - 2*(x > 0.5)*(time > 1.5)",
                                         "b = q*(x > 0.5)",
                                         "b = q",
                                         "1 - b = (x > 0.5 and x < 0.8)",
                                         "b = (x > 0.5) - (x > 0.8)",
                                         "(x > 0.5) - b = (x > 0.8)",
                                         "b + q = 1 + (x > 0.6)*(1 - (x > 0.7))"};
  for (const std::string& row : rows) {
    Source source;
    source.parameters = {{"q", 1.0}};
    source.states = {{.name = "x"}, {.name = "w"}};
    source.binaries = {{"b"}};
    source.equations = {"der(x) = 0.5", "der(w) = b", row};
    const ModelicaReading read = read_modelica(to_modelica(source));
    ASSERT_TRUE(read.faults.empty()) << row << ": " << read.faults.front().message;
    const Trajectory before = test::run(source, {.stop = 2.0}), after = test::run(read.source, {.stop = 2.0});
    EXPECT_NEAR(test::last(before, "w"), test::last(after, "w"), 1e-6) << row;
    EXPECT_EQ(before.events.size(), after.events.size()) << row;
  }
}

// A latch without pre(): where it is neither set nor reset the equation says b = b.
TEST(SumsOfTruths, ThatLeaveABinaryOpenAreRefused) {
  Source source;
  source.states = {{.name = "x"}};
  source.binaries = {{"b"}, {"on"}};
  source.inputs = {{.name = "off", .binary = true}};
  source.equations = {"der(x) = 1 - b", "b = on + (1 - on)*(1 - off)*b"};
  source.constraints = {"(1 - 2*on)*(x - 1) <= 0"};
  try {
    static_cast<void>(to_modelica(source));
    FAIL() << "not refused";
  } catch (const InvalidModel& refused) {
    EXPECT_EQ(refused.faults().front().id, "modelica-unwritable");
    EXPECT_EQ(refused.faults().front().pointer, "/equations/1");
  }
}

TEST(SumsOfTruths, AWhenOfAModelFileIsActiveOnce) {
  Source source;
  source.states = {{.name = "x"}, {.name = "v", .start = 1.0}};
  source.equations = {"der(x) = v", "der(v) = 0"};
  source.whens = {{.condition = "x > 0.5", .set = {{"v", "v - 0.3"}}}};
  const Trajectory run = test::run(read_modelica(to_modelica(source)).source, {.stop = 2.0});
  EXPECT_NEAR(test::last(run, "v"), 0.7, 1e-9);
  EXPECT_NEAR(test::last(run, "x"), 0.5 + 0.7 * 1.5, 1e-6);
}

}  // namespace
}  // namespace mti::sums_of_truths_test
