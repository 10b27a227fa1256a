#include "mti/multilinear/cp_map.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti {
namespace cp_map_test {

using test::columns_of;
using test::Random;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// a + b·v = scale · (1 − |S| + S v) for every v, also with a or b or both 0.
TEST(Normalise, IsTheSameFunction) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double a = trial % 5 == 0 ? 0.0 : random.uniform(-3.0, 3.0);
    const double b = trial % 7 == 0 ? 0.0 : random.uniform(-3.0, 3.0);
    const NormalisedFactor normal = normalise(a, b);
    EXPECT_LE(std::abs(normal.S), 1.0) << a << " + " << b << " v";
    for (const double v : {-10.0, -1.0, 0.0, 0.3, 1.0, 10.0})
      EXPECT_NEAR(normal.scale * (1.0 - std::abs(normal.S) + normal.S * v), a + b * v,
                  8.0 * epsilon * (std::abs(a) + std::abs(b * v) + std::abs(b)))
          << a << " + " << b << " v at " << v;
  }
}

TEST(Normalise, KnownFactors) {
  const auto expect = [](double a, double b, double S, double scale) {
    EXPECT_EQ(normalise(a, b).S, S) << a << " + " << b << " v";
    EXPECT_EQ(normalise(a, b).scale, scale) << a << " + " << b << " v";
  };
  expect(0.0, 1.0, 1.0, 1.0);
  expect(0.0, -4.0, -1.0, 4.0);
  expect(1.0, -1.0, -0.5, 2.0);
  expect(-1.0, 1.0, -0.5, -2.0);
  expect(-3.0, -1.0, 0.25, -4.0);
  expect(-2.0, 0.0, 0.0, -2.0);
  EXPECT_EQ(normalise(0.0, 0.0).scale, 0.0);
}

/// 2·v1·v2 and 3·v2·v1 are one column; so are (1 + v0) and (2 + 2 v0).
TEST(CpBuilder, MergesEqualColumns) {
  CpBuilder builder(3, 2);
  const std::vector<AffineFactor> forward = {{1, 0.0, 1.0}, {2, 0.0, 1.0}};
  const std::vector<AffineFactor> backward = {{2, 0.0, 1.0}, {1, 0.0, 1.0}};
  builder.add(0, 2.0, forward);
  builder.add(1, 3.0, backward);
  builder.add(0, 5.0, backward);
  builder.add(0, 1.0, std::vector<AffineFactor>{{0, 1.0, 1.0}});
  builder.add(1, 1.0, std::vector<AffineFactor>{{0, 2.0, 2.0}});
  builder.add_normalised(1, 7.0, std::vector<std::pair<int, double>>{{0, 0.5}});
  const CpMap map = builder.build();
  Eigen::MatrixXd S(3, 2), Phi(2, 2);
  S << 0, 0.5, 1, 0, 1, 0;
  Phi << 7, 2, 3, 4 + 7;
  EXPECT_EQ(Eigen::MatrixXd(map.S()), S);
  EXPECT_EQ(Eigen::MatrixXd(map.Phi()), Phi);
}

TEST(CpBuilder, FoldsConstantFactorsIntoTheCoefficient) {
  CpBuilder builder(2, 1);
  builder.add(0, 3.0, std::vector<AffineFactor>{{0, -2.0, 0.0}, {1, 0.0, 1.0}});
  builder.add(0, 3.0, std::vector<AffineFactor>{{0, 0.0, 0.0}, {1, 1.0, 1.0}});  // vanishes
  const CpMap map = builder.build();
  ASSERT_EQ(map.columns(), 1);
  EXPECT_EQ(map.Phi().coeff(0, 0), -6.0);
  EXPECT_EQ(map.S().col(0).nonZeros(), 1);
}

/// 0.1 + 0.2 − 0.3 is not 0 in doubles; the entry goes, the column stays as long as another row has it.
TEST(CpBuilder, DropsWhatCancels) {
  const std::vector<AffineFactor> factor = {{0, 0.0, 1.0}};
  CpBuilder builder(1, 2);
  for (const double part : {0.1, 0.2, -0.3}) builder.add(0, part, factor);
  EXPECT_EQ(builder.build().columns(), 0);
  builder.add(1, 1e-300, factor);
  EXPECT_EQ(builder.build().columns(), 1);
  EXPECT_EQ(builder.build().Phi().nonZeros(), 1);
  // A small difference that is not rounding stays.
  builder.add(0, 1e-12, factor);
  EXPECT_EQ(builder.build().Phi().nonZeros(), 2);
}

TEST(CpBuilder, KeepsTheOrderOfFirstAppearance) {
  CpBuilder builder(4, 1);
  for (const int signal : {2, 0, 3, 0, 1, 2, 3})
    builder.add(0, 1.0 + signal, std::vector<AffineFactor>{{signal, 0.0, 1.0}});
  const CpMap map = builder.build();
  ASSERT_EQ(map.columns(), 4);
  const std::vector<int> order = {2, 0, 3, 1};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(map.S().coeff(order[at(k)], k), 1.0);
}

/// The function stays the same, whatever is merged.
TEST(CpBuilder, SumsRandomTerms) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    CpBuilder builder(4, 2);
    const std::vector<double> v = random.point(4);
    double sum[2] = {0.0, 0.0}, size = 0.0;
    for (int term = 0; term < 60; ++term) {
      std::vector<AffineFactor> factors;
      double product = random.uniform(-2.0, 2.0), bound = std::abs(product);
      const int row = random.index(2);
      const double coefficient = product;
      for (int signal = 3; signal >= 0; --signal)
        if (random.index(2) == 0) {
          const double a = random.index(3) - 1.0, b = random.index(3) - 1.0;
          factors.push_back({signal, a, b});
          product *= a + b * v[at(signal)];
          bound *= std::abs(a) + std::abs(b) * (1.0 + std::abs(v[at(signal)]));
        }
      builder.add(row, coefficient, factors);
      sum[row] += product;
      size += bound;
    }
    const CpMap map = builder.build();
    EXPECT_LE(map.columns(), 5 * 5 * 5 * 5);  // each signal: absent, ±v, 1 ± v
    const std::vector<long double> value = test::naive_value(map, v);
    for (const std::size_t row : {0U, 1U})
      EXPECT_NEAR(static_cast<double>(value[row]), sum[row], 200.0 * epsilon * size);
  }
}

std::string refusal(const Eigen::MatrixXd& S, const Eigen::MatrixXd& Phi) {
  try {
    const CpMap map(columns_of(S), columns_of(Phi));
  } catch (const InvalidModel& error) {
    return error.faults().front().id;
  }
  return "";
}

TEST(CpMap, RefusesWhatIsNoNormalisedMap) {
  const auto number = [](double value) { return Eigen::MatrixXd::Constant(1, 1, value); };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(number(1.0), number(5.0)), "");
  EXPECT_EQ(refusal(number(-1.0), number(5.0)), "");
  EXPECT_EQ(refusal(number(1.0 + epsilon), number(5.0)), "not-normalised");
  EXPECT_EQ(refusal(number(-1.5), number(5.0)), "not-normalised");
  EXPECT_EQ(refusal(number(nan), number(5.0)), "not-finite");
  EXPECT_EQ(refusal(number(1.0), number(nan)), "not-finite");
  EXPECT_EQ(refusal(number(1.0), number(infinity)), "not-finite");
  EXPECT_EQ(refusal(Eigen::MatrixXd::Ones(1, 2), number(5.0)), "matrix-size");
}

TEST(CpBuilder, RefusesAnOverflow) {
  CpBuilder builder(1, 1);
  for (int i = 0; i < 2; ++i) builder.add(0, 1e308, {});
  try {
    static_cast<void>(builder.build());
    FAIL() << "2e308 was taken";
  } catch (const InvalidModel& error) {
    EXPECT_EQ(error.faults().front().id, "not-finite");
  }
}

}  // namespace cp_map_test
}  // namespace mti
