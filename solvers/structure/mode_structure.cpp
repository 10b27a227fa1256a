#include "solvers/structure/mode_structure.hpp"

#include <algorithm>
#include <numeric>

#include "mti/model/freeze.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"
#include "solvers/structure/sigma_method.hpp"

namespace mti {
namespace {

/// Rows of S in the order ẋ, x, y.
std::vector<int> differentiated_and_plain(const Signature& signature) {
  std::vector<int> rows;
  for (int i = 0; i < signature.n(); ++i) rows.push_back(signature.derivative_row(i));
  for (int i = 0; i < signature.n(); ++i) rows.push_back(signature.state_row(i));
  for (int i = 0; i < signature.p(); ++i) rows.push_back(signature.algebraic_row(i));
  return rows;
}

/// σ of the chosen rows: 1 where ẋ occurs, 0 where only x or y does. Columns: x, y.
SigmaMatrix sigma_matrix(const CpMap& f, const Signature& signature, std::span<const int> equations) {
  const int n = signature.n();
  const Incidence occurrences = incidence(f.S(), f.Phi(), equations, differentiated_and_plain(signature));
  SigmaMatrix sigma{Incidence(n + signature.p()), {}};
  std::vector<int> order(n + signature.p(), 0);
  for (int row = 0; row < occurrences.rows(); ++row) {
    const auto columns = occurrences.row(row);
    std::vector<int> signals;
    for (const int column : columns) signals.push_back(column < n ? column : column - n);
    sigma.pattern.add_row(signals);

    for (const int column : columns)
      if (column < n) order[column] = 1;
    std::vector<int>& orders = sigma.order.emplace_back();
    for (const int signal : sigma.pattern.row(row)) orders.push_back(order[signal]);
    for (const int column : columns)
      if (column < n) order[column] = 0;
  }
  return sigma;
}

/// Columns that some row holds, ascending.
std::vector<int> present_columns(const Incidence& pattern) {
  std::vector<char> found(pattern.columns(), 0);
  for (int row = 0; row < pattern.rows(); ++row)
    for (const int column : pattern.row(row)) found[column] = 1;
  std::vector<int> columns;
  for (int column = 0; column < pattern.columns(); ++column)
    if (found[column] != 0) columns.push_back(column);
  return columns;
}

/// The same without all other columns, which are empty.
SigmaMatrix with_columns(const SigmaMatrix& sigma, const std::vector<int>& columns) {
  if (static_cast<int>(columns.size()) == sigma.pattern.columns()) return sigma;
  std::vector<int> place(sigma.pattern.columns(), -1), row_columns;
  for (std::size_t k = 0; k < columns.size(); ++k) place[columns[k]] = static_cast<int>(k);
  SigmaMatrix result{Incidence(static_cast<int>(columns.size())), sigma.order};
  for (int row = 0; row < sigma.pattern.rows(); ++row) {
    row_columns.clear();
    for (const int column : sigma.pattern.row(row)) row_columns.push_back(place[column]);
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
  for (int i = 0; i < signature.n(); ++i) result.signals.push_back(signature.state_row(i));
  for (int i = 0; i < signature.p(); ++i) result.signals.push_back(signature.algebraic_row(i));
  const SigmaMatrix all = sigma_matrix(f, signature, equations);
  const std::vector<int> present = present_columns(all.pattern);
  const SigmaMatrix sigma = with_columns(all, present);
  for (std::size_t j = 0, next = 0; j < result.signals.size(); ++j)
    if (next < present.size() && present[next] == static_cast<int>(j))
      ++next;
    else
      result.absent.push_back(result.signals[j]);
  const auto part = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
    ModePart named;
    for (const int row : rows) named.equations.push_back(result.equations[row]);
    for (const int column : columns) named.signals.push_back(result.signals[column]);
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
    for (int& column : block.columns) column = present[column];
    result.blocks.push_back(part(block.rows, block.columns));
  }
  result.c = std::move(offsets.c);
  result.d.assign(result.signals.size(), 0);
  for (std::size_t k = 0; k < present.size(); ++k) result.d[present[k]] = offsets.d[k];
  result.conclude(signature.n());
  return result;
}

ModeStructure analyze_mode(const Model& model, const Mode& mode) {
  const CpMap f = freeze(model, mode).f;
  std::vector<char> present(f.rows(), 0);
  for (int k = 0; k < f.columns(); ++k)
    for (SparseColumns::InnerIterator entry(f.Phi(), k); entry; ++entry) present[entry.row()] = 1;
  std::vector<int> equations;
  for (int row = 0; row < f.rows(); ++row)
    if (present[row] != 0) equations.push_back(row);
  return analyze_mode(f, model.signature, equations);
}

}  // namespace mti
