// Assertions of Modelica models: when they are broken, and that they stand in what is written.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "io/modelica/read_modelica.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace modelica_assertions_test {

/// "message at time" of each.
std::vector<std::pair<std::string, double>> broken_of(const Source& source) {
  SimulationOptions options;
  options.rtol = options.atol = 1e-9;
  options.stop = 2.0;
  const Trajectory run = simulate(build(source), options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  std::vector<std::pair<std::string, double>> broken;
  for (const BrokenAssertion& one : run.broken_assertions)
    broken.emplace_back(one.assertion.message + (one.assertion.is_error ? "" : " (warning)"), one.time);
  return broken;
}

Source source_of(const std::string& lines) {
  const ModelicaReading reading =
      read_modelica("model m\n  Real x(start = 1, fixed = true);\nequation\n" + lines + "end m;\n");
  EXPECT_TRUE(reading.faults.empty());
  return reading.source;
}

/// 1 > 1 is false from the start on; x = 1 + t is above 1 from there on, and 1 − t is not.
TEST(ModelicaAssertions, AreStrictAtTheStart) {
  EXPECT_EQ(broken_of(source_of("  der(x) = 0;\n  assert(x > 1, \"above\");\n")).size(), 1U);
  EXPECT_EQ(broken_of(source_of("  der(x) = 0;\n  assert(x >= 1, \"not below\");\n")).size(), 0U);
  EXPECT_EQ(broken_of(source_of("  der(x) = 0;\n  assert(x < 1, \"below\");\n")).size(), 1U);
  EXPECT_EQ(broken_of(source_of("  der(x) = 1;\n  assert(x > 1, \"above\");\n")).size(), 0U);
  EXPECT_EQ(broken_of(source_of("  der(x) = -1;\n  assert(x > 1, \"above\");\n")).size(), 1U);
}

/// x = 1 + t.
TEST(ModelicaAssertions, StandInWhatIsWritten) {
  const Source source = source_of(
      "  der(x) = 1;\n  assert(x < 1.5, \"low\", AssertionLevel.warning);\n"
      "  assert(x < 2 or time < 1.25, \"late\");\n  assert(x > 0.5, \"never broken\");\n");
  const auto broken = broken_of(source);
  ASSERT_EQ(broken.size(), 2U);
  EXPECT_EQ(broken[0].first, "low (warning)");
  EXPECT_NEAR(broken[0].second, 0.5, 1e-7);
  EXPECT_EQ(broken[1].first, "late");
  EXPECT_NEAR(broken[1].second, 1.25, 1e-7);

  const ModelicaReading again = read_modelica(to_modelica(source));
  ASSERT_TRUE(again.faults.empty());
  const auto broken_again = broken_of(again.source);
  ASSERT_EQ(broken_again.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(broken_again[i].first, broken[i].first);
    EXPECT_NEAR(broken_again[i].second, broken[i].second, 1e-7);
  }
}

}  // namespace modelica_assertions_test
}  // namespace mti::test
