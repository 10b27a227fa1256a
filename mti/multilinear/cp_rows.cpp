#include "mti/multilinear/cp_rows.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Adds the columns of `map` to `builder`; row j becomes new_row[j], or is left out if that is −1.
void add_columns(const CpMap& map, const std::vector<int>& new_row, CpBuilder& builder) {
  std::vector<std::pair<int, double>> factors;
  for (int k = 0; k < map.columns(); ++k) {
    bool holds_some = false;
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      holds_some = holds_some || new_row[at(weight.row())] >= 0;
    if (!holds_some) continue;
    factors.clear();
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor)
      factors.emplace_back(static_cast<int>(factor.row()), factor.value());
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      if (const int row = new_row[at(weight.row())]; row >= 0) {
        if (const ElementaryFunction* const phi = map.function_of(k))
          builder.add_function(row, weight.value(), factors.front().first, *phi);
        else
          builder.add_normalised(row, weight.value(), factors);
      }
  }
}

}  // namespace

CpMap select_rows(const CpMap& map, std::span<const int> rows) {
  std::vector<int> new_row(at(map.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) new_row[at(rows[i])] = static_cast<int>(i);
  CpBuilder builder(map.signals(), static_cast<int>(rows.size()));
  builder.reserve(at(map.columns()), at(map.S().nonZeros()), at(map.Phi().nonZeros()));
  add_columns(map, new_row, builder);
  return builder.build();
}

CpMap replace_rows(const CpMap& map, std::span<const std::pair<int, int>> signal_of_row) {
  std::vector<int> new_row(at(map.rows()));
  std::iota(new_row.begin(), new_row.end(), 0);
  for (const auto& [row, signal] : signal_of_row) new_row[at(row)] = -1;
  CpBuilder builder(map.signals(), map.rows());
  add_columns(map, new_row, builder);
  for (const auto& [row, signal] : signal_of_row) {
    const AffineFactor factor{signal, 0.0, 1.0};
    builder.add(row, 1.0, std::span(&factor, 1));
  }
  return builder.build();
}

CpMap stack_rows(const CpMap& upper, const CpMap& lower) {
  CpBuilder builder(upper.signals(), upper.rows() + lower.rows());
  int next = 0;
  for (const CpMap* map : {&upper, &lower}) {
    std::vector<int> new_row;
    for (int row = 0; row < map->rows(); ++row) new_row.push_back(next++);
    add_columns(*map, new_row, builder);
  }
  return builder.build();
}

}  // namespace mti
