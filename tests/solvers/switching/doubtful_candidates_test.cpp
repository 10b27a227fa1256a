#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/solvers/switching/bridge_by_steps.hpp"
#include "tests/solvers/switching/three_phase_bridge.hpp"

/// A mode that leaves signals open by far more than their tolerances is not taken where another one is decided.
namespace mti {
namespace doubtful_candidates_test {

TEST(DoubtfulCandidates, DiodesWithALeakageCommutateAsIdealOnesDo) {
  using test::Diode;
  struct Load {
    Source (*of)(Diode, double);
    std::string signal;
  };
  for (const Load& load : {Load{test::bridge_with_capacitor, "uC"}, Load{test::bridge_with_coil, "Id"}}) {
    const Trajectory ideal = test::run(load.of(Diode::ideal, 0.0), test::with_accuracy(1e-9));
    ASSERT_EQ(ideal.outcome.kind, OutcomeKind::reached_stop) << ideal.outcome.message;
    const double expected = test::last(ideal, load.signal);
    for (const double leak : {1e-8, 1e-9})
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        SimulationOptions options = test::with_accuracy(tolerance);
        options.max_events = 1000;
        const Trajectory run = test::run(load.of(Diode::leaking, leak), options);
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        EXPECT_NEAR(test::last(run, load.signal), expected, 10.0 * tolerance * expected + 1e-4)
            << load.signal << " " << leak << " " << tolerance;
        EXPECT_LE(run.events.size(), ideal.events.size() + 2)
            << load.signal << " " << leak << " " << tolerance;
      }
  }
}

/// Steps of 20 µs and 10 µs, extrapolated, are some millivolts off.
TEST(DoubtfulCandidates, DiodesWithALeakageAreThoseOfSmallSteps) {
  const double leak = 1e-9, expected = test::BridgeBySteps(leak).extrapolated(2e-5);
  for (const double tolerance : {1e-4, 1e-6}) {
    const Trajectory run =
        test::run(test::bridge_with_capacitor(test::Diode::leaking, leak), test::with_accuracy(tolerance));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(test::last(run, "uC"), expected, 10.0 * tolerance * expected + 0.02) << tolerance;
  }
}

/// Of 1 mΩ and a leakage, the voltage of which is a difference of hundreds of volts; the load makes the modes stiff and not affine.
TEST(DoubtfulCandidates, DiodesByTheirConductanceCommutateWhenTheirCurrentsEnd) {
  using test::Diode;
  const Trajectory ideal = test::run(test::bridge_with_coil(Diode::ideal, 0.0), test::with_accuracy(1e-9));
  const double expected = test::last(ideal, "Id");
  for (const double leak : {1e-6, 1e-9, 1e-12})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      SimulationOptions options = test::with_accuracy(tolerance);
      options.max_events = 1000;
      const Trajectory run = test::run(test::bridge_with_coil(Diode::conducting, leak), options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      // 2 mΩ of 20 Ω, and the leakage of 300 V.
      EXPECT_NEAR(test::last(run, "Id"), expected, (10.0 * tolerance + 2e-4) * expected + 1e3 * leak)
          << leak << " " << tolerance;
      EXPECT_LE(run.events.size(), ideal.events.size() + 2) << leak << " " << tolerance;
    }
}

/// Six thyristors that fire at 100°, so that the current of the coil ends before the next one does: then all nodes of the bridge are
/// open, and what turns off is told from what fires only by how near it is.
Source thyristor_bridge() {
  Source source;
  source.states = {{"ia"}, {"ib"}, {"id"}};
  for (const char* name : {"va", "vb", "vc", "vp", "vn", "ic"}) source.algebraic.push_back({name});
  const double period = 0.02;
  for (int phase = 0; phase < 3; ++phase) {
    const std::string of(1, static_cast<char>('a' + phase));
    source.inputs.push_back(
        {.name = "e" + of,
         .form = SineSource{
             .amplitude = 325.0, .frequency = 1.0 / period, .phase = -phase * 2.0 * std::numbers::pi / 3.0}});
    for (const std::string side : {"p", "n"}) {
      const double fires = (100.0 + 30.0 + 120.0 * phase + (side == "p" ? 0.0 : 180.0)) / 360.0;
      const std::string k = of + side;
      source.inputs.push_back({.name = "g" + k,
                               .form = PulseSource{.kind = PulseSource::Kind::pwm,
                                                   .period = period,
                                                   .duty = 1.0 / 3.0,
                                                   .start = std::fmod(fires, 1.0) * period},
                               .binary = true});
      source.algebraic.push_back({"d" + k});
      source.algebraic.push_back({"r" + k});
      source.binaries.push_back({"z" + k});
      source.equations.emplace_back("z" + k + "*r" + k + " + (1 - z" + k + ")*d" + k + " = 0");
      source.equations.emplace_back("r" + k + " = " + (side == "p" ? "vp - v" + of : "v" + of + " - vn"));
      source.constraints.emplace_back("d" + k + " >= 0");
      source.constraints.emplace_back("g" + k + "*r" + k + " >= 0");
    }
    source.equations.emplace_back("i" + of + " = d" + of + "p - d" + of + "n");
  }
  for (const char* equation :
       {"ia + ib + ic = 0", "0.001*der(ia) = ea - va", "0.001*der(ib) = eb - vb",
        "-0.001*(der(ia) + der(ib)) = ec - vc", "0.05*der(id) = vp - vn - 10*id", "id = dap + dbp + dcp"})
    source.equations.emplace_back(equation);
  source.experiment.stop = 0.05;
  return source;
}

/// i of the coil by its firings every 60°, at 160° of the voltage U sin between two lines, √3·325 V, behind 2·1 mH + 50 mH and 10 Ω:
/// U/|Z| (sin(ωs + 160° − φ) − sin(160° − φ) e^(−Rs/L)) until that is 0.
double pulse_of_coil(double t) {
  const double omega = 100.0 * std::numbers::pi, L = 0.052, R = 10.0, U = std::sqrt(3.0) * 325.0;
  const double degree = std::numbers::pi / 180.0, first = 10.0 * degree / omega,
               apart = 60.0 * degree / omega;
  if (t < first) return 0.0;
  const double s = std::fmod(t - first, apart), fired = 160.0 * degree, lag = std::atan2(omega * L, R);
  const auto current = [&](double since) {
    return U / std::hypot(R, omega * L) *
           (std::sin(omega * since + fired - lag) - std::sin(fired - lag) * std::exp(-R / L * since));
  };
  // It rises from 0 and comes back once before the next one fires.
  double flows = 1e-4, ended = apart;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (flows + ended);
    (current(middle) > 0.0 ? flows : ended) = middle;
  }
  return s < flows ? current(s) : 0.0;
}

TEST(DoubtfulCandidates, ThyristorsTurnOffWhereTheirCurrentEndsAndFireWithTheirGates) {
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-8}) {
    SimulationOptions options = test::with_accuracy(tolerance);
    options.atol = 1e-8;
    options.dense = true;
    const Trajectory run = test::run(thyristor_bridge(), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    double off = 0.0, largest = 0.0;
    for (int k = 0; k <= 500; ++k) {
      const double t = 1e-4 * k, expected = pulse_of_coil(t);
      off = std::max(off, std::abs(run.at(t, run.column("id")) - expected));
      largest = std::max(largest, expected);
    }
    EXPECT_GT(largest, 1.0);
    EXPECT_LT(off, 10.0 * tolerance * largest) << tolerance;
  }
}

/// Two Jenkins elements, 10 (u − y) = 2 sign(y') + 10⁻⁵ y': behind u by 0.2 where they slip, and at rest for 0.4 of its way back.
TEST(DoubtfulCandidates, PartsWithAFastLagSlipAndStickBesideEachOther) {
  Source source;
  source.inputs = {
      {.name = "u", .form = SineSource{.amplitude = 0.5, .frequency = 0.2, .phase = std::numbers::pi / 2}}};
  source.algebraic = {{"v0"}, {"v1"}};
  for (const int i : {0, 1}) {
    const std::string k = std::to_string(i), drive = i == 0 ? "u" : "1.003*u";
    source.states.push_back({"y" + k, 0.5 * (i == 0 ? 1.0 : 1.003) - 0.2 - 1e-7});
    source.equations.emplace_back("der(y" + k + ") = v" + k);
    source.equations.emplace_back("10*(" + drive + " - y" + k + ") = 2*sign(v" + k + ") + 1e-5*v" + k);
  }
  source.experiment.stop = 5.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    SimulationOptions options = test::with_accuracy(tolerance);
    options.output_interval = 0.5;
    options.max_events = 100;
    const Trajectory run = test::run(source, options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_LT(run.events.size(), 20U);
    const double lag = 2e-6;  // 10⁻⁵ max |y'|/10, and what the starts are off
    for (const int i : {0, 1}) {
      const double amplitude = 0.5 * (i == 0 ? 1.0 : 1.003);
      const std::string y = i == 0 ? "y0" : "y1";
      EXPECT_NEAR(test::recorded(run, y, 0.5), amplitude - 0.2, 10 * tolerance + lag) << tolerance;
      EXPECT_NEAR(test::recorded(run, y, 2.5), 0.2 - amplitude, 10 * tolerance + lag) << tolerance;
      EXPECT_NEAR(test::last(run, y), amplitude - 0.2, 10 * tolerance + lag) << tolerance;
    }
  }
}

}  // namespace doubtful_candidates_test
}  // namespace mti
