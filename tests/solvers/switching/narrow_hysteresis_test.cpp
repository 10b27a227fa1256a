// Where a dead end speaks of a hysteresis narrower than the accuracy, and where it does not.
#include <gtest/gtest.h>

#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace narrow_hysteresis_test {

/// A relay that switches on at `lower` and off at `upper`, and the end of its run.
Outcome relay(const std::string& upper, const std::string& lower, double tolerance, double start = -1.0) {
  Source source;
  source.states = {{"x", start}};
  source.binaries = {{"off", 0.0}};
  source.equations = {"der(x) = 1 - 2*off"};
  source.constraints = {{"upper", "(x - " + upper + ")*(1 - off) <= 0"},
                        {"lower", "2*(" + lower + " - x)*off <= 0"}};
  SimulationOptions options = test::with_accuracy(tolerance);
  options.stop = 1.5;
  return test::run(source, options).outcome;
}

/// What constraints without binaries say where the run ends, of w = x + `offset`.
std::string message(const std::string& first, const std::string& second, double offset) {
  Source source;
  source.states = {{"x", -1e-9}, {"w", -1e-9 + offset}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = 1", "der(w) = 1"};
  source.constraints = {{"a", first}, {"b", second}};
  const Outcome outcome = test::run(source, test::with_accuracy(1e-6)).outcome;
  EXPECT_NE(outcome.kind, OutcomeKind::reached_stop);
  return outcome.message;
}

TEST(NarrowHysteresis, IsNamedWithItsWidthAndWhatIsKnown) {
  const Outcome narrow = relay("1e-7", "-1e-7", 1e-6);
  EXPECT_EQ(narrow.kind, OutcomeKind::dead_end);
  // In the units of `upper`.
  EXPECT_NE(narrow.message.find(
                "; upper and lower are thresholds that lie 2e-07 apart, within their error bounds of "),
            std::string::npos)
      << narrow.message;
  // Switching every 2e-4 is resolved where ε is 1e-10.
  EXPECT_EQ(relay("1e-4", "-1e-4", 1e-10).kind, OutcomeKind::reached_stop);
}

/// Exactly on one of the thresholds its row is known to be zero; the other one is not told apart from it.
TEST(NarrowHysteresis, IsNamedAtAStartOnOneOfItsThresholds) {
  for (const double start : {0.0, 1e-9, 5e-10}) {
    const Outcome narrow = relay("1e-9", "0", 1e-6, start);
    EXPECT_NE(narrow.message.find("thresholds that lie "), std::string::npos) << start << narrow.message;
  }
}

/// Danger: rows near zero that have nothing to do with each other are called a hysteresis.
TEST(NarrowHysteresis, IsNoneBetweenOtherRows) {
  EXPECT_EQ(message("x <= 0", "w <= 0", -1e-9).find("hysteresis"), std::string::npos) << "two signals";
  EXPECT_EQ(message("x*(1 - z) <= 0", "w*z <= 0", -1e-9).find("hysteresis"), std::string::npos)
      << "two signals, one for each value of z";
  EXPECT_EQ(message("x*(1 - z) <= 0", "(x - 1e-8)*z <= 0", 0.0).find("hysteresis"), std::string::npos)
      << "two limits of one signal on one side";
}

/// A mark for "off" below that for "on" leaves no mode between them, whatever the tolerance.
TEST(NarrowHysteresis, IsNoneWhereNoModeIsLeft) {
  const Outcome crossed = relay("-1e-7", "1e-7", 1e-6);
  EXPECT_EQ(crossed.message.find("hysteresis"), std::string::npos) << crossed.message;
}

}  // namespace narrow_hysteresis_test
}  // namespace mti
