#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// Modes whose fast states have relaxed before anything can be resolved: what follows must be decided by the slow motion, and
/// as exactly as that is known.
namespace mti {
namespace quasi_steady_models_test {

/// τ a' = u − a − 10 z a with z = 1 for a > 0, u = 10 sin(100πt): a follows u through zero at kπ/w, later by τ or τ/11.
TEST(QuasiSteadyModels, ARelayBehindAFastLagSwitchesWithIt) {
  constexpr double stop = 0.035;
  for (const double tau : {1e-12, 1e-11, 1e-10, 3e-10, 1e-9, 1e-8})
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      Source source;
      source.parameters = {{"tau", tau}};
      source.states = {{"a", 0.0}};
      source.inputs = {{.name = "u", .form = SineSource{10.0, 50.0, 0.0, 0.0}}};
      source.binaries = {{"z"}};
      source.equations = {"tau*der(a) = u - a - 10*z*a"};
      source.constraints = {"(1 - 2*z)*a <= 0"};
      source.experiment = {.stop = stop};
      const Trajectory trajectory = test::run(source, {.rtol = rtol});
      const std::string what = std::to_string(std::log10(tau)) + " " + std::to_string(std::log10(rtol));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what << trajectory.outcome.message;
      std::vector<double> times = test::event_times(trajectory);
      const double near = 10.0 * rtol * stop + 2.0 * tau;
      std::erase_if(times,
                    [&](double t) { return t <= near; });  // at the start a is zero, and may wait for τ
      ASSERT_EQ(times.size(), 3U) << what;
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(times[static_cast<std::size_t>(k)], 0.01 * (k + 1), near) << what;
    }
}

/// y = λ(T − m), m' = y, T' = 2u − T: on the slow manifold y is T' but for 1/λ, a small difference times a large number. A relay
/// turns where y reaches ±1/2. T' = 2 sin wt − T with T = (2 sin wt − 2w cos wt)/(1 + w²) + K e^{−t}.
TEST(QuasiSteadyModels, ASlowRateThatIsReadFromAFastDifferenceSwitchesOnTime) {
  constexpr double w = 2.0 * std::numbers::pi, stop = 3.0, T_0 = 0.3;
  const auto slope = [](double t) {
    const double K = T_0 + 2.0 * w / (1.0 + w * w);
    const double T = (2.0 * std::sin(w * t) - 2.0 * w * std::cos(w * t)) / (1.0 + w * w) + K * std::exp(-t);
    return 2.0 * std::sin(w * t) - T;
  };
  std::vector<double> exact;
  double level = 0.5;
  for (int k = 0; 1e-3 * k < stop; ++k) {
    const double t = 1e-3 * k;
    if (!((slope(t + 1e-3) - level) * level > 0.0)) continue;
    double left = t, right = t + 1e-3;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (left + right);
      ((slope(middle) - level) * level > 0.0 ? right : left) = middle;
    }
    if (right < stop) exact.push_back(right);
    level = -level;
  }
  for (const double lambda : {1e8, 1e9, 1e10})
    for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-8}) {
      Source source;
      source.parameters = {{"lambda", lambda}};
      source.states = {{"T", T_0}, {"m", T_0}};
      source.algebraic = {{"y"}};
      source.inputs = {{.name = "u", .form = SineSource{1.0, 1.0, 0.0, 0.0}}};
      source.binaries = {{"z"}};
      source.equations = {"der(T) = 2*u - T", "der(m) = lambda*T - lambda*m", "y = lambda*T - lambda*m"};
      source.constraints = {"(y - 0.5)*(1 - z) <= 0", "(-0.5 - y)*z <= 0"};
      source.experiment = {.stop = stop};
      const Trajectory trajectory = test::run(source, {.rtol = rtol});
      const std::string what = std::to_string(std::log10(lambda)) + " " + std::to_string(std::log10(rtol));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what << trajectory.outcome.message;
      const std::vector<double> times = test::event_times(trajectory);
      ASSERT_EQ(times.size(), exact.size()) << what;
      for (std::size_t k = 0; k < times.size(); ++k)
        EXPECT_NEAR(times[k], exact[k], 10.0 * rtol * stop + 3.0 / lambda) << what << " event " << k;
    }
}

/// y = λ(u − m), m' = y, and q' = y does not forget what it was: m follows u = sin(wt + φ) later by atan(w/λ)/w, and y turns
/// with m, whose second derivative is that of an input.
TEST(QuasiSteadyModels, AnIntegratorOfAFastDifferenceFromAnInputTurnsWithIt) {
  constexpr double w = 2.0 * std::numbers::pi, phase = 0.7, stop = 2.0;
  for (const double lambda : {1e3, 1e6, 1e9, 1e12})
    for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
      Source source;
      source.parameters = {{"lambda", lambda}};
      source.states = {{"m", 0.0}, {"q", 0.0}};
      source.algebraic = {{"y"}};
      source.inputs = {{.name = "u", .form = SineSource{1.0, 1.0, phase, 0.0}}};
      source.binaries = {{"z"}};
      source.equations = {"der(m) = lambda*u - lambda*m", "der(q) = lambda*u - lambda*m",
                          "y = lambda*u - lambda*m"};
      source.constraints = {"y*(1 - 2*z) <= 0"};
      source.experiment = {.stop = stop};
      const Trajectory trajectory = test::run(source, {.rtol = rtol});
      const std::string what = std::to_string(std::log10(lambda)) + " " + std::to_string(std::log10(rtol));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what << trajectory.outcome.message;
      const std::vector<double> times = test::event_times(trajectory);
      ASSERT_EQ(times.size(), 4U) << what;
      for (int k = 0; k < 4; ++k)
        EXPECT_NEAR(times[static_cast<std::size_t>(k)],
                    ((k + 0.5) * std::numbers::pi - phase + std::atan(w / lambda)) / w, 10.0 * rtol * stop)
            << what << " event " << k;
      const double end = std::sin(w * stop + phase - std::atan(w / lambda)) / std::hypot(1.0, w / lambda);
      EXPECT_NEAR(test::recorded(trajectory, "q", stop), end, 10.0 * rtol * stop) << what;
    }
}

/// x = u from the start on, x being 10 before: x⁺ = x⁻ + Δx is right to the rounding of 10, whatever u is.
TEST(QuasiSteadyModels, AJumpToNextToNothingIsAJump) {
  for (const double u : {0.0, 1e-17, 1e-15, 3e-14, 1e-13, 1e-11, 1e-9}) {
    Source source;
    source.states = {{"x", 10.0}};
    source.algebraic = {{"i"}};
    source.inputs = {{.name = "u", .form = Number{u}}};
    source.equations = {"der(x) = i", "x = u"};
    source.experiment = {.stop = 1.0};
    const Trajectory trajectory = test::run(source);
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << u << trajectory.outcome.message;
    EXPECT_NEAR(test::recorded(trajectory, "x", 1.0), u, 1e-14) << u;
  }
}

}  // namespace quasi_steady_models_test
}  // namespace mti
