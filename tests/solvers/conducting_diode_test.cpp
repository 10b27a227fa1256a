#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// A diode that conducts well between an inductance and a capacitor: the voltage across it, i/G, is far below the tolerance of
/// the two voltages whose difference it is, but known as well as i.
namespace mti {
namespace conducting_diode_test {

constexpr double L = 0.03, C = 1e-4, R = 20.0, A = 18.0, w = 2.0 * std::numbers::pi * 50.0, T = 0.06;

/// With an ideal diode: L i' = e − u, C u' = i − u/R while i > 0, then i = 0 until e > u. By the classical Runge–Kutta formula in
/// steps of 1 µs, whose ends are halved towards each switch.
std::vector<double> switching_times() {
  using State = std::array<double, 2>;  // i, u
  std::vector<double> times;
  bool on = true;
  State x{0.0, 0.0};
  const auto slope = [&](double t, const State& s) {
    return State{on ? (A * std::sin(w * t) - s[1]) / L : 0.0, (s[0] - s[1] / R) / C};
  };
  const auto step = [&](double t, const State& s, double h) {
    const auto moved = [&](const State& k, double part) {
      return State{s[0] + part * h * k[0], s[1] + part * h * k[1]};
    };
    const State a = slope(t, s), b = slope(t + 0.5 * h, moved(a, 0.5)), c = slope(t + 0.5 * h, moved(b, 0.5)),
                d = slope(t + h, moved(c, 1.0));
    return State{s[0] + h / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0]),
                 s[1] + h / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1])};
  };
  const auto goes_on = [&](double t, const State& s) {
    return on ? s[0] >= 0.0 : A * std::sin(w * t) <= s[1];
  };
  for (double t = 0.0; t < T;) {
    double h = 1e-6;
    State next = step(t, x, h);
    if (!goes_on(t + h, next) && t > 0.0) {
      double low = 0.0;
      for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + h);
        (goes_on(t + middle, step(t, x, middle)) ? low : h) = middle;
      }
      next = step(t, x, h);
      times.push_back(t + h);
      if (on) next[0] = 0.0;
      on = !on;
    }
    t += h;
    x = next;
  }
  return times;
}

Source rectifier(double G, bool by_maximum) {
  Source source;
  source.parameters = {{"G", G}, {"leak", 6e-6}};
  source.inputs = {{"e", SineSource{A, 50.0, 0.0, 0.0}}};
  source.states = {{"i", 0.0}, {"u", 0.0}};
  source.algebraic = {{"n"}};
  source.equations = {"0.03*der(i) = e - n", "1e-4*der(u) = i - u/20"};
  if (by_maximum) {
    source.equations.emplace_back("i = G*max(n - u, 0) + leak*min(n - u, 0)");
  } else {
    source.binaries = {{"z", 0.0}};
    source.equations.emplace_back("i = (n - u)*(G*z + leak*(1 - z))");
    source.constraints = {"(1 - 2*z)*(n - u) <= 0"};
  }
  source.experiment = {.stop = T};
  return source;
}

/// What conducted for ever at 10⁻⁵, and by 0.94 ms too long at 10⁻⁶, without a word.
TEST(ConductingDiode, TurnsOffInTimeAtEveryTolerance) {
  const std::vector<double> expected = switching_times();
  ASSERT_EQ(expected.size(), 5U);
  for (const double G : {1.7e4, 1e6, 1e8})
    for (const bool by_maximum : {false, true})
      for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-8}) {
        SCOPED_TRACE("G = " + std::to_string(G) + ", rtol = " + std::to_string(rtol));
        const Trajectory run = test::run(rectifier(G, by_maximum), test::with_accuracy(rtol));
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        ASSERT_EQ(run.events.size(), 1U + expected.size());
        // Leakage of 10⁻⁴ A through R holds u by 2 mV, which e passes within 2 µs.
        const double tolerance = 5e-6 + 10.0 * rtol * T;
        for (std::size_t k = 0; k < expected.size(); ++k)
          EXPECT_NEAR(run.events[k + 1].time, expected[k], tolerance);
        const std::size_t i = run.column("i");
        for (std::size_t row = 0; row < run.size(); ++row)
          ASSERT_GT(run.value(row, i), -2e-4) << "no more than leaks, t = " << run.time(row);
      }
}

}  // namespace conducting_diode_test
}  // namespace mti
