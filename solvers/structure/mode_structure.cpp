#include "solvers/structure/mode_structure.hpp"

#include <algorithm>
#include <numeric>

#include "mti/model/freeze.hpp"
#include "mti/model/jacobian.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"
#include "solvers/structure/sigma_method.hpp"

namespace mti {
namespace {

/// σ of the chosen rows: 1 where ẋ occurs, 0 where only x or y does. Columns: x, y.
SigmaMatrix sigma_matrix(const CpMap& f, const Signature& signature, std::span<const int> equations) {
  const int n = signature.n();
  const Incidence occurrences = incidence(
      f.S(), f.Phi(), equations,
      pattern_columns({derivative_rows(signature), state_rows(signature), algebraic_rows(signature)}));
  const auto is_slope = [n](PatternColumn column) { return column.value() < n; };
  SigmaMatrix sigma{Incidence(n + signature.p()), {}};
  Indexed<PatternColumn, int> order(n + signature.p(), 0);
  for (const PatternRow row : occurrences.row_indices()) {
    const auto columns = occurrences.row(row);
    std::vector<PatternColumn> signals;
    for (const PatternColumn column : columns)
      signals.push_back(is_slope(column) ? column : PatternColumn(column.value() - n));
    sigma.pattern.add_row(signals);

    for (const PatternColumn column : columns)
      if (is_slope(column)) order[column] = 1;
    std::vector<int> orders;
    for (const PatternColumn signal : sigma.pattern.row(row)) orders.push_back(order[signal]);
    sigma.order.append(std::move(orders));
    for (const PatternColumn column : columns)
      if (is_slope(column)) order[column] = 0;
  }
  return sigma;
}

/// Columns that some row holds, ascending.
Indexed<PatternColumn, PatternColumn> present_columns(const Incidence& pattern) {
  Indexed<PatternColumn, char> found(pattern.columns(), 0);
  for (const PatternRow row : pattern.row_indices())
    for (const PatternColumn column : pattern.row(row)) found[column] = 1;
  Indexed<PatternColumn, PatternColumn> columns;
  for (const PatternColumn column : found.indices())
    if (found[column] != 0) columns.append(column);
  return columns;
}

/// The same without all other columns, which are empty.
SigmaMatrix with_columns(const SigmaMatrix& sigma, const Indexed<PatternColumn, PatternColumn>& columns) {
  if (columns.size() == sigma.pattern.columns()) return sigma;
  Indexed<PatternColumn, PatternColumn> place(sigma.pattern.columns());
  std::vector<PatternColumn> row_columns;
  for (const PatternColumn k : columns.indices()) place[columns[k]] = k;
  SigmaMatrix result{Incidence(columns.size()), sigma.order};
  for (const PatternRow row : sigma.pattern.row_indices()) {
    row_columns.clear();
    for (const PatternColumn column : sigma.pattern.row(row)) row_columns.push_back(place[column]);
    result.pattern.add_row(row_columns);
  }
  return result;
}

}  // namespace

void ModeStructure::conclude(int states) {
  index = c.empty() ? 0 : *std::max_element(c.begin(), c.end());
  degrees_of_freedom = std::accumulate(d.begin(), d.end(), 0) - std::accumulate(c.begin(), c.end(), 0);
  differentiation_index_is_one_more = false;
  regular = index == 0;
  for (std::size_t j = 0; j < signals.size(); ++j) {
    if (std::binary_search(absent.begin(), absent.end(), signals[j])) continue;
    if (d[j] == 0) differentiation_index_is_one_more = true;
    // The leading system is f against (ẋ, y) iff nothing is differentiated and every ẋ is in it.
    if (d[j] != 1 && static_cast<int>(j) < states) regular = false;
  }
}

ModeStructure analyze_mode(const CpMap& f, const Signature& signature, std::span<const int> equations) {
  ModeStructure result;
  result.equations.assign(equations.begin(), equations.end());
  result.signals = values(pattern_columns({state_rows(signature), algebraic_rows(signature)}));
  const IndexedSpan<PatternRow, int> equation_of(equations);
  const IndexedSpan<PatternColumn, int> signal_of(result.signals);
  const SigmaMatrix all = sigma_matrix(f, signature, equations);
  const Indexed<PatternColumn, PatternColumn> present = present_columns(all.pattern);
  const SigmaMatrix sigma = with_columns(all, present);
  for (const PatternColumn column : all.pattern.column_indices())
    if (!std::binary_search(present.begin(), present.end(), column))
      result.absent.push_back(signal_of[column]);
  const auto part = [&](const std::vector<PatternRow>& rows, const std::vector<PatternColumn>& columns) {
    ModePart named{equation_of.select(rows), signal_of.select(columns)};
    std::sort(named.equations.begin(), named.equations.end());
    return named;
  };

  if (!dulmage_mendelsohn(sigma.pattern).structurally_regular()) {
    result.singular = true;
    const DulmageMendelsohn whole = dulmage_mendelsohn(all.pattern);
    result.overdetermined = part(whole.over_rows, whole.over_columns);
    result.underdetermined = part(whole.under_rows, whole.under_columns);
    return result;
  }

  Offsets offsets = smallest_offsets(sigma);
  for (Block& block : offsets.blocks) {
    for (PatternColumn& column : block.columns) column = present[column];
    result.blocks.push_back(part(block.rows, block.columns));
  }
  result.c = offsets.c.list();
  Indexed<PatternColumn, int> d(all.pattern.columns(), 0);
  for (const PatternColumn k : present.indices()) d[present[k]] = offsets.d[k];
  result.d = d.list();
  result.conclude(signature.n());
  return result;
}

ModeStructure analyze_mode(const Model& model, const Mode& mode) {
  const CpMap f = freeze(model, mode).f;
  Indexed<EquationRow, char> present(f.rows(), 0);
  for (int k = 0; k < f.columns(); ++k)
    for (SparseColumns::InnerIterator entry(f.Phi(), k); entry; ++entry)
      present[EquationRow(entry.index())] = 1;
  std::vector<int> equations;
  for (const EquationRow row : present.indices())
    if (present[row] != 0) equations.push_back(row.value());
  return analyze_mode(f, model.signature, equations);
}

}  // namespace mti
