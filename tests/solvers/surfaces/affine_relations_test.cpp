#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/surfaces/affine_relations.hpp"

/// Signals by free ones against dense elimination of the same rows.
namespace mti {
namespace affine_relations_test {

std::vector<int> all_rows(const RowMap& f) {
  std::vector<int> rows(at(f.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

/// Sparse rows Σ c_i v_i = c with integers, some of which follow from others: whatever the free signals are, every row is
/// fulfilled, and there are n − rank of them.
TEST(AffineRelations, FulfilEveryRowAndLeaveTheRightNumberFree) {
  constexpr int signals = 12, rows = 9;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> coefficient(-3, 3), column(0, signals - 1);
  for (int round = 0; round < 100; ++round) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, signals + 1);
    for (int row = 0; row < rows; ++row) {
      for (int k = 0; k < 3; ++k) A(row, column(random)) += coefficient(random);
      A(row, signals) = coefficient(random);
    }
    A.row(rows - 1) = 2.0 * A.row(0) - A.row(1);
    if (Eigen::FullPivLU<Eigen::MatrixXd>(A.leftCols(signals)).rank() !=
        Eigen::FullPivLU<Eigen::MatrixXd>(A).rank())
      continue;  // a contradiction
    Source source;
    for (int i = 0; i < signals; ++i) source.algebraic.push_back({"y" + std::to_string(i)});
    for (int row = 0; row < rows; ++row) {
      std::string text = "0";
      for (int i = 0; i < signals; ++i)
        text += " + (" + std::to_string(static_cast<int>(A(row, i))) + ")*y" + std::to_string(i);
      source.equations.emplace_back(text + " = " + std::to_string(static_cast<int>(A(row, signals))));
    }
    source.equations.emplace_back("y0*y1 = 1");  // says nothing here
    const Model model = build(source);
    const RowMap f(model.f());
    const AffineRelations relations(f, all_rows(f), model.signature);
    std::vector<double> v(at(model.signature.size()), 0.0);
    int free = 0;
    for (int i = 0; i < signals; ++i)
      if (relations.is_free(model.signature.algebraic_row(i))) {
        ++free;
        v[at(model.signature.algebraic_row(i))] = std::cos(i + round);
      }
    EXPECT_EQ(free, signals - Eigen::FullPivLU<Eigen::MatrixXd>(A.leftCols(signals)).rank());
    std::vector<double> all = v;
    for (int i = 0; i < signals; ++i) {
      const AffineForm form = relations.form_of(model.signature.algebraic_row(i));
      double& value = all[at(model.signature.algebraic_row(i))] = form.constant;
      for (const auto& [signal, slope] : form.slopes) {
        ASSERT_TRUE(relations.is_free(signal));
        value += slope * v[at(signal)];
      }
    }
    for (int row = 0; row < rows; ++row)
      EXPECT_NEAR(f.value(row, all), 0.0, 1e-10 * (1.0 + f.magnitude(row, all))) << "round " << round;
  }
}

/// A sum of more signals than are joined is left out.
TEST(AffineRelations, LeaveWideRowsOut) {
  Source source;
  std::string sum = "0";
  for (std::size_t i = 0; i <= AffineRelations::most_joined; ++i) {
    source.algebraic.push_back({"y" + std::to_string(i)});
    sum += " + y" + std::to_string(i);
  }
  source.equations.emplace_back(sum + " = 1");
  const Model model = build(source);
  const RowMap f(model.f());
  EXPECT_TRUE(AffineRelations(f, all_rows(f), model.signature).empty());
}

}  // namespace affine_relations_test
}  // namespace mti
