#include "mti/reduction/cp_rank.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mti/build/build_parts.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/require_multilinear.hpp"
#include "mti/multilinear/row_map.hpp"
#include "mti/reduction/column.hpp"

namespace mti {
namespace {

using reduction::Column;
using reduction::ColumnGroup;

constexpr std::size_t largest_group = 24;
constexpr long most_unknowns = 600;
constexpr double rounding = 1e-13;

/// ‖row‖² of columns whose weights are of one row; by a Gram matrix where there are many.
double squared_norm(const std::vector<Column>& columns) {
  constexpr std::size_t most_columns = 64;
  if (columns.size() <= most_columns) {
    const double norm = reduction::norm(reduction::group_of(columns));
    return norm * norm;
  }
  const auto inner = [](const Column& a, const Column& b) {
    long double product = static_cast<long double>(a.weights[0].second) * b.weights[0].second;
    auto i = a.factors.begin();
    auto j = b.factors.begin();
    while ((i != a.factors.end() || j != b.factors.end()) && product != 0.0L) {
      if (j == b.factors.end() || (i != a.factors.end() && i->first < j->first)) {
        product *= 1.0L - std::abs(static_cast<long double>((i++)->second));
      } else if (i == a.factors.end() || j->first < i->first) {
        product *= 1.0L - std::abs(static_cast<long double>((j++)->second));
      } else {
        const long double s = (i++)->second, t = (j++)->second;
        product *= (1.0L - std::abs(s)) * (1.0L - std::abs(t)) + s * t;
      }
    }
    return product;
  };
  long double sum = 0.0L;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    sum += inner(columns[k], columns[k]);
    for (std::size_t l = 0; l < k; ++l) sum += 2.0L * inner(columns[k], columns[l]);
  }
  return std::max(0.0, static_cast<double>(sum));
}

/// Columns that may be fitted together: coefficients in the same rows, the same factors of kept signals.
using Key = std::pair<std::vector<int>, std::vector<std::pair<int, double>>>;
std::map<Key, std::vector<Column>> groups_of(const std::vector<Column>& columns,
                                             const std::vector<int>& kept_signals) {
  std::map<Key, std::vector<Column>> groups;
  for (const Column& column : columns) {
    Key key;
    for (const auto& [row, weight] : column.weights) key.first.push_back(row);
    for (const auto& factor : column.factors)
      if (std::ranges::binary_search(kept_signals, factor.first)) key.second.push_back(factor);
    groups[key].push_back(column);
  }
  return groups;
}

/// The columns of a group, or fewer that differ from them by `budget` at most.
std::vector<Column> fitted(std::vector<Column> columns, const std::vector<std::pair<int, double>>& kept,
                           double budget_per_norm, std::uint64_t seed) {
  std::vector<Column> free = columns;  // the kept factors are those of all: they only scale
  double scale = 1.0;
  for (const auto& [signal, S] : kept) scale *= std::hypot(1.0 - std::abs(S), S);
  for (Column& column : free)
    std::erase_if(column.factors,
                  [&](const auto& factor) { return std::ranges::find(kept, factor) != kept.end(); });
  const ColumnGroup target = reduction::group_of(free);
  const double budget = budget_per_norm * reduction::norm(target);
  const long unknowns = 2L * static_cast<long>(target.signals.size()) + static_cast<long>(target.rows.size());
  if (scale == 0.0 || budget == 0.0) return columns;
  for (int rank = std::max(1, reduction::least_rank(target, budget, seed)); rank < target.columns(); ++rank) {
    if (rank * unknowns > most_unknowns) break;
    const ColumnGroup found = reduction::fit(target, rank, budget, seed + static_cast<std::uint64_t>(rank));
    if (found.columns() == 0) continue;
    std::vector<Column> result = columns_of(found);
    for (Column& column : result) {
      column.factors.insert(column.factors.end(), kept.begin(), kept.end());
      std::ranges::sort(column.factors);
    }
    return result;
  }
  return columns;
}

std::vector<Column> fitted(const std::vector<Column>& columns, const std::vector<int>& kept_signals,
                           double budget, std::uint64_t seed) {
  // Each group may use the tolerance times its own norm; the sum of these norms bounds the sum of errors.
  std::vector<std::pair<std::vector<Column>, Key>> pieces;
  double norms = 0.0;
  for (auto& [key, members] : groups_of(columns, kept_signals)) {
    std::ranges::sort(members, {}, &Column::factors);
    for (std::size_t at = 0; at < members.size(); at += largest_group) {
      const std::size_t end = std::min(members.size(), at + largest_group);
      pieces.emplace_back(std::vector<Column>(members.begin() + static_cast<std::ptrdiff_t>(at),
                                              members.begin() + static_cast<std::ptrdiff_t>(end)),
                          key);
      norms += reduction::norm(reduction::group_of(pieces.back().first));
    }
  }
  std::vector<Column> result;
  for (auto& [members, key] : pieces) {
    const bool is_single = members.size() < 2 || norms == 0.0;
    for (Column& column : is_single ? members : fitted(members, key.second, budget / norms, seed))
      result.push_back(std::move(column));
  }
  return result;
}

double relative(double error, double norm) { return norm > 0.0 ? error / norm : error; }

}  // namespace

double frobenius_norm(const CpMap& map) {
  std::vector<std::vector<Column>> rows(at(map.rows()));
  for (const Column& column : reduction::columns_of(map))
    for (const auto& weight : column.weights) rows[at(weight.first)].push_back({column.factors, {weight}});
  double sum = 0.0;
  for (const auto& row : rows)
    if (!row.empty()) sum += squared_norm(row);
  return std::sqrt(sum);
}

double frobenius_distance(const CpMap& a, const CpMap& b) {
  CpBuilder difference(a.signals(), a.rows());
  const auto add = [&](const CpMap& map, double sign) {
    for (const Column& column : reduction::columns_of(map))
      for (const auto& [row, weight] : column.weights)
        difference.add_normalised(row, sign * weight, column.factors);
  };
  add(a, 1.0);
  add(b, -1.0);
  return frobenius_norm(difference.build());
}

RankReduction reduce_rank(const CpMap& map, const RankReductionOptions& options,
                          const std::vector<int>& kept_signals) {
  if (!(options.tolerance >= 0.0 && options.tolerance < 1.0))
    throw InvalidOption(
        "bad-tolerance", "",
        "expected a tolerance of at least 0 and below 1, found " + std::to_string(options.tolerance));
  std::vector<int> kept = kept_signals;
  std::ranges::sort(kept);
  const double norm = frobenius_norm(map);
  std::vector<Column> columns = reduction::columns_of(map);
  reduction::merge_exactly(columns, kept);
  RankReduction result;
  result.columns_before = map.columns();
  result.map = reduction::map_of(columns, map.signals(), map.rows());
  result.columns_merged = result.map.columns();
  result.relative_error = relative(frobenius_distance(result.map, map), norm);
  const double budget = options.tolerance * norm - result.relative_error * norm;
  if (options.tolerance == 0.0 || !(budget > 0.0)) return result;

  CpMap fewer = reduction::map_of(fitted(reduction::columns_of(result.map), kept, budget, options.seed),
                                  map.signals(), map.rows());
  const double error = relative(frobenius_distance(fewer, map), norm);
  if (fewer.columns() >= result.map.columns() || !(error <= std::max(options.tolerance, rounding)))
    return result;
  result.map = std::move(fewer);
  result.relative_error = error;
  return result;
}

namespace {

/// Whether nothing is left of a row where some signals have these values.
bool vanishes(const RowMap& map, int row, const std::map<int, double>& values) {
  std::map<std::vector<std::pair<int, double>>, double> left;  // by what is not fixed
  for (const RowMap::Term& term : map.terms(row)) {
    double weight = term.Phi;
    std::vector<std::pair<int, double>> rest;
    for (const RowMap::Factor& factor : map.factors(term.column)) {
      if (const auto fixed = values.find(factor.signal); fixed != values.end())
        weight *= 1.0 - std::abs(factor.S) + factor.S * fixed->second;
      else
        rest.emplace_back(factor.signal, factor.S);
    }
    left[std::move(rest)] += weight;
  }
  return std::ranges::all_of(left, [](const auto& entry) { return entry.second == 0.0; });
}

/// The rows from `first` on vanish in `reduced` for all values 0 and 1 of the kept signals, ascending, for which they do in `map`.
bool vanish_alike(const CpMap& map, const CpMap& reduced, int first, const std::vector<int>& kept) {
  constexpr std::size_t most_signals = 8;
  const RowMap before(map), after(reduced);
  for (int row = first; row < map.rows(); ++row) {
    std::map<int, double> values;
    for (const RowMap::Term& term : before.terms(row))
      for (const RowMap::Factor& factor : before.factors(term.column))
        if (std::ranges::binary_search(kept, factor.signal)) values.emplace(factor.signal, 0.0);
    if (values.size() > most_signals) continue;
    for (unsigned assignment = 0; assignment < 1U << values.size(); ++assignment) {
      unsigned bit = 0;
      for (auto& [signal, value] : values) value = ((assignment >> bit++) & 1U) != 0 ? 1.0 : 0.0;
      if (vanishes(before, row, values) && !vanishes(after, row, values)) return false;
    }
  }
  return true;
}

/// Columns of equations alone: those of constraints stay as they are.
RankReduction reduced_beside_constraints(const CpMap& map, int equations, const RankReductionOptions& options,
                                         const std::vector<int>& kept_signals) {
  std::vector<Column> others, columns;
  for (Column& column : reduction::columns_of(map)) {
    const bool is_of_constraint = std::ranges::any_of(
        column.weights, [equations](const auto& weight) { return weight.first >= equations; });
    (is_of_constraint ? columns : others).push_back(std::move(column));
  }
  const RankReduction part =
      reduce_rank(reduction::map_of(others, map.signals(), map.rows()), options, kept_signals);
  for (Column& column : reduction::columns_of(part.map)) columns.push_back(std::move(column));
  RankReduction result;
  result.columns_before = map.columns();
  result.map = reduction::map_of(columns, map.signals(), map.rows());
  result.columns_merged = result.map.columns();
  result.relative_error = relative(frobenius_distance(result.map, map), frobenius_norm(map));
  return result;
}

}  // namespace

ModelRankReduction reduce_rank(const Model& model, const RankReductionOptions& options) {
  require_multilinear(model, "reduction of the CP rank");
  const Signature& signature = model.signature;
  std::vector<int> kept;
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary) kept.push_back(signature.input_row(i));
  for (int row = signature.binary_row(0); row < signature.size(); ++row) kept.push_back(row);

  const int rows = model.equations() + model.constraints();
  SparseColumns Phi(rows, model.columns());
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const SparseColumns& part, int first) {
    for (int k = 0; k < part.outerSize(); ++k)
      for (SparseColumns::InnerIterator entry(part, k); entry; ++entry)
        entries.emplace_back(first + static_cast<int>(entry.row()), k, entry.value());
  };
  add(model.Phi_eq, 0);
  add(model.Phi_ineq, model.equations());
  Phi.setFromTriplets(entries.begin(), entries.end());
  const CpMap map(model.S, Phi);
  RankReduction reduced = reduce_rank(map, options, kept);
  // A constraint that vanishes on a side of its surface for all time must not be above zero there by a rounding.
  if (!vanish_alike(map, reduced.map, model.equations(), kept)) {
    reduced = reduced_beside_constraints(map, model.equations(), options, kept);
    if (!(reduced.relative_error <= std::max(options.tolerance, rounding)))  // equations that nearly cancel
      reduced = reduced_beside_constraints(map, model.equations(), {.tolerance = 0.0}, kept);
  }

  ModelRankReduction result{model, reduced.columns_before, reduced.columns_merged, reduced.relative_error};
  result.model.S = reduced.map.S();
  building::split_rows(reduced.map.Phi(), model.equations(), result.model.Phi_eq, result.model.Phi_ineq);
  return result;
}

}  // namespace mti
