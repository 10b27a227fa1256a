#include "solvers/surfaces/joining_equations.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>

#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

using RowsWith = std::unordered_map<int, std::vector<int>>;

/// In which of the rows each signal occurs.
RowsWith occurrences(const RowMap& f, std::span<const int> rows) {
  RowsWith rows_with;
  for (const int row : rows)
    for (const int signal : signals_of(f, row)) rows_with[signal].push_back(row);
  return rows_with;
}

/// ẋ and y that occur in one row of f only, which determines them therefore.
std::unordered_set<int> determined_by_one_row(const RowMap& f, const Signature& signature) {
  std::unordered_set<int> once, seen;
  for (int row = 0; row < f.rows(); ++row)
    for (const int signal : signals_of(f, row)) {
      const int y = signal - signature.algebraic_row(0);
      if (signal >= signature.state_row(0) && (y < 0 || y >= signature.p())) continue;
      if (seen.insert(signal).second)
        once.insert(signal);
      else
        once.erase(signal);
    }
  return once;
}

bool has_constant_coefficient(const RowMap& f, int row, int signal) {
  return std::ranges::all_of(f.terms(row), [&](const RowMap::Term& term) {
    return f.is_affine(term.column) ||
           std::ranges::none_of(f.factors(term.column),
                                [&](const RowMap::Factor& factor) { return factor.signal == signal; });
  });
}

/// The rows without those that only define a signal; `asked` and `rows` ascend.
std::vector<int> without_definitions(const RowMap& f, std::span<const int> rows, std::span<const int> asked,
                                     const std::unordered_set<int>& determined) {
  const RowsWith rows_with = occurrences(f, rows);
  std::unordered_map<int, std::size_t> left;  // how many of them are kept, by signal
  std::vector<int> lonely;
  const auto examine = [&](int signal) {
    if (left[signal] == 1 && !std::ranges::binary_search(asked, signal)) lonely.push_back(signal);
  };
  for (const auto& [signal, own] : rows_with) {
    left[signal] = own.size();
    examine(signal);
  }
  std::unordered_set<int> left_out;
  while (!lonely.empty()) {
    check_budget();
    const int alone = lonely.back();
    lonely.pop_back();
    const std::vector<int>& own = rows_with.at(alone);
    const auto defining = std::ranges::find_if(own, [&](int row) { return !left_out.contains(row); });
    if (defining == own.end()) continue;  // it defined another one as well
    if (!determined.contains(alone) && !has_constant_coefficient(f, *defining, alone)) continue;
    left_out.insert(*defining);
    for (const int signal : signals_of(f, *defining)) {
      --left[signal];
      examine(signal);
    }
  }
  std::vector<int> kept;
  std::ranges::copy_if(rows, std::back_inserter(kept), [&](int row) { return !left_out.contains(row); });
  return kept;
}

/// The rows that are connected with the signals, ascending; none if these are more than most_visited.
std::vector<int> connected_with(std::span<const int> signals, const RowMap& f, const RowsWith& rows_with) {
  std::set<int> seen(signals.begin(), signals.end()), found;
  std::vector<int> open(signals.begin(), signals.end());
  while (!open.empty()) {
    const auto own = rows_with.find(open.back());
    open.pop_back();
    if (own == rows_with.end()) continue;
    for (const int row : own->second) {
      if (!found.insert(row).second) continue;
      if (found.size() > JoiningEquations::most_visited) return {};
      for (const int signal : signals_of(f, row))
        if (seen.insert(signal).second) open.push_back(signal);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<int> signals_of(const RowMap& map, int row) { return signals_of(map, std::span(&row, 1)); }

std::vector<int> signals_of(const RowMap& map, std::span<const int> rows) {
  std::vector<int> signals;
  for (const int row : rows)
    for (const RowMap::Term& term : map.terms(row))
      for (const RowMap::Factor& factor : map.factors(term.column)) signals.push_back(factor.signal);
  std::ranges::sort(signals);
  signals.erase(std::unique(signals.begin(), signals.end()), signals.end());
  return signals;
}

JoiningEquations::JoiningEquations(const RowMap& f, std::span<const int> rows, std::span<const int> asked,
                                   const Signature& signature)
    : f_(&f),
      determined_(determined_by_one_row(f, signature)),
      rows_(without_definitions(f, rows, asked, determined_)),
      rows_with_(occurrences(f, rows_)) {
  nonlinear_ = std::ranges::any_of(rows_, [&](int row) { return is_nonlinear(row); });
}

bool JoiningEquations::is_nonlinear(int row) const {
  return std::ranges::any_of(f_->terms(row),
                             [&](const RowMap::Term& term) { return !f_->is_affine(term.column); });
}

std::vector<int> JoiningEquations::joined_to(std::span<const int> signals) const {
  if (rows_.empty()) return {};
  const std::vector<int> kept =
      without_definitions(*f_, connected_with(signals, *f_, rows_with_), signals, determined_);
  std::vector<int> joined = connected_with(signals, *f_, occurrences(*f_, kept));
  if (joined.size() > most_joined) joined.clear();
  return joined;
}

}  // namespace mti
