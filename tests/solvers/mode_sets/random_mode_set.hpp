#pragma once

#include <bitset>
#include <cstddef>
#include <random>
#include <utility>

#include "solvers/mode_sets/mode_set.hpp"

namespace mti {

/// Variables of the truth tables: bit v of the number of a row is the value of variable v.
constexpr int table_variables = 10;
using ModeTable = std::bitset<(1U << table_variables)>;

inline bool value_in(std::size_t row, int variable) { return ((row >> variable) & 1U) != 0; }

inline ModeTable table_where(int variable) {
  ModeTable table;
  for (std::size_t row = 0; row < table.size(); ++row) table[row] = value_in(row, variable);
  return table;
}

/// Row by row, through ModeSet::contains.
inline ModeTable table_of(const ModeSet& set) {
  ModeTable table;
  for (std::size_t row = 0; row < table.size(); ++row) {
    table[row] = set.contains([&](int variable) { return value_in(row, variable); });
  }
  return table;
}

struct Pair {
  ModeSet set;
  ModeTable table;
};

/// A random expression of the first `variables` variables, once in each representation.
template <class Random>
Pair random_pair(Random& random, int variables, int depth) {
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  if (depth == 0) {
    const int variable = below(variables);
    return {ModeSet::where(variable), table_where(variable)};
  }
  const Pair a = random_pair(random, variables, depth - 1);
  const int kind = below(4);
  if (kind == 3) return {!a.set, ~a.table};
  const Pair b = random_pair(random, variables, depth - 1);
  if (kind == 0) return {a.set & b.set, a.table & b.table};
  if (kind == 1) return {a.set | b.set, a.table | b.table};
  return {a.set - b.set, a.table & ~b.table};
}

}  // namespace mti
