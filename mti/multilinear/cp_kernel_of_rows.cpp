// A kernel of single rows, as of the constraints of one mode.
#include <algorithm>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/multilinear/cp_kernel.hpp"

namespace mti {
namespace {

/// The signal of the first factor; −1 of a number.
int first_signal(const RowMap& map, const RowMap::Term& term) {
  const auto factors = map.factors(term.column);
  return factors.empty() ? -1 : factors.front().signal;
}

}  // namespace

bool CpKernel::suits(const RowMap& map, std::span<const int> rows) {
  constexpr std::size_t most_terms = 64;  // each is compared with the others of its row
  if (map.has_functions()) return false;
  return std::ranges::all_of(rows, [&](int row) {
    const auto terms = map.terms(row);
    if (terms.size() > most_terms) return false;
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (first_signal(map, terms[i]) == first_signal(map, terms[j])) return false;
    return true;
  });
}

CpKernel::CpKernel(const RowMap& map, std::span<const int> rows, int signals)
    : rows_(static_cast<int>(rows.size())), signals_(signals) {
  struct Column {
    int first, row, column;
    double Phi;
  };
  std::vector<Column> columns;
  std::vector<std::pair<int, int>> entries;  // (signal, row)
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const RowMap::Term& term : map.terms(rows[i])) {
      columns.push_back({first_signal(map, term), static_cast<int>(i), term.column, term.Phi});
      for (const RowMap::Factor& factor : map.factors(term.column))
        entries.emplace_back(factor.signal, static_cast<int>(i));
    }
  std::ranges::stable_sort(columns, {}, &Column::first);
  sort_distinct(entries);
  pattern_.rows = rows_;
  pattern_.cols = signals;
  pattern_.column_start.assign(at(signals) + 1, 0);
  for (const auto& [signal, row] : entries) {
    ++pattern_.column_start[at(signal) + 1];
    pattern_.row.push_back(row);
  }
  for (std::size_t signal = 1; signal < pattern_.column_start.size(); ++signal)
    pattern_.column_start[signal] += pattern_.column_start[signal - 1];
  for (const Column& column : columns) {
    for (const RowMap::Factor& factor : map.factors(column.column)) {
      const auto place = std::ranges::lower_bound(entries, std::pair(factor.signal, column.row));
      slot_.push_back(static_cast<std::int32_t>(place - entries.begin()));
      factors_.push_back({factor.S, static_cast<std::int32_t>(factor.signal)});
    }
    weights_.push_back({column.Phi, static_cast<std::int32_t>(column.row)});
    longest_column_ = std::max(longest_column_, factors_.size() - at(factor_start_.back()));
    factor_start_.push_back(static_cast<std::int32_t>(factors_.size()));
    weight_start_.push_back(static_cast<std::int32_t>(weights_.size()));
  }
}

}  // namespace mti
