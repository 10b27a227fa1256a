#include "solvers/mode_structure.hpp"

#include <algorithm>
#include <numeric>

#include "mti/freeze.hpp"
#include "solvers/dulmage_mendelsohn.hpp"
#include "solvers/sigma_method.hpp"

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

}  // namespace

ModeStructure analyze_mode(const CpMap& f, const Signature& signature, std::span<const int> equations) {
  ModeStructure result;
  result.equations.assign(equations.begin(), equations.end());
  for (int i = 0; i < signature.n(); ++i) result.signals.push_back(signature.state_row(i));
  for (int i = 0; i < signature.p(); ++i) result.signals.push_back(signature.algebraic_row(i));
  const auto part = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
    ModePart named;
    for (const int row : rows) named.equations.push_back(result.equations[row]);
    for (const int column : columns) named.signals.push_back(result.signals[column]);
    std::sort(named.equations.begin(), named.equations.end());
    return named;
  };

  const SigmaMatrix sigma = sigma_matrix(f, signature, equations);
  const DulmageMendelsohn whole = dulmage_mendelsohn(sigma.pattern);
  if (!whole.structurally_regular()) {
    result.singular = true;
    result.overdetermined = part(whole.over_rows, whole.over_columns);
    result.underdetermined = part(whole.under_rows, whole.under_columns);
    return result;
  }

  Offsets offsets = smallest_offsets(sigma);
  result.index = offsets.largest_c();
  result.degrees_of_freedom = offsets.degrees_of_freedom();
  for (const Block& block : offsets.blocks) result.blocks.push_back(part(block.rows, block.columns));
  result.c = std::move(offsets.c);
  result.d = std::move(offsets.d);
  result.differentiation_index_is_one_more = std::find(result.d.begin(), result.d.end(), 0) != result.d.end();
  // The leading system is f against (ẋ, y) iff nothing is differentiated and every ẋ is in it.
  result.regular = result.index == 0 && std::all_of(result.d.begin(), result.d.begin() + signature.n(),
                                                    [](int order) { return order == 1; });
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
