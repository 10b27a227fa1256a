// docs/language.md: its models run, and do what the page says.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace language_test {

Model model_of(const std::string& marker) {
  return read_model_text(Document("docs/language.md").block(marker));
}

/// From rest at φ₀ the period is 4 K(sin φ₀/2); the energy ω²/2 − cos φ stays.
TEST(Language, ThePendulumSwingsWithItsPeriod) {
  const double period = 4.0 * std::comp_ellint_1(std::sin(1.0));
  for (const IntegratorChoice engine : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
    SimulationOptions options;
    options.integrator = engine;
    options.output_times = {0.25 * period, 0.5 * period, period};
    const Trajectory run = simulate(model_of("pendulum"), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const double tolerance = engine == IntegratorChoice::ida ? 1e-6 : 1e-8;
    const auto value = [&](double t, const char* name) {
      std::size_t row = 0;
      while (row + 1 < run.size() && run.time(row) < t) ++row;
      return run.value(row, run.column(name));
    };
    EXPECT_NEAR(value(0.25 * period, "phi"), 0.0, tolerance);
    EXPECT_NEAR(value(0.5 * period, "phi"), -2.0, tolerance);
    EXPECT_NEAR(value(period, "phi"), 2.0, tolerance);
    for (std::size_t row = 0; row < run.size(); ++row) {
      const double omega = run.value(row, run.column("omega")), y = run.value(row, run.column("y"));
      EXPECT_NEAR(0.5 * omega * omega + y, -std::cos(2.0), tolerance);
    }
  }
}

TEST(Language, TheLogarithmEndsWhereItsArgumentIsZero) {
  const Trajectory run = simulate(model_of("logarithm"), {});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain);
  EXPECT_NEAR(run.outcome.end_time, 1.0, 1e-5);
  EXPECT_NE(run.outcome.message.find("log(2*x)"), std::string::npos) << run.outcome.message;
  for (std::size_t row = 0; row < run.size(); ++row)
    EXPECT_TRUE(std::isfinite(run.value(row, run.column("w"))));
}

TEST(Language, ThePendulumIsLiftedAsShown) {
  Document page("docs/language.md");
  const TemporaryDirectory directory;
  directory.write("pendulum.json", page.block("pendulum"));
  ASSERT_EQ(
      run_program({"convert", "pendulum.json", "lifted.json", "--multilinear", "exact"}, directory.path())
          .status,
      0);
  page.expect_block("lifted pendulum", run_program({"print", "lifted.json"}, directory.path()).out);
}

TEST(Language, ThePendulumIsInterpolatedAsShown) {
  Document page("docs/language.md");
  const TemporaryDirectory directory;
  directory.write("pendulum.json", page.block("pendulum"));
  const ProgramResult result = run_program({"convert", "pendulum.json", "lines.json", "--multilinear",
                                            "approximate", "--tolerance", "0.01", "--range", "phi=-2.1:2.1"},
                                           directory.path());
  ASSERT_EQ(result.status, 0) << result.err;
  page.expect_block("interpolated pendulum", result.out);
  EXPECT_EQ(
      run_program({"convert", "pendulum.json", "x.json", "--multilinear", "exact", "--range", "phi=0:1"},
                  directory.path())
          .status,
      1);
}

TEST(Language, TheAngleTurnsWithThePoint) {
  const Trajectory run = simulate(model_of("turning"), {});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (std::size_t row = 0; row < run.size(); ++row)
    EXPECT_NEAR(std::remainder(run.value(row, run.column("angle")) - run.time(row), 2.0 * M_PI), 0.0, 1e-7);
}

/// d(v²)/dx = −2x + 2v² while v < 0, from v = 0 at x = 1: v² = x + 1/2 − (3/2)·e^(2(x − 1)).
TEST(Language, TheResistanceHasNoEvents) {
  const Trajectory run = simulate(model_of("resistance"), {});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_TRUE(run.events.empty());
  double lowest = 0.0;
  for (std::size_t row = 0; row < run.size(); ++row) {
    const double x = run.value(row, run.column("x")), v = run.value(row, run.column("v"));
    lowest = std::min(lowest, x);
    if (run.time(row) > 2.0 || v == 0.0) continue;
    EXPECT_NEAR(v * v, x + 0.5 - 1.5 * std::exp(2.0 * (x - 1.0)), 1e-5);
  }
  EXPECT_GT(lowest, -1.0);
}

}  // namespace language_test
}  // namespace mti::test
