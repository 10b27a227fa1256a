// Blocks with steep functions, by whichever side they are given: u = V_T·log(i/I_s + 1) + R·i for any i.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/number.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace steep_functions_test {

constexpr double V = 0.026;

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

/// Of f(w, u) = 0 with u at the start, or from `before` to u at t = 1/2.
Trajectory run_of(const std::string& equation, double before, double u) {
  Source source;
  source.states = {{"x"}};
  source.algebraic = {{"w"}};
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 0.5, 0.5, 1.0}, {before, before, u, u}}}};
  source.equations = {"der(x) = 0", equation};
  SimulationOptions options = test::with_accuracy(1e-9);
  options.stop = 1.0;
  return simulate(build(source), options);
}

TEST(SteepFunctions, ADiodeIsFoundFromAnyVoltage) {
  for (const double I : {1e-9, 1e-14})
    for (const double R : {0.1, 1.0, 1000.0})
      for (const double i : {1e-6, 1e-2, 0.5, 1.0, 7.0, 50.0, 900.0}) {
        const double u = V * std::log1p(i / I) + R * i;
        for (const double before : {u, 0.0, -300.0}) {
          const std::string equation =
              "w = " + text::format_number(I) + "*(exp((u - " + text::format_number(R) + "*w)/0.026) - 1)";
          const Trajectory run = run_of(equation, before, u);
          ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop)
              << equation << " u = " << u << ": " << run.outcome.message;
          EXPECT_NEAR(last(run, "w"), i, 1e-7 * i + 1e-8) << equation << " u = " << u;
        }
      }
}

TEST(SteepFunctions, AreInvertedWhereTheirResultIsGiven) {
  for (const double before : {0.0, -1e-10, 0.5})
    for (const double u : {1e-3, 1.0, 1e5}) {
      const Trajectory diode = run_of("u = 1e-9*(exp(w/0.026) - 1)", before, u);
      ASSERT_EQ(diode.outcome.kind, OutcomeKind::reached_stop)
          << before << " " << u << ": " << diode.outcome.message;
      EXPECT_NEAR(last(diode, "w"), V * std::log1p(1e9 * u), 1e-7);
      const Trajectory sine = run_of("u = 1e-9*sinh(w)", before, u);
      ASSERT_EQ(sine.outcome.kind, OutcomeKind::reached_stop)
          << before << " " << u << ": " << sine.outcome.message;
      EXPECT_NEAR(last(sine, "w"), std::asinh(1e9 * u), 1e-6);
    }
}

}  // namespace steep_functions_test
}  // namespace mti
