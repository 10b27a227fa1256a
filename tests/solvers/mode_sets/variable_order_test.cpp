#include "solvers/mode_sets/variable_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/mode_sets/mode_count.hpp"
#include "solvers/mode_sets/mode_space.hpp"

namespace mti {
namespace variable_order_test {

std::vector<int> counted(int elements) {
  std::vector<int> order(at(elements));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// The definition, place by place.
int width_by_definition(const std::vector<int>& order, const Relations& relations) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::set<int> read(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    std::set<int> remembered;
    for (const auto& relation : relations)
      if (std::ranges::any_of(relation, [&](int element) { return !read.contains(element); }))
        for (const int element : relation)
          if (read.contains(element)) remembered.insert(element);
    most = std::max(most, remembered.size());
  }
  return static_cast<int>(most);
}

/// p_k is made of p_(k−1) and s_k, as elements length + k and k: all s come first.
Relations chain(int length) {
  Relations relations{{0, length}};
  for (int k = 1; k < length; ++k) relations.push_back({length + k - 1, k, length + k});
  return relations;
}

/// Leaves 0 … 2^depth − 1, each two of a level joined by an element of the next.
Relations tree(int depth) {
  Relations relations;
  int first = 0, next = 1 << depth;
  for (int count = 1 << depth; count > 1; count /= 2) {
    for (int i = 0; i < count; i += 2) relations.push_back({first + i, first + i + 1, next++});
    first += count;
  }
  return relations;
}

TEST(VariableOrder, WidthIsWhatItsDefinitionSays) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int elements = 2 + trial % 9;
    std::vector<int> order = counted(elements);
    std::ranges::shuffle(order, random);
    Relations relations(at(1 + trial % 7));
    for (auto& relation : relations)
      for (int element = 0; element < elements; ++element)
        if (random() % 3 == 0) relation.push_back(element);
    EXPECT_EQ(width(order, relations), width_by_definition(order, relations));
  }
}

TEST(VariableOrder, ChainsAndTreesAreNarrow) {
  EXPECT_EQ(width(counted(80), chain(40)), 40);
  EXPECT_LE(width(narrow_order(counted(80), chain(40), 12), chain(40)), 3);
  constexpr int depth = 7;
  EXPECT_EQ(width(counted((2 << depth) - 1), tree(depth)), 1 << depth);
  EXPECT_LE(width(narrow_order(counted((2 << depth) - 1), tree(depth), 12), tree(depth)), depth + 1);
}

TEST(VariableOrder, WhatIsNarrowStaysWhereItIs) {
  // Two chains, of which only the long one is wide; the elements of the other stay in their order, and no element is lost.
  Relations relations = chain(40);
  for (const auto& relation : chain(5)) {
    relations.emplace_back();
    for (const int element : relation) relations.back().push_back(element + 80);
  }
  std::vector<int> order = counted(92);  // 90 and 91 are in no relation
  std::mt19937 random(2);
  std::ranges::shuffle(order, random);
  std::vector<int> result = narrow_order(order, relations, 12);
  EXPECT_LE(width(result, chain(40)), 3);
  EXPECT_EQ(narrow_order(order, chain(5), 12), order);
  const auto others = [](std::vector<int> of) {
    std::erase_if(of, [](int element) { return element < 80; });
    return of;
  };
  EXPECT_EQ(others(result), others(order));
  std::ranges::sort(result);
  EXPECT_EQ(result, counted(92));
}

TEST(VariableOrder, PartsThatCrossEachOtherStandTogether) {
  // Chains of 3, of which the first elements come first, then all second ones, then all third ones.
  constexpr int chains = 40;
  Relations relations;
  for (int k = 0; k < chains; ++k) {
    relations.push_back({k, k + chains});
    relations.push_back({k + chains, k + 2 * chains});
  }
  const std::vector<int> order = counted(3 * chains);
  EXPECT_EQ(width(order, relations), chains);
  std::vector<int> result = narrow_order(order, relations, 12);
  EXPECT_EQ(width(result, relations), 1);
  std::ranges::sort(result);
  EXPECT_EQ(result, order);
}

/// x' = 1 passes N thresholds; the slope of y is the last of p_k = p_(k−1) xor s_k, which binaries and constraints declare
/// after all s. Comparisons with one signal put all s side by side in the graph of the model.
Source parity(int comparators) {
  Source source;
  source.states = {{.name = "x"}, {.name = "y"}};
  for (const char* const name : {"s", "p"})
    for (int k = 0; k < comparators; ++k) source.binaries.push_back({.name = name + std::to_string(k)});
  source.equations = {"der(x) = 1", "der(y) = p" + std::to_string(comparators - 1), "p0 = s0"};
  for (int k = 1; k < comparators; ++k) {
    const std::string s = "s" + std::to_string(k), p = "p" + std::to_string(k - 1);
    source.equations.push_back({"p" + std::to_string(k) + " = " + p + " + " + s + " - 2*" + p + "*" + s});
  }
  for (int k = 0; k < comparators; ++k)
    source.constraints.push_back(
        {"(1 - 2*s" + std::to_string(k) + ")*(x - " + std::to_string(k) + ".5) <= 0"});
  return source;
}

TEST(VariableOrder, TheDiagramOfAParityIsLinear) {
  constexpr int comparators = 300;
  const ModeSpace space(build(parity(comparators)));
  ASSERT_EQ(space.factors().size(), 1U);
  // Two states of the parity at each s, and at each p also which of them it has to be.
  EXPECT_LE(space.factors().front().size(), 8 * comparators);
  // Every assignment of the s has one of the p.
  EXPECT_EQ(count_modes(space.factors(), space.variables()), count_modes({}, comparators));
}

TEST(VariableOrder, RulesThatCoupleAllAreRefusedByTheirNodes) {
  // w_j = s_a xor s_b xor s_c of any three: no order is narrow.
  constexpr int n = 60;
  std::mt19937 random(3);
  Source source;
  source.states = {{.name = "x"}};
  source.equations = {"der(x) = w0"};
  for (int k = 0; k < n; ++k) source.binaries.push_back({.name = "s" + std::to_string(k)});
  for (int j = 0; j < n; ++j) {
    const std::string w = "w" + std::to_string(j), q = "q" + std::to_string(j);
    const auto any = [&] { return "s" + std::to_string(random() % n); };
    const auto exclusive = [](const std::string& out, const std::string& a, const std::string& b) {
      return out + " = " + a + " + " + b + " - 2*" + a + "*" + b;
    };
    source.binaries.push_back({.name = q});
    source.binaries.push_back({.name = w});
    source.equations.push_back(exclusive(q, any(), any()));
    source.equations.push_back(exclusive(w, q, any()));
  }
  EXPECT_THROW(ModeSpace(build(source), ModeSpace::Rules::followed, 100'000), ModeSetTooLarge);
}

}  // namespace variable_order_test
}  // namespace mti
