// Two capacitors in series across a source, a small resistance beside one of them: of their voltages u + w = −e the small one,
// which the resistance sees, is to be integrated. Against the closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace capacitor_loop_test {

constexpr double largest_u = 5e-4;
constexpr double C = 3e-3, D = 1e-4, R = 1e-4, leak = 1e-6, amplitude = 143.0, frequency = 50.0;

/// (C + D) u' + (1/R + leak) u = −D e' − leak·e from u = 0, e = a·sin(ωt).
double u(double t) {
  using std::complex;
  const double omega = 2.0 * std::numbers::pi * frequency, G = 1.0 / R + leak;
  const complex<double> i(0.0, 1.0), forced = -amplitude * (leak + i * omega * D) / (G + i * omega * (C + D));
  return std::imag(forced * std::exp(i * omega * t)) - std::imag(forced) * std::exp(-G / (C + D) * t);
}

Model circuit(bool u_first) {
  Source source;
  source.states = {{"u"}, {"w"}};
  if (!u_first) std::swap(source.states[0], source.states[1]);
  source.algebraic = {{"n"}};
  source.parameters = {{"C", C}, {"D", D}, {"R", R}, {"leak", leak}};
  source.inputs = {{.name = "e", .form = SineSource{amplitude, frequency}}};
  source.equations = {"u = n - e", "w = -n", "0 = C*der(u) - (e - n)/R - D*der(w) + n*leak"};
  return build(source);
}

TEST(CapacitorLoop, TheSmallVoltageIsIntegrated) {
  for (const bool u_first : {true, false})
    for (const IntegratorChoice choice : {IntegratorChoice::ida, IntegratorChoice::automatic})
      for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-8}) {
        SimulationOptions options = test::with_accuracy(rtol);
        options.integrator = choice;
        options.atol = largest_u * rtol;
        options.stop = 0.04;
        const Trajectory run = simulate(circuit(u_first), options);
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
        EXPECT_LE(run.statistics.steps, 1000) << rtol;
        for (std::size_t row = 0; row < run.size(); ++row) {
          const double t = run.time(row), e = amplitude * std::sin(2.0 * std::numbers::pi * frequency * t);
          EXPECT_NEAR(run.value(row, run.column("u")), u(t), 20.0 * rtol * largest_u)
              << rtol << ", t = " << t;
          EXPECT_NEAR(run.value(row, run.column("w")), -e - u(t), 20.0 * rtol * amplitude)
              << rtol << ", t = " << t;
        }
      }
}

}  // namespace capacitor_loop_test
}  // namespace mti
