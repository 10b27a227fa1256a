// Orbits that are followed while the period of what drives them varies, T = N·T_u(p).
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <utility>

#include "tests/solvers/orbits/branch_models.hpp"

namespace forcing_period_test {
namespace {

using namespace branch_models;
using Kind = mti::BranchPoint::Kind;

constexpr double turn = 2.0 * std::numbers::pi;

/// x'' + 2ζ x' + x = A u, and a wall at x = 0 with v⁺ = −e v⁻ where there is one.
mti::Source oscillator(double damping, mti::SineSource drive, double start, bool has_wall) {
  mti::Source source;
  source.parameters = {{.name = "om", .value = 1.0}};
  source.states = {{.name = "x", .start = start}, {.name = "v"}};
  source.inputs = {{.name = "u", .form = std::move(drive)}};
  source.equations = {"der(x) = v", "der(v) = -x - " + std::to_string(2.0 * damping) + "*v + u"};
  if (has_wall) {
    source.constraints = {{"wall", "x <= 0"}};
    source.transitions = {{.when = "reach(wall)", .equations = {"v = -0.8*pre(v)"}}};
  }
  return source;
}

const mti::SineSource cosine{.amplitude = 1.0, .frequency = "om/(2*pi)", .phase = 0.25 * turn};

/// x = Re e^(iωt)/(1 − ω² + 2iζω), through the resonance; multipliers e^((−ζ ± i√(1 − ζ²))T).
TEST(ForcingPeriod, OfALinearOscillatorIsSweptThroughItsResonance) {
  constexpr double damping = 0.1;
  for (const int rounds : {1, 2}) {
    const mti::OrbitBranch branch =
        mti::follow_orbit(source_of("om", oscillator(damping, cosine, 1.0, false)),
                          {.orbit = {.period_guess = rounds * turn / 0.5}, .from = 0.5, .to = 2.0});
    ASSERT_TRUE(branch.complete) << branch.message;
    EXPECT_GE(branch.points.size(), 20U);
    EXPECT_EQ(branch.points.back().parameter, 2.0);
    for (const mti::BranchPoint& point : branch.points) {
      const double om = point.parameter;
      EXPECT_NEAR(point.period, rounds * turn / om, 1e-9);
      const std::complex<double> x = 1.0 / std::complex<double>(1.0 - om * om, 2.0 * damping * om);
      EXPECT_NEAR(point.x[0], x.real(), 1e-7);
      EXPECT_NEAR(point.x[1], (std::complex<double>(0.0, om) * x).real(), 1e-7);
      ASSERT_EQ(point.multipliers.size(), 2U);
      EXPECT_NEAR(std::abs(point.multipliers[0]), std::exp(-damping * point.period), 1e-7);
    }
  }
}

/// Of x'' + x = cos ωt with the wall: the orbit of one impact a period in closed form, x = c cos t + ċ sin t + cos(ωt + φ)/(1 − ω²) with
/// t from the impact on. The determinant of its map is e² = 0.64; where the trace is −1.64 one multiplier is −1.
TEST(ForcingPeriod, OfAnImpactOscillatorHasItsPeriodDoubling) {
  // The impact at the phase φ with v⁺: x(0) = 0 = x(T), v(T) = −v⁺/e. With p(t) = cos(ωt + φ)/(1 − ω²) and c = x − p:
  const auto trace = [](long double om) {
    const long double e = 0.8L, k = 1.0L / (1.0L - om * om), T = 2.0L * std::numbers::pi_v<long double> / om;
    const long double C = std::cos(T), S = std::sin(T);
    // c(0) = −k cos φ, ċ(0) = v⁺ + kω sin φ; c(T) = c(0): ċ(0) S = c(0) (1 − C);
    // ẋ(T) = −c(0) S + ċ(0) C − kω sin φ = −v⁺/e.
    // With c = c(0): ċ = c (1 − C)/S, v⁺ = ċ − kω sin φ, and −c S + ċ C − w = −(ċ − w)/e, w = kω sin φ:
    // w (1 + 1/e) = c (−S + (1 − C)/S·(C + 1/e)).
    const long double per_c = (-S + (1.0L - C) / S * (C + 1.0L / e)) / (1.0L + 1.0L / e);
    // c = −k cos φ, w = per_c·c = kω sin φ: tan φ = −per_c/ω.
    const long double phi = std::atan(-per_c / om);
    const long double c = -k * std::cos(phi), w = k * om * std::sin(phi);
    // v⁺ is negative, away from the wall; where it is not, φ is half a turn further, and all signs are others.
    const long double v = c * (1.0L - C) / S - w, sign = v < 0.0L ? 1.0L : -1.0L;
    const long double before = -sign * v / e, force = sign * std::cos(phi);  // ẍ at the wall, on both sides
    // Saltation: δx⁺ = −e δx⁻, δv⁺ = −e δv⁻ + (1 + e) ẍ/v⁻ δx⁻.
    const long double s21 = (1.0L + e) * force / before;
    // Trace of saltation times rotation.
    return s21 * S - 2.0L * e * C;
  };
  long double low = 2.6L, high = 2.7L;
  const bool falls = trace(low) > -1.64L;
  ASSERT_NE(trace(low) > -1.64L, trace(high) > -1.64L);
  for (int halving = 0; halving < 100; ++halving) {
    const long double middle = 0.5L * (low + high);
    ((trace(middle) > -1.64L) == falls ? low : high) = middle;
  }
  const mti::OrbitBranch branch =
      mti::follow_orbit(source_of("om", oscillator(0.0, cosine, -0.3, true)),
                        {.orbit = {.period_guess = turn / 2.6}, .from = 2.6, .to = 2.7});
  ASSERT_TRUE(branch.complete) << branch.message;
  const std::vector<mti::BranchPoint> found = special(branch);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Kind::period_doubling);
  EXPECT_NEAR(found[0].parameter, static_cast<double>(low), 1e-7);
  EXPECT_NEAR(found[0].period, turn / found[0].parameter, 1e-9);
}

/// ẋ = u − x under pulses of period P, high for half of it: from 1/(1 + e^(P/2)) to 1/(1 + e^(−P/2)).
TEST(ForcingPeriod, OfPulses) {
  mti::Source source;
  source.parameters = {{.name = "P", .value = 1.0}};
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u", .form = mti::PulseSource{.period = "P"}}};
  source.equations = {"der(x) = u - x"};
  const mti::OrbitBranch branch =
      mti::follow_orbit(source_of("P", source), {.orbit = {.period_guess = 1.0}, .from = 1.0, .to = 3.0});
  ASSERT_TRUE(branch.complete) << branch.message;
  for (const mti::BranchPoint& point : branch.points) {
    EXPECT_NEAR(point.period, point.parameter, 1e-9);
    EXPECT_NEAR(point.lowest[0], 1.0 / (1.0 + std::exp(0.5 * point.parameter)), 1e-7);
    EXPECT_NEAR(point.highest[0], 1.0 / (1.0 + std::exp(-0.5 * point.parameter)), 1e-7);
    EXPECT_NEAR(point.multipliers[0].real(), std::exp(-point.parameter), 1e-7);
  }
}

}  // namespace
}  // namespace forcing_period_test
