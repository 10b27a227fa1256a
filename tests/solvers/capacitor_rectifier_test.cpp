#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// A diode of small resistance directly before a capacitor: its current (u − v)/Ron is a difference of large numbers times a
/// large one, and what it is in truth, C·v' + v/R, no state tells.
namespace mti {
namespace capacitor_rectifier_test {

constexpr double A = 100.0, w = 2.0 * std::numbers::pi * 50.0, T = 0.055;

struct Circuit {
  double Ron, Goff, C, R;
};

/// C v' = k (u − v) − v/R with u = A sin wt from v(t₀): v = P sin wt + Q cos wt + K e^{−λ(t−t₀)}, and u − v without
/// cancellation,
///
///     u − v = A (w² + λ/(RC))/(λ² + w²) sin wt − Q cos wt − K e^{−λ(t−t₀)} .
class Phase {
 public:
  Phase(const Circuit& c, bool on, double t_0, double v_0, bool from_u) : t_0_(t_0) {
    const double k = on ? 1.0 / c.Ron : c.Goff, b = k * A / c.C;
    lambda_ = (k + 1.0 / c.R) / c.C;
    const double square = lambda_ * lambda_ + w * w;
    P_ = b * lambda_ / square;
    Q_ = -b * w / square;
    rest_ = A * (w * w + lambda_ / (c.R * c.C)) / square;
    K_ = from_u ? rest_ * std::sin(w * t_0) - Q_ * std::cos(w * t_0)
                : v_0 - P_ * std::sin(w * t_0) - Q_ * std::cos(w * t_0);
  }
  [[nodiscard]] double difference(double t) const {
    return rest_ * std::sin(w * t) - Q_ * std::cos(w * t) - decayed(t);
  }
  [[nodiscard]] double v(double t) const { return P_ * std::sin(w * t) + Q_ * std::cos(w * t) + decayed(t); }

 private:
  [[nodiscard]] double decayed(double t) const { return K_ * std::exp(-lambda_ * (t - t_0_)); }
  double t_0_, lambda_ = 0.0, P_ = 0.0, Q_ = 0.0, rest_ = 0.0, K_ = 0.0;
};

struct Exact {
  std::vector<double> times;
  double v_end = 0.0, i_end = 0.0;
};

/// Switches where u − v changes its sign, bracketed and bisected; it conducts from t = 0 on.
Exact exact_run(const Circuit& c) {
  constexpr double scan = 2e-5, first_look = 1e-9;
  Exact exact;
  bool on = true;
  Phase phase(c, on, 0.0, 0.0, true);
  double begin = 0.0;
  while (true) {
    double t = begin + first_look;
    while (t < T && (phase.difference(t) > 0.0) == on) t += scan;
    if (t >= T) break;
    double left = t - scan, right = t;
    for (int bisection = 0; bisection < 60; ++bisection) {
      const double middle = 0.5 * (left + right);
      ((phase.difference(middle) > 0.0) == on ? left : right) = middle;
    }
    exact.times.push_back(right);
    on = !on;
    phase = Phase(c, on, right, phase.v(right), on);
    begin = right;
  }
  exact.v_end = phase.v(T);
  exact.i_end = phase.difference(T) * (on ? 1.0 / c.Ron : c.Goff);
  return exact;
}

/// The same diode in six ways: by a parameter along its characteristic, by its voltage, by its current, by both, and by a
/// difference of u and vc that is no signal, with and without the current as one.
Source rectifier(const Circuit& c, int form) {
  Source source;
  source.parameters = {{"Ron", c.Ron}, {"Goff", c.Goff}, {"C", c.C}, {"R", c.R}};
  source.inputs = {{.name = "u", .form = SineSource{A, 50.0, 0.0, 0.0}}};
  source.states = {{"vc", 0.0}};
  source.algebraic = {{"v"}, {"i"}};
  source.binaries = {{"z", 1.0}};
  source.experiment = {.stop = T};
  if (form >= 4) {
    source.algebraic = {};
    source.equations = {"C*der(vc) = (u - vc)*(z/Ron + (1 - z)*Goff) - vc/R"};
    source.constraints = {"(1 - 2*z)*(u - vc) <= 0"};
    if (form == 4) return source;
    source.algebraic = {{"i"}};
    source.equations = {"i = (u - vc)*(z/Ron + (1 - z)*Goff)", "C*der(vc) = i - vc/R"};
    return source;
  }
  source.equations = {"u = v + vc", "C*der(vc) = i - vc/R"};
  if (form == 0) {
    source.algebraic.push_back({"s"});
    source.equations.insert(source.equations.end(), {"v = s*(z*Ron + 1 - z)", "i = s*(z + (1 - z)*Goff)"});
    source.constraints = {"(1 - 2*z)*s <= 0"};
  } else if (form == 1) {
    source.equations.emplace_back("i = v*(z/Ron + (1 - z)*Goff)");
    source.constraints = {"(1 - 2*z)*v <= 0"};
  } else if (form == 2) {
    source.equations.emplace_back("v*(z + (1 - z)*Goff) = i*(z*Ron + 1 - z)");
    source.constraints = {"(1 - 2*z)*i <= 0"};
  } else {
    source.equations.emplace_back("v = i*(z*Ron + (1 - z)/Goff)");
    source.constraints = {"-z*i <= 0", "(1 - z)*v <= 0"};
  }
  return source;
}

TEST(CapacitorRectifiers, SwitchOnTimeAtEveryToleranceInFewSteps) {
  for (const double Ron : {1e-3, 1e-6, 1e-9})
    for (const double Goff : {1e-5, 1e-15})
      for (const auto& [C, R] : {std::pair{1e-3, 100.0}, {1e-5, 100.0}, {1e-6, 1e4}}) {
        const Circuit circuit{Ron, Goff, C, R};
        const Exact exact = exact_run(circuit);
        for (int form = 0; form < 6; ++form)
          for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
            const Model model = build(rectifier(circuit, form));
            const Trajectory trajectory = simulate(model, {.rtol = rtol});
            const std::string what = "Ron " + std::to_string(std::log10(Ron)) + " Goff " +
                                     std::to_string(std::log10(Goff)) + " C " +
                                     std::to_string(std::log10(C)) + " form " + std::to_string(form) +
                                     " rtol " + std::to_string(std::log10(rtol)) + ": ";
            ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop)
                << what << trajectory.outcome.message;
            const std::vector<double> times = test::event_times(trajectory);
            ASSERT_EQ(times.size(), exact.times.size()) << what;
            for (std::size_t k = 0; k < times.size(); ++k)
              EXPECT_NEAR(times[k], exact.times[k], 10.0 * rtol * T) << what << "event " << k;
            const auto end = [&](const char* name) {
              return trajectory.end_point.at(static_cast<std::size_t>(*model.signature.find(name)));
            };
            // A shift of the last switch by 10·rtol·T moves v by no more than its largest slope times that.
            EXPECT_NEAR(end("vc"), exact.v_end, 10.0 * rtol * (A + T * A * w)) << what;
            EXPECT_LE(trajectory.statistics.steps, 400) << what;
            test::expect_well_formed(trajectory);
          }
      }
}

/// Without a diode: i = G (u − a) for G up to 1e12, against its phasor, at tolerances where rounding of a hides it.
TEST(CapacitorRectifiers, ACurrentThroughASmallResistanceHasItsDigits) {
  constexpr double C = 1e-3, R = 100.0;
  for (const double G : {1e3, 1e5, 1e7, 1e9, 1e12})
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      Source source;
      source.parameters = {{"G", G}};
      source.inputs = {{.name = "u", .form = SineSource{A, 50.0, 0.0, 0.0}}};
      source.states = {{"a", 0.0}};
      source.algebraic = {{"i"}};
      source.equations = {"1e-3*der(a) = i - a/100", "i = (u - a)*G"};
      source.experiment = {.stop = 0.1, .output_interval = 1e-3};
      const Model model = build(source);
      const Trajectory trajectory = simulate(model, {.rtol = rtol});
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << G << ' ' << rtol;
      EXPECT_LE(trajectory.statistics.steps, 2000) << G << ' ' << rtol;
      const Phase phase({1.0 / G, 0.0, C, R}, true, 0.0, 0.0, true);
      const std::size_t i = trajectory.column("i");
      double worst = 0.0;
      for (std::size_t row = 1; row < trajectory.size(); ++row)
        worst =
            std::max(worst, std::abs(trajectory.value(row, i) - G * phase.difference(trajectory.time(row))));
      // The start is known to its tolerance alone; what it leaves of i has relaxed in 10·C/G.
      EXPECT_LE(worst, 100.0 * rtol * C * A * w + 10.0 * G * rtol * A * std::exp(-1e-3 * G / C))
          << G << ' ' << rtol;
    }
}

}  // namespace capacitor_rectifier_test
}  // namespace mti
