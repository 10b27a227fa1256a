// First-order and total effects beside closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "solvers/sampling/total_effects.hpp"
#include "solvers/sampling/unit_design.hpp"

namespace mti::test {
namespace total_effects_test {

using Function = std::function<double(const std::vector<double>&)>;

/// Values of f in blocks, of N pairs of points of Sobol's sequence in the unit cube.
std::vector<double> in_blocks(const Function& f, int d, long N, std::uint64_t seed) {
  const UnitDesign design(Spread::sobol, N, 2 * d, seed);
  std::vector<double> y;
  for (long b = 0; b < N; ++b)
    for (int k = 0; k <= d + 1; ++k) {
      std::vector<double> x;
      for (int j = 0; j < d; ++j) x.push_back(design.coordinate(b, k == d + 1 || k == j + 1 ? d + j : j));
      y.push_back(f(x));
    }
  return y;
}

/// f = sin a + 7 sin² b + c⁴ sin(a)/10 with a, b, c equally distributed in ±π (Ishigami and Homma 1990).
TEST(TotalEffects, OfIshigamisFunction) {
  constexpr double pi = std::numbers::pi;
  const Function f = [](const std::vector<double>& u) {
    const double a = pi * (2 * u[0] - 1), b = pi * (2 * u[1] - 1), c = pi * (2 * u[2] - 1);
    return std::sin(a) + 7 * std::pow(std::sin(b), 2) + 0.1 * std::pow(c, 4) * std::sin(a);
  };
  // E[c⁴] = π⁴/5 and E[c⁸] = π⁸/9.
  const double first_a = std::pow(1 + std::pow(pi, 4) / 50, 2) / 2, first_b = 49.0 / 8;
  const double both = (std::pow(pi, 8) / 900 - std::pow(pi, 8) / 2500) / 2, all = first_a + first_b + both;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Effects effects = effects_of(in_blocks(f, 3, 4096, seed), 3);
    // Sobol's points are right to about 1/N; 1/√N is what independent ones are.
    constexpr double near = 1.0 / 64;
    EXPECT_NEAR(effects.first_order[0], first_a / all, near);
    EXPECT_NEAR(effects.first_order[1], first_b / all, near);
    EXPECT_NEAR(effects.first_order[2], 0.0, near);
    EXPECT_NEAR(effects.total[0], (first_a + both) / all, near);
    EXPECT_NEAR(effects.total[1], first_b / all, near);
    EXPECT_NEAR(effects.total[2], both / all, near);
  }
}

/// f = Σ k x_k: S_k = T_k = k²/Σ k². And a product of two.
TEST(TotalEffects, OfSumsAndProducts) {
  const auto sum = [](const std::vector<double>& x) { return x[0] + 2 * x[1] + 3 * x[2] + 1e6; };
  const Effects linear = effects_of(in_blocks(sum, 3, 1024, 7), 3);
  for (int k = 1; k <= 3; ++k) {
    EXPECT_NEAR(linear.first_order[static_cast<std::size_t>(k - 1)], k * k / 14.0, 5e-3);
    EXPECT_NEAR(linear.total[static_cast<std::size_t>(k - 1)], k * k / 14.0, 5e-3);
  }
  // x y with E = 1/2, E[x²] = 1/3: V = 1/9 − 1/16, V_x = 1/4·1/12, V_xy = 1/144.
  const Effects product =
      effects_of(in_blocks([](const std::vector<double>& x) { return x[0] * x[1]; }, 2, 4096, 7), 2);
  const double V = 1.0 / 9 - 1.0 / 16;
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(product.first_order[j], 1.0 / 48 / V, 5e-3);
    EXPECT_NEAR(product.total[j], (1.0 / 48 + 1.0 / 144) / V, 5e-3);
  }
}

/// Nothing explains what is constant, and effects do not depend on units, be they as large or small as numbers can be.
TEST(TotalEffects, DoNotDependOnUnits) {
  const std::vector<double> y =
      in_blocks([](const std::vector<double>& x) { return x[0] * x[1] + x[1]; }, 2, 64, 3);
  const Effects effects = effects_of(y, 2);
  for (const double unit : {1e-290, 1e-3, 1e300}) {
    std::vector<double> scaled;
    for (const double value : y) scaled.push_back(unit * value);
    const Effects same = effects_of(scaled, 2);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(same.first_order[j], effects.first_order[j], 1e-12) << unit;
      EXPECT_NEAR(same.total[j], effects.total[j], 1e-12) << unit;
    }
  }
  const Effects none = effects_of(std::vector<double>(16, 0.1), 2);
  EXPECT_EQ(none.first_order, (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(none.total, (std::vector<double>{0.0, 0.0}));
}

}  // namespace total_effects_test
}  // namespace mti::test
