#include "mti/multilinear/cp_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "mti/model/freeze.hpp"
#include "mti/model/frozen_rows.hpp"
#include "mti/multilinear/cp_rows.hpp"
#include "tests/mti/multilinear/random_map.hpp"

/// Value, Jacobian (8) and rate (9) against products formed one by one and against differences.
namespace mti {
namespace cp_kernel_test {

using test::Random;

struct Evaluated {
  std::vector<double> f, J;
  SparsePattern pattern;

  /// J as (rows × signals).
  [[nodiscard]] Eigen::MatrixXd dense() const {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(pattern.rows, pattern.cols);
    for (int b = 0; b < pattern.cols; ++b)
      for (int at = pattern.column_start[static_cast<std::size_t>(b)];
           at < pattern.column_start[static_cast<std::size_t>(b) + 1]; ++at)
        matrix(pattern.row[static_cast<std::size_t>(at)], b) = J[static_cast<std::size_t>(at)];
    return matrix;
  }
};

/// Starts from rubbish, so that what is not written shows.
Evaluated evaluate(const CpMap& map, const std::vector<double>& v) {
  const CpKernel kernel(map);
  Evaluated result{std::vector<double>(static_cast<std::size_t>(map.rows()), 1e300),
                   std::vector<double>(kernel.pattern().nonzeros(), 1e300), kernel.pattern()};
  CpKernel::Workspace workspace = kernel.workspace();
  kernel.value_and_jacobian(v, result.f, result.J, workspace);
  std::vector<double> alone(result.f.size(), 1e300);
  kernel.value(v, alone);
  const std::vector<long double> size = test::naive_value(test::absolute(map), test::absolute(v));
  const double relative = test::rounding(map);
  for (std::size_t j = 0; j < alone.size(); ++j)
    EXPECT_LE(std::abs(alone[j] - result.f[j]), relative * size[j]) << "row " << j;
  return result;
}

/// f, J and the pattern of J are those of the definition.
void expect_as_defined(const CpMap& map, const std::vector<double>& v) {
  const Evaluated found = evaluate(map, v);
  const double relative = test::rounding(map);
  const std::vector<long double> f = test::naive_value(map, v);
  const std::vector<long double> f_size = test::naive_value(test::absolute(map), test::absolute(v));
  for (std::size_t j = 0; j < f.size(); ++j)
    ASSERT_LE(std::abs(found.f[j] - f[j]), relative * f_size[j]) << "row " << j;
  const SparseColumns J = test::naive_jacobian(map, v);
  const SparseColumns J_size = test::naive_jacobian(test::absolute(map), test::absolute(v));
  ASSERT_EQ(found.pattern.column_start,
            std::vector<int>(J.outerIndexPtr(), J.outerIndexPtr() + J.outerSize() + 1));
  ASSERT_EQ(found.pattern.row, std::vector<int>(J.innerIndexPtr(), J.innerIndexPtr() + J.nonZeros()));
  for (std::size_t at = 0; at < found.J.size(); ++at)
    ASSERT_LE(std::abs(found.J[at] - J.valuePtr()[at]), relative * J_size.valuePtr()[at]) << "entry " << at;
}

TEST(CpKernel, AgreesWithTheDefinitionOnRandomMaps) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const CpMap map = test::random_map(random, 1 + random.index(9), 1 + random.index(6), random.index(20), 5);
    expect_as_defined(map, random.point(map.signals()));
    // Factors v, −v, ½ ± ½v are exactly 0 here, one or several in a column.
    std::vector<double> corner(static_cast<std::size_t>(map.signals()));
    for (double& entry : corner) entry = random.index(3) - 1.0;
    expect_as_defined(map, corner);
  }
}

/// A function that is affine in each signal is its own difference quotient, however long the step.
TEST(CpKernel, JacobianIsTheDifferenceOverAStepOfOne) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const CpMap map = test::random_map(random, 1 + random.index(9), 1 + random.index(6), random.index(20), 5);
    const std::vector<double> v = random.point(map.signals());
    const Eigen::MatrixXd J = evaluate(map, v).dense();
    const std::vector<long double> here = test::naive_value(map, v);
    for (std::size_t b = 0; b < v.size(); ++b) {
      std::vector<double> moved = v;
      moved[b] += 1.0;
      const std::vector<long double> there = test::naive_value(map, moved);
      moved[b] = std::abs(v[b]) + 1.0;
      const std::vector<long double> size = test::naive_value(test::absolute(map), test::absolute(moved));
      for (std::size_t j = 0; j < here.size(); ++j)
        ASSERT_LE(
            std::abs(there[j] - here[j] - J(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(b))),
            test::rounding(map) * size[j])
            << "row " << j << ", signal " << b;
    }
  }
}

/// Worked by hand: the products are 0·1 and 1·3.
TEST(CpKernel, WorkedExample) {
  Eigen::MatrixXd S(3, 2), Phi(3, 2), J(3, 3);
  S << 0.5, -0.5, 1, 0, 0, 1;
  Phi << 2, 0, 4, 6, 0, 8;
  J << 1, 0, 0, -7, 0, 6, -12, 0, 8;
  const Evaluated found = evaluate({test::columns_of(S), test::columns_of(Phi)}, {-1.0, 1.0, 3.0});
  EXPECT_EQ(found.f, (std::vector<double>{0.0, 18.0, 24.0}));
  EXPECT_EQ(found.dense(), J);
}

/// f = 7 v1 v2 v3: with one factor 0 only its own derivative is left, with two none.
TEST(CpKernel, FactorsThatAreZero) {
  const CpMap map(test::columns_of(Eigen::Vector3d::Ones()),
                  test::columns_of(Eigen::MatrixXd::Constant(1, 1, 7.0)));
  EXPECT_EQ(evaluate(map, {2.0, 0.0, 3.0}).dense(), Eigen::RowVector3d(0.0, 42.0, 0.0));
  EXPECT_EQ(evaluate(map, {0.0, 0.0, 3.0}).dense(), Eigen::RowVector3d(0.0, 0.0, 0.0));
  EXPECT_EQ(evaluate(map, {2.0, 5.0, 3.0}).dense(), Eigen::RowVector3d(105.0, 42.0, 70.0));
}

/// Columns without factors are constants: f = (2, 0), and nothing depends on anything.
TEST(CpKernel, ColumnsWithoutFactors) {
  const CpMap map(SparseColumns(3, 1), test::columns_of(Eigen::Vector2d(2.0, 0.0)));
  const Evaluated found = evaluate(map, {1.0, 2.0, 3.0});
  EXPECT_EQ(found.f, (std::vector<double>{2.0, 0.0}));
  EXPECT_EQ(found.pattern.nonzeros(), 0U);
  EXPECT_TRUE(evaluate(CpMap(SparseColumns(0, 0), SparseColumns(0, 0)), {}).f.empty());
}

/// Π (½ + ½v_i) over 40 signals, beside short columns that come before and after it.
TEST(CpKernel, ColumnOfFortyFactors) {
  constexpr int n = 40;
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(n, 3);
  S.col(1).setConstant(0.5);
  S(0, 0) = S(n - 1, 2) = 1.0;
  const CpMap map(test::columns_of(S), test::columns_of(Eigen::RowVector3d(3.0, 1.0, -2.0)));
  std::vector<double> v(n, 1.0);
  const Evaluated at_one = evaluate(map, v);
  EXPECT_EQ(at_one.f[0], 3.0 + 1.0 - 2.0);
  EXPECT_EQ(at_one.J[0], 3.5);
  EXPECT_EQ(at_one.J[20], 0.5);
  EXPECT_EQ(at_one.J[n - 1], -1.5);
  v[7] = -1.0;  // its factor is 0
  EXPECT_EQ(evaluate(map, v).J[7], 0.5);
  EXPECT_EQ(evaluate(map, v).J[20], 0.0);
  Random random(3);
  expect_as_defined(map, random.point(n));
}

/// Beyond 2 MB of v, f and J, columns are prefetched ahead of their evaluation.
TEST(CpKernel, LargeMap) {
  Random random(4);
  constexpr int size = 50'000;
  const CpMap map = test::random_map(random, size, size, 2 * size, 3);
  ASSERT_GT((2.0 * size + static_cast<double>(CpKernel(map).pattern().nonzeros())) * sizeof(double), 2.0e6);
  expect_as_defined(map, random.point(size));
}

/// Df = Jf · dv/dt (9); a signal at rest does not contribute.
TEST(CpKernel, RateIsJacobianTimesRate) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const CpMap map = test::random_map(random, 1 + random.index(9), 1 + random.index(6), random.index(20), 5);
    const std::vector<double> v = random.point(map.signals());
    std::vector<double> rate = random.point(map.signals());
    rate[0] = 0.0;
    std::vector<double> f(static_cast<std::size_t>(map.rows()), 1e300), Df = f;
    CpKernel(map).value_and_rate(v, rate, f, Df);
    const Eigen::Map<const Eigen::VectorXd> direction(rate.data(), map.signals());
    const Eigen::VectorXd expected = test::naive_jacobian(map, v) * direction;
    const Eigen::VectorXd size =
        test::naive_jacobian(test::absolute(map), test::absolute(v)) * direction.cwiseAbs();
    const std::vector<long double> value = test::naive_value(map, v);
    const std::vector<long double> value_size = test::naive_value(test::absolute(map), test::absolute(v));
    for (std::size_t j = 0; j < f.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(j);
      ASSERT_LE(std::abs(f[j] - value[j]), test::rounding(map) * value_size[j]) << "row " << j;
      // The products by the rate and their sum over the signals come on top.
      ASSERT_LE(std::abs(Df[j] - expected[row]), (test::rounding(map) + 1e-14) * size[row]) << "row " << j;
    }
  }
}

/// Danger: terms are added up in another order than by the map, of which the last bit tells. Columns of the map differ, as
/// those of models do: equal ones would be added up, and rounded, once more.
TEST(CpKernel, OfRowsComputesWhatThatOfTheirMapDoes) {
  Random random(11);
  int suited = 0;
  for (int i = 0; i < 2000; ++i) {
    const int signals = 8, rows = 5;
    std::vector<int> all(rows);
    std::iota(all.begin(), all.end(), 0);
    const CpMap map = select_rows(test::random_map(random, signals, rows, 6, 3), all);
    const std::vector<FixedSignal> fixed = {{6, 1.0}, {7, 0.0}};
    const RowMap frozen = freeze_rows(RowMap(map), HeldSignals(signals, fixed));
    std::vector<int> chosen;
    for (int row = 0; row < rows; ++row)
      if (random.index(3) > 0) chosen.push_back(row);
    if (!CpKernel::suits(frozen, chosen)) continue;
    ++suited;
    const CpKernel of_rows(frozen, chosen, signals), of_map(freeze(select_rows(map, chosen), fixed));
    EXPECT_EQ(of_rows.pattern(), of_map.pattern());
    const std::vector<double> v = random.point(signals), rate = random.point(signals);
    std::vector<double> f(chosen.size()), Df(f), other_f(f), other_Df(f);
    of_rows.value_and_rate(v, rate, f, Df);
    of_map.value_and_rate(v, rate, other_f, other_Df);
    EXPECT_EQ(f, other_f);
    EXPECT_EQ(Df, other_Df);
    std::vector<double> J(of_rows.pattern().nonzeros()), other_J(J);
    CpKernel::Workspace workspace = of_rows.workspace(), other_workspace = of_map.workspace();
    of_rows.value_and_jacobian(v, f, J, workspace);
    of_map.value_and_jacobian(v, other_f, other_J, other_workspace);
    EXPECT_EQ(f, other_f);
    EXPECT_EQ(J, other_J);
  }
  EXPECT_GT(suited, 300);
}

}  // namespace cp_kernel_test
}  // namespace mti
