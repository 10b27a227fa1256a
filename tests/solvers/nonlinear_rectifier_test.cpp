// Half-wave rectifiers with loads that are not linear, as one would write them down: without a signal for what the diode drops.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace nonlinear_rectifier_test {

constexpr double C = 1e-4, a = 0.02, b = 0.001, A = 10.0, T = 0.057;
constexpr double w = 2.0 * std::numbers::pi * 50.0;

long double u(long double t) { return A * std::sin(w * t); }

/// C u' + a u + b u², which the diode carries but for its own drop.
long double current(long double t) { return C * A * w * std::cos(w * t) + a * u(t) + b * u(t) * u(t); }

/// C c' = −a c − b c² from c_0.
long double discharged(long double c_0, long double t) {
  const long double decay = std::exp(-a * t / C);
  return a * c_0 * decay / (a + b * c_0 * (1 - decay));
}

template <class Function>
long double zero(const Function& f, long double left, long double right) {
  const bool sign = f(left) > 0;
  for (int bisection = 0; bisection < 100; ++bisection) {
    const long double middle = (left + right) / 2;
    ((f(middle) > 0) == sign ? left : right) = middle;
  }
  return (left + right) / 2;
}

/// The voltage v across the diode is what a first-order lag of C/G makes of current/G: it passes zero C/G after the current,
/// up to (C/G)². Then c falls as it does alone until u meets it again.
std::vector<double> exact_times(double G) {
  std::vector<double> times;
  for (int period = 0; 0.02L * period < T; ++period) {
    const long double cycle = 0.02L * period;
    const long double off = zero(current, cycle + 0.005L, cycle + 0.01L) + C / G;
    if (off > T) break;
    times.push_back(static_cast<double>(off));
    const long double c_0 = u(off);
    const long double on =
        zero([&](long double t) { return u(t) - discharged(c_0, t - off); }, cycle + 0.02L, cycle + 0.025L);
    if (on > T) break;
    times.push_back(static_cast<double>(on));
  }
  return times;
}

/// Of |u|, as two diodes make it: the same in every half of a period.
std::vector<double> exact_times_of_both(double G) {
  std::vector<double> times;
  const long double off = zero(current, 0.005L, 0.01L) + C / G, c_0 = u(off);
  const long double on =
      zero([&](long double t) { return u(t - 0.01L) - discharged(c_0, t - off); }, 0.01L, 0.015L);
  for (int half = 0; 0.01L * half < T; ++half)
    for (const long double t : {0.01L * half + off, 0.01L * half + on})
      if (t < T) times.push_back(static_cast<double>(t));
  return times;
}

struct Form {
  std::string name, flow;
  std::vector<RelationSource> equations, constraints;
  bool has_binary = true;
};

std::vector<Form> forms() {
  return {
      {"constraint", "(u - c)*(G*z + leak*(1 - z))", {}, {"(1 - 2*z)*(u - c) <= 0"}},
      {"two constraints", "G*z*u - G*z*c", {}, {"(u - c)*(1 - z) <= 0", "(c - u)*z <= 0"}},
      {"current", "i", {"i = (u - c)*(G*z + leak*(1 - z))"}, {"(1 - 2*z)*(u - c) <= 0"}},
      {"condition", "(if u > c then G else leak)*(u - c)", {}, {}, false},
      {"maximum", "G*max(u - c, 0)", {}, {}, false},
      {"blocking", "(u - c)*(leak*z + G*(1 - z))", {}, {"(1 - 2*z)*(c - u) <= 0"}},
  };
}

Source rectifier(const Form& form, double G, double leak) {
  Source source;
  source.parameters = {{"G", G}, {"leak", leak}};
  source.inputs = {{.name = "u", .form = SineSource{A, 50.0, 0.0, 0.0}}};
  source.states = {{"c", 0.0}};
  if (!form.equations.empty()) source.algebraic = {{"i"}};
  if (form.has_binary) source.binaries = {{"z"}};
  source.equations = form.equations;
  source.equations.emplace_back("1e-4*der(c) = " + form.flow + " - (0.02*c + 0.001*c^2)");
  source.constraints = form.constraints;
  source.experiment = {.stop = T};
  return source;
}

TEST(NonlinearRectifiers, SwitchOnTimeHoweverTheyAreWritten) {
  for (const Form& form : forms())
    for (const double G : {1e3, 1e4, 1e6, 1e9})
      for (const double leak : {0.0, 1e-15}) {
        const Model model = build(rectifier(form, G, leak));
        const std::vector<double> exact = exact_times(G);
        for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12})
          for (const double atol : {rtol, 0.01 * rtol}) {
            const std::string what = form.name + ", G = " + std::to_string(G) +
                                     ", leak = " + (leak > 0.0 ? "1e-15" : "0") + ", rtol = 1e" +
                                     std::to_string(std::log10(rtol)) + ", atol = 1e" +
                                     std::to_string(std::log10(atol));
            const Trajectory trajectory = simulate(model, {.rtol = rtol, .atol = atol, .max_events = 100});
            ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what;
            std::vector<double> times = test::event_times(trajectory);
            ASSERT_EQ(times.size(), exact.size()) << what;
            // What (C/G)² leaves of the closed form.
            const double of_oracle = 100.0 * w * C * C / (G * G);
            for (std::size_t k = 0; k < exact.size(); ++k)
              EXPECT_NEAR(times[k], exact[k], 10.0 * rtol * T + of_oracle) << what << ", event " << k;
          }
      }
}

TEST(NonlinearRectifiers, SwitchOnTimeInBothHalves) {
  for (const double G : {1e3, 1e6, 1e9})
    for (const bool by_conditions : {true, false}) {
      Source source;
      source.parameters = {{"G", G}};
      source.inputs = {{.name = "u", .form = SineSource{A, 50.0, 0.0, 0.0}}};
      source.states = {{"c", 0.0}};
      source.equations = {by_conditions
                              ? "1e-4*der(c) = G*max(u - c, 0) + G*max(-u - c, 0) - 0.02*c - 0.001*c^2"
                              : "1e-4*der(c) = G*z1*(u - c) - G*z2*(u + c) - 0.02*c - 0.001*c^2"};
      if (!by_conditions) {
        source.binaries = {{"z1"}, {"z2"}};
        source.constraints = {"(1 - 2*z1)*(u - c) <= 0", "(2*z2 - 1)*(u + c) <= 0"};
      }
      source.experiment = {.stop = T};
      const Model model = build(source);
      const std::vector<double> exact = exact_times_of_both(G);
      for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
        const std::string what = std::to_string(G) + ", rtol = 1e" + std::to_string(std::log10(rtol));
        const Trajectory trajectory = simulate(model, {.rtol = rtol, .atol = 0.01 * rtol, .max_events = 100});
        ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what;
        const std::vector<double> times = test::event_times(trajectory);
        ASSERT_EQ(times.size(), exact.size()) << what;
        for (std::size_t k = 0; k < exact.size(); ++k)
          EXPECT_NEAR(times[k], exact[k], 10.0 * rtol * T + 100.0 * w * C * C / (G * G)) << what;
      }
    }
}

/// A load so small that rounding of u − c, times G, holds power series to steps of C/G: they took a million of them.
TEST(NonlinearRectifiers, AreLeftToIdaWhereRoundingHoldsSeriesUp) {
  constexpr double amplitude = 325.0, phase = 3.91, capacity = 0.00117, G = 4.7e7, stop = 0.068;
  Source source;
  source.inputs = {{.name = "u", .form = SineSource{amplitude, 50.0, phase, 0.0}}};
  source.states = {{"c", 0.0}};
  source.algebraic = {{"i"}};
  source.binaries = {{"z"}};
  source.equations = {"i = (u - c - 0.7)*(4.7e7*z + 1e-12*(1 - z))",
                      "0.00117*der(c) = i - (0.0006*c + 0.00049*sin(c))"};
  source.constraints = {"(1 - 2*z)*(u - c - 0.7) <= 0"};
  source.experiment = {.stop = stop};
  // Off C/G after what the capacitor and the load take passes zero; on where c, which falls by its load, meets u − 0.7 again.
  const auto beyond = [&](long double t) { return amplitude * std::sin(w * t + phase) - 0.7L; };
  const auto load = [](long double c) { return 0.0006L * c + 0.00049L * std::sin(c); };
  const auto taken = [&](long double t) {
    return capacity * amplitude * w * std::cos(w * t + phase) + load(beyond(t));
  };
  const auto fallen = [&](long double c, long double h) {  // by the rule of Runge and Kutta
    const auto slope = [&](long double at) { return -load(at) / capacity; };
    const long double k1 = slope(c), k2 = slope(c + h / 2 * k1), k3 = slope(c + h / 2 * k2),
                      k4 = slope(c + h * k3);
    return c + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  };
  const long double off = zero(taken, 0.0125L, 0.013L) + capacity / G;
  long double t = off, c = beyond(off);
  for (constexpr long double h = 1e-6L; t < 0.0225L || beyond(t + h) < fallen(c, h); t += h) c = fallen(c, h);
  const long double on = t + zero([&](long double h) { return beyond(t + h) - fallen(c, h); }, 0.0L, 1e-6L);
  // ε·325 V over the slope of the diode's voltage where it turns off, some C u''/G.
  const double of_rounding = 1e-16 * amplitude / (capacity * amplitude * w * w / G);
  const std::vector<long double> exact{
      zero(beyond, 0.007L, 0.008L), off, on, off + 0.02L, on + 0.02L, off + 0.04L};
  const Model model = build(source);
  for (const double rtol : {1e-11, 1e-10, 1e-9, 1e-7}) {
    const Trajectory trajectory = simulate(model, {.rtol = rtol, .atol = 0.01 * rtol});
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << rtol;
    EXPECT_LT(trajectory.statistics.steps, 100'000) << rtol;
    const std::vector<double> times = test::event_times(trajectory);
    ASSERT_EQ(times.size(), exact.size()) << rtol;
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_NEAR(times[k], static_cast<double>(exact[k]), 10.0 * rtol * stop + of_rounding)
          << rtol << ", event " << k;
  }
}

}  // namespace nonlinear_rectifier_test
}  // namespace mti
