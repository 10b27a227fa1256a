#include "solvers/structure/sigma_method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/solvers/structure/patterns.hpp"

namespace mti {
namespace sigma_method_test {

constexpr int absent = -1;
using Table = std::vector<std::vector<int>>;  // σ_ij, or absent

SigmaMatrix sigma_of(const Table& table) {
  SigmaMatrix sigma{Incidence(static_cast<int>(table.size())), {}};
  for (const auto& row : table) {
    std::vector<PatternColumn> columns;
    std::vector<int> orders;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != absent) {
        columns.emplace_back(static_cast<int>(j));
        orders.push_back(row[j]);
      }
    sigma.pattern.add_row(columns);
    sigma.order.append(orders);
  }
  return sigma;
}

/// The largest Σ σ over all permutations; absent if no permutation avoids absent entries.
int largest_transversal(const Table& table, std::vector<int>& best) {
  std::vector<int> permutation(table.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  int value = absent;
  do {
    int sum = 0;
    bool possible = true;
    for (std::size_t i = 0; i < table.size() && possible; ++i) {
      possible = table[i][permutation[i]] != absent;
      sum += table[i][permutation[i]];
    }
    if (possible && sum > value) {
      value = sum;
      best = permutation;
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return value;
}

/// Pryce's fixpoint iteration on a largest transversal: d_j = max_i (σ_ij + c_i), c_i = d_j(i) − σ_ij(i).
void iterate_to_fixpoint(const Table& table, const std::vector<int>& transversal, std::vector<int>& c,
                         std::vector<int>& d) {
  const std::size_t n = table.size();
  c.assign(n, 0);
  for (bool changed = true; changed;) {
    changed = false;
    d.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (table[i][j] != absent) d[j] = std::max(d[j], table[i][j] + c[i]);
    for (std::size_t i = 0; i < n; ++i) {
      const int next = d[transversal[i]] - table[i][transversal[i]];
      changed = changed || next != c[i];
      c[i] = next;
    }
  }
}

TEST(SigmaMethod, offsets_are_those_of_the_fixpoint_on_the_best_of_all_permutations) {
  std::mt19937 random(12);
  std::uniform_int_distribution<int> size(1, 6), order(0, 2);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  int regular = 0, differentiated = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int n = size(random);
    const double density = 0.2 + 0.5 * unit(random);
    Table table(n, std::vector<int>(n, absent));
    for (auto& row : table)
      for (int& entry : row)
        if (unit(random) < density) entry = order(random);
    std::vector<int> transversal;
    const int value = largest_transversal(table, transversal);
    if (value == absent) continue;

    const Offsets offsets = smallest_offsets(sigma_of(table));
    std::vector<int> c, d;
    iterate_to_fixpoint(table, transversal, c, d);
    EXPECT_EQ(offsets.c.list(), c);
    EXPECT_EQ(offsets.d.list(), d);
    EXPECT_EQ(offsets.degrees_of_freedom(), value);  // duality
    ++regular;
    differentiated += offsets.largest_c() > 0 ? 1 : 0;
  }
  EXPECT_GT(regular, 200);
  EXPECT_GT(differentiated, 50);
}

TEST(SigmaMethod, blocks_cover_the_leading_system_in_block_lower_triangular_order) {
  std::mt19937 random(13);
  std::uniform_int_distribution<int> order(0, 3);
  int blocks = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Incidence pattern = test::random_pattern(random);
    const int n = pattern.rows();
    if (n != pattern.columns() || test::matching_size_by_search(pattern) != n) continue;
    SigmaMatrix sigma{pattern, {}};
    for (const PatternRow i : pattern.row_indices()) {
      std::vector<int> orders;
      for (std::size_t e = 0; e < pattern.row(i).size(); ++e) orders.push_back(order(random));
      sigma.order.append(orders);
    }
    const Offsets offsets = smallest_offsets(sigma);
    Indexed<PatternColumn, int> place(n, -1);
    for (std::size_t b = 0; b < offsets.blocks.size(); ++b)
      for (const PatternColumn j : offsets.blocks[b].columns) place[j] = static_cast<int>(b);
    int rows = 0;
    for (std::size_t b = 0; b < offsets.blocks.size(); ++b)
      for (const PatternRow i : offsets.blocks[b].rows) {
        ++rows;
        for (std::size_t e = 0; e < pattern.row(i).size(); ++e) {
          const PatternColumn j = pattern.row(i)[e];
          EXPECT_GE(offsets.d[j] - offsets.c[i], sigma.order[i][e]);
          if (offsets.d[j] - offsets.c[i] == sigma.order[i][e]) {
            EXPECT_LE(place[j], static_cast<int>(b));
          }
        }
      }
    EXPECT_EQ(rows, n);
    EXPECT_EQ(std::count(place.begin(), place.end(), -1), 0);
    blocks += static_cast<int>(offsets.blocks.size());
  }
  EXPECT_GT(blocks, 200);
}

// Pryce's own example, signals (x, y, λ): x'' + xλ, y'' + yλ − G, x² + y² − L²: c = (0, 0, 2), d = (2, 2, 0).
TEST(SigmaMethod, pendulum_of_second_order) {
  const Offsets offsets = smallest_offsets(sigma_of({{2, absent, 0}, {absent, 2, 0}, {0, 0, absent}}));
  EXPECT_EQ(offsets.c.list(), (std::vector<int>{0, 0, 2}));
  EXPECT_EQ(offsets.d.list(), (std::vector<int>{2, 2, 0}));
  EXPECT_EQ(offsets.degrees_of_freedom(), 2);
  ASSERT_EQ(offsets.blocks.size(), 1U);
  EXPECT_EQ(values(offsets.blocks[0].columns), (std::vector<int>{0, 1, 2}));
}

// x0 is given, x_k = x_{k−1}': the first equation is differentiated n − 1 times.
TEST(SigmaMethod, a_chain_of_differentiators_has_an_index_as_long_as_itself) {
  const int n = 200;
  SigmaMatrix sigma{Incidence(n), {}};
  sigma.pattern.add_row(positions<PatternColumn>(std::vector{0}));
  sigma.order.append({0});
  for (int k = 1; k < n; ++k) {
    sigma.pattern.add_row(positions<PatternColumn>(std::vector{k - 1, k}));
    sigma.order.append({1, 0});
  }
  const Offsets offsets = smallest_offsets(sigma);
  EXPECT_EQ(offsets.c[PatternRow(0)], n - 1);
  EXPECT_EQ(offsets.largest_c(), n - 1);
  EXPECT_EQ(offsets.degrees_of_freedom(), 0);
  for (int k = 1; k < n; ++k) EXPECT_EQ(offsets.c[PatternRow(k)], n - 1 - k);
}

TEST(SigmaMethod, an_empty_system_has_no_offsets) {
  const Offsets offsets = smallest_offsets(sigma_of({}));
  EXPECT_EQ(offsets.largest_c(), 0);
  EXPECT_EQ(offsets.degrees_of_freedom(), 0);
  EXPECT_TRUE(offsets.blocks.empty());
}

}  // namespace sigma_method_test
}  // namespace mti
