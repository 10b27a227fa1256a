// Columns chosen by sparse and dense elimination against the rank of the whole matrix.

#include "solvers/linear_algebra/column_pivoting.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <numeric>
#include <random>
#include <set>

namespace mti {
namespace column_pivoting_test {

Eigen::MatrixXd dense(const SparseRows& A, const std::vector<int>& columns) {
  Eigen::MatrixXd result =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(A.size()), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (const auto& [column, value] : A[i])
      for (std::size_t j = 0; j < columns.size(); ++j)
        if (columns[j] == column) result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) += value;
  return result;
}

std::vector<int> first(int count) {
  std::vector<int> all(at(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(Pivoting, ChosenColumnsAreIndependent) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const int columns : {12, 90})  // dense and sparse
    for (int trial = 0; trial < 20; ++trial) {
      SparseRows A(at(columns / 2));
      for (std::size_t i = 0; i < A.size(); ++i) {
        std::set<int> chosen;
        while (chosen.size() < 3) chosen.insert(static_cast<int>(random() % static_cast<unsigned>(columns)));
        for (const int column : chosen) A[i].emplace_back(column, normal(random));
      }
      const std::vector<int> all = first(columns);
      const Pivots pivots =
          choose_columns(A, first(static_cast<int>(A.size())), all, std::vector<double>(all.size(), 1.0));
      const auto rank = Eigen::FullPivLU<Eigen::MatrixXd>(dense(A, all)).rank();
      ASSERT_EQ(static_cast<Eigen::Index>(pivots.columns.size()), rank);
      EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(dense(A, pivots.columns)).rank(), rank);
    }
}

TEST(Pivoting, RepeatedRowsAddNothing) {
  for (const int columns : {10, 100}) {
    SparseRows A(4);
    A[0] = A[1] = {{0, 1.0}, {1, 2.0}};
    A[2] = {{1, 1.0}, {2, 1.0}};
    A[3] = {{0, 1.0}, {1, 3.0}, {2, 1.0}};  // the sum of two
    const std::vector<int> all = first(columns);
    EXPECT_EQ(choose_columns(A, first(4), all, std::vector<double>(all.size(), 1.0)).columns.size(), 2U);
  }
}

TEST(Pivoting, WeightsDecideBetweenColumnsOfLikeSize) {
  for (const int columns : {10, 100}) {
    const SparseRows A = {{{0, 1.0}, {1, 0.5}}};
    std::vector<double> weight(at(columns), 1.0);
    EXPECT_EQ(choose_columns(A, first(1), first(columns), weight).columns, std::vector<int>{0});
    weight[1] = 1000.0;
    EXPECT_EQ(choose_columns(A, first(1), first(columns), weight).columns, std::vector<int>{1});
  }
}

}  // namespace column_pivoting_test
}  // namespace mti
