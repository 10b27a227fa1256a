// Assertions of a model that do not hold: what an importer is told.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/fmi/exchange_importer.hpp"
#include "tests/fmi/instance3.hpp"
#include "tests/fmi/written_fmu.hpp"

namespace mti::test {
namespace assertions_test {

/// x = t: broken at t = 0.5 and at t = 1, of which the first is a warning of the model's own; y >= 1 holds nowhere.
constexpr const char* rising = R"(model rising
  Real x(start = 0, fixed = true);
  Real y(min = 1) = x - 10;
equation
  der(x) = 1;
  assert(x < 1, "too high");
  assert(x < 0.5, "rather high", AssertionLevel.warning);
  annotation(experiment(StopTime = 2));
end rising;
)";

long told(const std::vector<std::string>& log, const std::string& message) {
  return std::ranges::count_if(
      log, [&](const std::string& line) { return line.find(message) != std::string::npos; });
}

TEST(Assertions, AreToldOnceAndAreNoError) {
  const WrittenFmu written(rising, {}, "rising.mo");
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  EXPECT_EQ(told(instance.log(), "at t = 0: y is beyond its min, 1"), 1);
  EXPECT_EQ(instance.step(0.0, 0.25).status, fmi3OK);
  EXPECT_EQ(instance.step(0.25, 0.5).status, fmi3Warning);
  EXPECT_EQ(told(instance.log(), ": rather high"), 1);
  EXPECT_EQ(instance.step(0.75, 0.1).status, fmi3OK);
  fmi3FMUState state = instance.state();
  EXPECT_EQ(instance.step(0.85, 0.3).status, fmi3Warning);
  ASSERT_EQ(instance.take_up(state), fmi3OK);
  EXPECT_EQ(instance.step(0.85, 4.0).status, fmi3OK) << "beyond the experiment, with a new run";
  EXPECT_EQ(told(instance.log(), "too high"), 1);
  EXPECT_EQ(instance.log().size(), 3U);
}

TEST(Assertions, AreToldInModelExchange) {
  const WrittenFmu written(rising, {.co_simulation = false, .model_exchange = true}, "rising.mo");
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-6);
  importer.start(0.0, 2.0);
  ASSERT_TRUE(importer.advance(0.9));
  EXPECT_EQ(told(importer.log(), "rather high"), 1);
  EXPECT_EQ(told(importer.log(), "too high"), 0);
  ASSERT_TRUE(importer.advance(1.5));
  EXPECT_EQ(told(importer.log(), "too high"), 1);
  EXPECT_EQ(importer.log().size(), 3U);
}

}  // namespace assertions_test
}  // namespace mti::test
