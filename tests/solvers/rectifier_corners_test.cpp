#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// Diodes where their source turns at once, or where it has just begun: what is still on its way within the resolution of time
/// is no reason to end a run, or to switch again and again.
namespace mti {
namespace rectifier_corners_test {

constexpr double T = 0.0393;

/// C c' = k (u − c) − g c along a ramp u = u₀ + s (t − t₀) from c(t₀).
struct Ramp {
  long double t_0, u_0, s, c_0, k, g, C;

  [[nodiscard]] long double u(long double t) const { return u_0 + s * (t - t_0); }
  [[nodiscard]] long double c(long double t) const {
    const long double rate = (k + g) / C;
    const auto slow = [&](long double at) { return k / C * (u(at) / rate - s / (rate * rate)); };
    return slow(t) + (c_0 - slow(t_0)) * std::exp(-rate * (t - t_0));
  }
  [[nodiscard]] long double v(long double t) const { return u(t) - c(t); }
};

/// Where v changes its sign, scanned from `from` on (within 10 C/k of the corner finely) and bisected; `to` if it does not.
long double root(const Ramp& ramp, long double from, long double to) {
  const bool before = ramp.v(from) > 0;
  const long double fine = 0.01L * ramp.C / (ramp.k + ramp.g);
  long double left = from;
  for (int step = 1;; ++step) {
    const long double right =
        std::min(to, from + (step <= 1000 ? fine * step : 1000 * fine + 1e-6L * (step - 1000)));
    if ((ramp.v(right) > 0) != before) {
      long double a = left, b = right;
      for (int bisection = 0; bisection < 80; ++bisection) {
        const long double middle = 0.5L * (a + b);
        ((ramp.v(middle) > 0) == before ? a : b) = middle;
      }
      return b;
    }
    if (right >= to) return to;
    left = right;
  }
}

TEST(RectifierCorners, DiodesTurnOffWhereATableTurnsAtEveryTolerance) {
  constexpr long double g = 0.017L, leak = 1e-9L;
  for (const double G : {300.0, 1e3, 1e4, 1e6})
    for (const double C : {1e-3, 1e-4}) {
      // It conducts from 0, blocks shortly after the corner at 0.005, conducts again on the way up from 0.015.
      const Ramp first{0, 0, 2000, 0, G, g, C};
      const Ramp down{0.005L, 10, -2000, first.c(0.005L), G, g, C};
      const long double off = root(down, 0.005L, 0.015L);
      const Ramp blocked{off, down.u(off), -2000, down.c(off), leak, g, C};
      const Ramp up{0.015L, -10, 2000, blocked.c(0.015L), leak, g, C};
      const long double on = root(up, 0.015L, 0.025L);
      const Ramp again{on, up.u(on), 2000, up.c(on), G, g, C};
      const Ramp down_again{0.025L, 10, -2000, again.c(0.025L), G, g, C};
      const std::vector<double> exact = {static_cast<double>(off), static_cast<double>(on),
                                         static_cast<double>(root(down_again, 0.025L, 0.035L))};
      Source source;
      source.parameters = {{"G", G}, {"C", C}};
      source.inputs = {{.name = "u",
                        .form = TableSource{{0.0, 0.005, 0.015, 0.025, 0.035, 0.045},
                                            {0.0, 10.0, -10.0, 10.0, -10.0, 10.0}}}};
      source.states = {{"c", 0.0}};
      source.algebraic = {{"v"}};
      source.binaries = {{"z", 1.0}};
      source.equations = {"v = u - c", "C*der(c) = v*(G*z + 1e-9*(1 - z)) - 0.017*c"};
      source.constraints = {"(1 - 2*z)*v <= 0"};
      source.experiment = {.stop = T};
      const Model model = build(source);
      for (int quarters = 12; quarters <= 40; ++quarters) {
        const double digits = 0.25 * quarters;
        const double rtol = std::pow(10.0, -digits);
        const std::string what = std::to_string(G) + ' ' + std::to_string(C) + ' ' + std::to_string(digits);
        const Trajectory trajectory = simulate(model, {.rtol = rtol});
        ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what << trajectory.outcome.message;
        const std::vector<double> times = test::event_times(trajectory);
        ASSERT_EQ(times.size(), exact.size()) << what;
        for (std::size_t k = 0; k < times.size(); ++k)
          EXPECT_NEAR(times[k], exact[k], 10.0 * rtol * T) << what;
      }
    }
}

/// At the end of conduction through a diode before C, L, C the voltage of the diode begins to fall with its second derivative:
/// L has a current that ε of the voltages leaves open, but that does not relax. Against IDA at 1e-10.
TEST(RectifierCorners, ACurrentOfAnInductorIsNotTakenForWhatRelaxes) {
  for (const double G : {1e3, 3e6}) {
    Source source;
    source.parameters = {{"G", G}};
    source.inputs = {{.name = "u", .form = SineSource{325.0, 50.0, 0.7, 0.0}}};
    source.states = {{"a", 0.0}, {"c", 0.0}, {"i", 0.0}};
    source.algebraic = {{"v"}};
    source.binaries = {{"z", 1.0}};
    source.equations = {"v = u - a", "1e-4*der(a) = v*(G*z + 1e-15*(1 - z)) - i",
                        "1e-3*der(i) = a - c - 0.1*i", "2e-4*der(c) = i - c/1800"};
    source.constraints = {"(1 - 2*z)*v <= 0"};
    source.experiment = {.stop = 0.04};
    const Model model = build(source);
    const std::vector<double> exact =
        test::event_times(simulate(model, {.rtol = 1e-10, .integrator = IntegratorChoice::ida}));
    for (const double rtol : {1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-8})
      for (const double atol : {1e-10, 1e-6}) {
        const Trajectory trajectory = simulate(model, {.rtol = rtol, .atol = atol, .max_events = 100});
        ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << G << ' ' << rtol;
        const std::vector<double> times = test::event_times(trajectory);
        ASSERT_EQ(times.size(), exact.size()) << G << ' ' << rtol << ' ' << atol;
        for (std::size_t k = 0; k < times.size(); ++k)
          EXPECT_NEAR(times[k], exact[k], 10.0 * std::max(rtol, atol) * 0.04) << G << ' ' << rtol;
      }
  }
}

/// 9 V on a capacitor by way of 10⁻⁸ Ω, with a load that is not linear: c passes 4 V after C/G·ln(9/5), and rests where the
/// resistance drops what the load takes.
TEST(RectifierCorners, AStepIsFollowedThroughItsTransientAtEveryTolerance) {
  for (const auto& [G, C] : {std::pair{1e7, 1e-6}, {1e8, 1e-5}, {1e8, 1e-6}, {1e9, 1e-5}}) {
    Source source;
    source.parameters = {{"G", G}, {"C", C}};
    source.states = {{"c", 0.0}};
    source.algebraic = {{"y"}};
    source.binaries = {{"z"}};
    source.equations = {"y = 9 - c", "C*der(c) = G*y - 0.02*c - 0.001*c^2"};
    source.constraints = {"(c - 4)*(1 - z) <= 0", "(4 - c)*z <= 0"};
    source.experiment = {.stop = 0.04};
    const Model model = build(source);
    for (int halves = 4; halves <= 20; ++halves) {
      const double digits = 0.5 * halves, rtol = std::pow(10.0, -digits);
      const Trajectory trajectory = simulate(model, {.rtol = rtol});
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop)
          << G << ' ' << C << ' ' << digits << trajectory.outcome.message;
      const std::vector<double> times = test::event_times(trajectory);
      ASSERT_EQ(times.size(), 1U) << G << ' ' << C << ' ' << digits;
      EXPECT_NEAR(times[0], C / G * std::log(9.0 / 5.0), 10.0 * rtol * 0.04);
      const double c = trajectory.end_point.at(static_cast<std::size_t>(*model.signature.find("c")));
      EXPECT_NEAR(c, 9.0 - (0.02 * 9.0 + 0.001 * 81.0) / G, 10.0 * rtol * 9.0)
          << G << ' ' << C << ' ' << digits;
    }
  }
}

}  // namespace rectifier_corners_test
}  // namespace mti
