#include "solvers/mode_sets/mode_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/solvers/mode_sets/random_mode_set.hpp"

namespace mti {
namespace mode_count_test {

/// base^exponent as decimal digits, by school multiplication.
std::string power(int base, int exponent) {
  std::string digits = "1";  // the last digit first
  for (int i = 0; i < exponent; ++i) {
    int carry = 0;
    for (char& digit : digits) {
      carry += (digit - '0') * base;
      digit = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    for (; carry > 0; carry /= 10) digits += static_cast<char>('0' + carry % 10);
  }
  std::ranges::reverse(digits);
  return digits;
}

/// For every k: not (o_k and s_k), where o_k and s_k are variables 2 k and 2 k + 1.
std::vector<ModeSet> not_both(int pairs) {
  std::vector<ModeSet> sets;
  for (int k = 0; k < pairs; ++k) sets.push_back(!(ModeSet::where(2 * k) & ModeSet::where(2 * k + 1)));
  return sets;
}

TEST(ModeCount, CountsConstants) {
  EXPECT_EQ(count_modes({}, 0), "1");
  EXPECT_EQ(count_modes({}, 10), "1024");
  EXPECT_EQ(count_modes({}, 2000), power(2, 2000));
  EXPECT_EQ(count_modes(std::vector{ModeSet::all(), ModeSet::none()}, 10), "0");
  EXPECT_EQ(count_modes(std::vector{ModeSet::all()}, 1), "2");
}

TEST(ModeCount, AgreesWithTruthTables) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<ModeSet> sets;
    ModeTable common = ~ModeTable();
    for (int i = 0; i < 1 + trial % 4; ++i) {
      const Pair pair = random_pair(random, table_variables, 2 + trial % 3);
      sets.push_back(pair.set);
      common &= pair.table;
    }
    EXPECT_EQ(count_modes(sets, table_variables), std::to_string(common.count()));
    EXPECT_EQ(count_modes(sets, table_variables + 3), std::to_string(8 * common.count()));
  }
}

TEST(ModeCount, CountsManyVariables) {
  const std::vector<ModeSet> sets = not_both(1000);
  EXPECT_EQ(power(3, 5), "243");  // the routine compared with
  EXPECT_EQ(count_modes(sets, 2000), power(3, 1000));
  ModeSet common = ModeSet::all();
  for (const ModeSet& set : sets) common &= set;
  EXPECT_EQ(count_modes(std::vector{common}, 2000), power(3, 1000));
}

TEST(ModeCount, IntersectsWhatIsCoupled) {
  // Words without two neighbouring ones: Fibonacci numbers, F(n + 2) of length n.
  std::vector<ModeSet> sets;
  for (int k = 0; k + 1 < 60; ++k) sets.push_back(!(ModeSet::where(k) & ModeSet::where(k + 1)));
  long long before = 1;
  long long now = 2;
  for (int n = 2; n <= 60; ++n) before = std::exchange(now, now + before);
  EXPECT_EQ(count_modes(sets, 60), std::to_string(now));
}

TEST(ModeCount, RefusesSetsOfMoreVariables) {
  EXPECT_THROW(static_cast<void>(count_modes(std::vector{ModeSet::where(5)}, 5)), std::invalid_argument);
}

}  // namespace mode_count_test
}  // namespace mti
