#include "mti/functions/elementary_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/functions/function_series.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "mti/multilinear/row_map.hpp"
#include "tests/mti/functions/function_series_values.hpp"

namespace mti {
namespace elementary_function_test {

ElementaryFunction function_of(const test::FunctionValues& values) {
  ElementaryFunction phi = find_function(values.function).value();
  phi.exponent = values.exponent;
  return phi;
}

std::vector<double> argument_of(const test::FunctionValues& values, std::size_t orders) {
  std::vector<double> a(orders, 0.0);
  a[0] = values.a0;
  a[1] = 0.25;
  a[2] = -0.125;
  a[3] = 0.0625;
  return a;
}

/// What a coefficient is rounded relative to: the largest of its neighbours, for single ones may vanish.
double size_about(const std::array<double, 21>& c, std::size_t k) {
  double size = std::abs(c[k]);
  if (k > 0) size = std::max(size, 0.25 * std::abs(c[k - 1]));
  if (k + 1 < c.size()) size = std::max(size, std::abs(c[k + 1]));
  return size;
}

TEST(ElementaryFunction, SeriesAreThoseOfTheFunctionToOrder20) {
  for (const test::FunctionValues& values : test::function_values) {
    const FunctionExpansion made =
        expand(function_of(values), argument_of(values, values.coefficients.size()));
    for (std::size_t k = 0; k < values.coefficients.size(); ++k)
      EXPECT_NEAR(made.r[k], values.coefficients[k],
                  4.0 * (static_cast<double>(k) + 1.0) * machine_epsilon * size_about(values.coefficients, k))
          << values.function << " at " << values.a0 << ", order " << k;
  }
}

/// r' = s·a' ties the slope to the values, and s_0 is φ'(a_0).
TEST(ElementaryFunction, SlopesAreThoseOfTheSeries) {
  for (const test::FunctionValues& values : test::function_values) {
    const ElementaryFunction phi = function_of(values);
    EXPECT_NEAR(phi.slope(values.a0), values.coefficients[1] / 0.25,
                16.0 * machine_epsilon * std::abs(values.coefficients[1] / 0.25))
        << values.function << " at " << values.a0;
  }
}

TEST(ElementaryFunction, OutsideOfTheDomainIsNoNumberAndTheMarginTellsIt) {
  const auto phi = [](const char* name) { return find_function(name).value(); };
  for (const char* const name : {"sqrt", "log"}) {
    EXPECT_FALSE(std::isfinite(phi(name).value(-0.5))) << name;
    EXPECT_LT(phi(name).margin(-0.5), 0.0) << name;
    EXPECT_EQ(phi(name).margin(0.25), 0.25) << name;
  }
  for (const char* const name : {"asin", "acos", "atanh"}) {
    EXPECT_FALSE(std::isfinite(phi(name).value(1.5))) << name;
    EXPECT_LT(phi(name).margin(1.5), 0.0) << name;
    EXPECT_EQ(phi(name).margin(-0.75), 0.25) << name;
  }
  EXPECT_FALSE(std::isfinite(phi("acosh").value(0.5)));
  EXPECT_EQ(phi("acosh").margin(1.5), 0.5);
  EXPECT_EQ(phi("sin").margin(1e9), std::numeric_limits<double>::infinity());
}

/// 0 = v_1 − φ(v_0) as a row of a map, against the complex step Im φ(a + ih)/h and the values.
TEST(ElementaryFunction, RowsOfMapsHaveItsValueAndGradient) {
  const ElementaryFunction phi = find_function("exp").value();
  CpBuilder builder(2, 1);
  const AffineFactor result{1, 0.0, 1.0};
  builder.add(0, 1.0, std::span(&result, 1));
  builder.add_function(0, -1.0, 0, phi);
  const CpMap map = builder.build();
  const std::vector<double> v{0.75, 0.5};
  const double h = 1e-100;
  const double value = 0.5 - std::exp(0.75), slope = std::exp(std::complex<double>(0.75, h)).imag() / h;

  const RowMap rows(map);
  EXPECT_DOUBLE_EQ(rows.value(0, v), value);
  std::vector<double> gradient(2, 0.0);
  rows.gradient(0, v, [&](int signal, double part) { gradient[at(signal)] += part; });
  EXPECT_DOUBLE_EQ(gradient[0], -slope);
  EXPECT_DOUBLE_EQ(gradient[1], 1.0);

  const CpKernel kernel(map);
  CpKernel::Workspace workspace = kernel.workspace();
  std::vector<double> f(1), J(kernel.pattern().nonzeros());
  kernel.value_and_jacobian(v, f, J, workspace);
  EXPECT_DOUBLE_EQ(f[0], value);
  ASSERT_EQ(J.size(), 2U);
  EXPECT_DOUBLE_EQ(J[0], -slope);
  EXPECT_DOUBLE_EQ(J[1], 1.0);

  TaylorSeries series(2);
  series.add_order();
  series.add_order();
  series.at(0, 0) = {0.75, 1e-6};
  series.at(1, 0) = {0.5, 0.0};
  series.at(0, 1) = {2.0, 0.0};
  series.at(1, 1) = {3.0, 0.0};
  EXPECT_NEAR(rows.coefficient(0, series, 0).error, slope * 1e-6, 1e-11);
  EXPECT_NEAR(rows.coefficient(0, series, 1).value, 3.0 - slope * 2.0, 1e-14);
  EXPECT_NEAR(rows.coefficient(0, series, 1).error, 2.0 * slope * 1e-6, 1e-11);
}

}  // namespace elementary_function_test
}  // namespace mti
