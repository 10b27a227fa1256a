#include "solvers/structure/incidence.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/solvers/structure/patterns.hpp"

namespace mti {
namespace incidence_test {

SparseColumns sparse(int rows, int columns, const std::vector<Eigen::Triplet<double>>& triplets) {
  SparseColumns matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

// Terms: v0·v1, v1·(½ + ½ v3), 1, −v2; the rows of Φ take the first two, the constant, the last two.
const SparseColumns S = sparse(4, 4, {{0, 0, 1.0}, {1, 0, 1.0}, {1, 1, 1.0}, {3, 1, 0.5}, {2, 3, -1.0}});
const SparseColumns Phi = sparse(3, 4, {{0, 0, 2.0}, {0, 1, -3.0}, {1, 2, 1.0}, {2, 2, 1.0}, {2, 3, 4.0}});

TEST(Incidence, is_read_off_S_and_Phi) {
  const std::vector<int> rows = {0, 1, 2};
  const auto unknowns = pattern_columns({{0, 1, 2, 3}});
  EXPECT_EQ(incidence(S, Phi, rows, unknowns), test::pattern(4, {{0, 1, 3}, {}, {2}}));
}

TEST(Incidence, keeps_to_the_chosen_rows_and_unknowns_in_their_order) {
  const std::vector<int> rows = {2, 0};
  const auto unknowns = pattern_columns({{3, 2, 1}});
  EXPECT_EQ(incidence(S, Phi, rows, unknowns), test::pattern(3, {{1}, {0, 2}}));
}

TEST(Incidence, does_not_count_stored_zeros) {
  SparseColumns S_zero = S, Phi_zero = Phi;
  S_zero.coeffRef(3, 1) = 0.0;    // v3 leaves the second term
  Phi_zero.coeffRef(2, 3) = 0.0;  // the last term leaves the last row
  const std::vector<int> rows = {0, 1, 2};
  const auto unknowns = pattern_columns({{0, 1, 2, 3}});
  EXPECT_EQ(incidence(S_zero, Phi_zero, rows, unknowns), test::pattern(4, {{0, 1}, {}, {}}));
}

TEST(Incidence, equals_the_definition_on_random_maps) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int trial = 0; trial < 100; ++trial) {
    const int signals = 8, terms = 10, functions = 6;
    std::vector<Eigen::Triplet<double>> in_S, in_Phi;
    for (int k = 0; k < terms; ++k) {
      for (int i = 0; i < signals; ++i)
        if (unit(random) < 0.2) in_S.emplace_back(i, k, 1.0 - 2.0 * unit(random));
      for (int j = 0; j < functions; ++j)
        if (unit(random) < 0.2) in_Phi.emplace_back(j, k, 1.0);
    }
    const SparseColumns S_random = sparse(signals, terms, in_S),
                        Phi_random = sparse(functions, terms, in_Phi);
    const std::vector<int> rows = test::random_permutation(functions, random);
    const auto unknowns = pattern_columns({test::random_permutation(signals, random)});
    const Incidence found = incidence(S_random, Phi_random, rows, unknowns);
    for (const PatternRow r : found.row_indices())
      for (const PatternColumn c : found.column_indices()) {
        bool expected = false;
        for (int k = 0; k < terms; ++k)
          expected = expected || (Phi_random.coeff(rows[r.value()], k) != 0.0 &&
                                  S_random.coeff(unknowns[c].value(), k) != 0.0);
        EXPECT_EQ(test::contains(found, r, c), expected);
      }
  }
}

TEST(Incidence, add_row_sorts_and_drops_repetitions) {
  EXPECT_EQ(test::pattern(5, {{4, 1, 4, 0, 1}}), test::pattern(5, {{0, 1, 4}}));
}

TEST(Incidence, transposed_swaps_rows_and_columns) {
  const Incidence wide = test::pattern(4, {{0, 3}, {}, {1, 3}});
  const Pattern<PatternColumn, PatternRow> tall = wide.transposed();
  EXPECT_EQ(tall.rows(), 4);
  EXPECT_EQ(tall.columns(), 3);
  const std::vector<std::vector<int>> expected = {{0}, {2}, {}, {0, 2}};
  for (const PatternColumn column : tall.row_indices())
    EXPECT_EQ(values(tall.row(column)), expected[column.value()]);
  EXPECT_EQ(tall.transposed(), wide);
  EXPECT_EQ(Incidence(2).transposed().rows(), 2);
}

}  // namespace incidence_test
}  // namespace mti
