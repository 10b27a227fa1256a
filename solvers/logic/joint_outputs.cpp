#include "solvers/logic/joint_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

/// Vertices of the other signals, and choices of the binaries, that are tried for one row. Past them binaries count as deciders:
/// that is dearer, and a decider that flips costs as much as another one (docs/known-issues.md, "Rows of logic with many terms").
constexpr std::size_t most_others = 10, most_unknown = 6;

/// Rows of logic that share candidates, directly or through others.
std::vector<std::vector<int>> components(const SignalRows& rows, std::span<const char> candidates) {
  std::vector<std::vector<int>> found;
  std::vector<char> seen(at(rows.f.rows()), 0);
  for (int start = 0; start < rows.f.rows(); ++start) {
    if (seen[at(start)] != 0 || !rows.f.is_logic(start)) continue;
    seen[at(start)] = 1;
    std::vector<int> component{start};
    for (std::size_t next = 0; next < component.size(); ++next)
      for (const int binary : rows.f.binaries(component[next])) {
        if (candidates[at(binary)] == 0) continue;
        for (const int row : rows.f.with(rows.model.signature.binary_row(binary)))
          if (rows.f.is_logic(row) && std::exchange(seen[at(row)], char{1}) == 0) component.push_back(row);
      }
    std::ranges::sort(component);
    found.push_back(std::move(component));
  }
  return found;
}

/// Σ_M c_M Π_(i in M) v_i from its values on the vertices (Möbius transform): c_M is what M adds to its subsets.
std::vector<JointOutputs::Formula::Term> polynomial(std::vector<double> values,
                                                    std::span<const int> signals) {
  for (std::size_t bit = 0; bit < signals.size(); ++bit)
    for (std::size_t vertex = 0; vertex < values.size(); ++vertex)
      if ((vertex >> bit & 1U) != 0) values[vertex] -= values[vertex ^ (std::size_t{1} << bit)];
  std::vector<JointOutputs::Formula::Term> terms;
  for (std::size_t vertex = 0; vertex < values.size(); ++vertex) {
    if (values[vertex] == 0.0) continue;
    JointOutputs::Formula::Term term{values[vertex], {}};
    for (std::size_t bit = 0; bit < signals.size(); ++bit)
      if ((vertex >> bit & 1U) != 0) term.signals.push_back(signals[bit]);
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace

JointOutputs::JointOutputs(const SignalRows& rows, std::span<const char> candidates,
                           std::span<const char> loose)
    : rows_(rows), determined_(at(rows.model.signature.q()), 0), v_(at(rows.model.signature.size()), 0.0) {
  if (std::ranges::count(loose, 1) == 0) return;
  for (const std::vector<int>& component : components(rows, candidates)) {
    const bool concerned = std::ranges::any_of(component, [&](int row) {
      return std::ranges::any_of(rows.f.binaries(row), [&](int binary) { return loose[at(binary)] != 0; });
    });
    if (!concerned) continue;
    const std::size_t formulas = formulas_.size(), sources = sources_.size();
    if (solve_component(component, candidates)) continue;
    // Half of it would only be another choice of deciders.
    formulas_.resize(formulas);
    sources_.resize(sources);
  }
}

/// True if every candidate in it is determined.
bool JointOutputs::solve_component(std::span<const int> rows, std::span<const char> candidates) {
  const auto unknown_in = [&](std::span<const int> some) {
    std::vector<int> unknown;
    for (const int row : some)
      std::ranges::copy_if(rows_.f.binaries(row), std::back_inserter(unknown), [&](int binary) {
        return candidates[at(binary)] != 0 && determined_[at(binary)] == 0;
      });
    sort_distinct(unknown);
    return unknown;
  };
  for (;;) {
    check_budget();
    std::vector<std::pair<std::size_t, int>> open;  // the narrowest first
    for (const int row : rows)
      if (const std::size_t unknown = unknown_in(std::span(&row, 1)).size(); unknown > 0)
        open.emplace_back(unknown, row);
    if (open.empty()) return true;
    std::ranges::sort(open);
    const bool any = std::ranges::any_of(open, [&](const auto& one) {
      return solve(std::span(&one.second, 1), unknown_in(std::span(&one.second, 1)));
    });
    if (any) continue;
    std::vector<int> together;
    for (const auto& [unknown, row] : open) together.push_back(row);
    if (!solve(together, unknown_in(together))) return false;
  }
}

bool JointOutputs::holds(int row) const {
  return std::abs(rows_.f.value(row, v_)) <= row_rounding * rows_.f.magnitude(row, v_);
}

/// The unknown binaries as functions of all else in these rows, if they are that.
bool JointOutputs::solve(std::span<const int> rows, std::vector<int> unknown) {
  const Signature& signature = rows_.model.signature;
  if (unknown.empty() || unknown.size() > most_unknown) return false;
  std::vector<int> own, others;
  for (const int binary : unknown) own.push_back(signature.binary_row(binary));
  for (const int row : rows)
    for (const RowMap::Term& term : rows_.f.terms(row))
      for (const RowMap::Factor& factor : rows_.f.factors(term.column))
        if (std::ranges::find(own, factor.signal) == own.end()) others.push_back(factor.signal);
  sort_distinct(others);
  if (others.size() > most_others) return false;
  const auto put = [&](std::span<const int> signals, std::size_t vertex) {
    for (std::size_t bit = 0; bit < signals.size(); ++bit)
      v_[at(signals[bit])] = static_cast<double>(vertex >> bit & 1U);
  };
  const std::size_t vertices = std::size_t{1} << others.size(), choices = std::size_t{1} << own.size();
  std::vector<std::vector<double>> values(own.size(), std::vector<double>(vertices, 0.0));
  bool any = false;
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    put(others, vertex);
    std::optional<std::size_t> found;
    for (std::size_t choice = 0; choice < choices; ++choice) {
      put(own, choice);
      if (!std::ranges::all_of(rows, [&](int row) { return holds(row); })) continue;
      if (found) return false;
      found = choice;
    }
    // Where there is none the rows exclude the vertex, whatever is said here.
    any = any || found.has_value();
    for (std::size_t bit = 0; bit < own.size() && found; ++bit)
      values[bit][vertex] = static_cast<double>(*found >> bit & 1U);
  }
  if (!any) return false;
  for (std::size_t bit = 0; bit < own.size(); ++bit) {
    determined_[at(unknown[bit])] = 1;
    formulas_.push_back({unknown[bit], polynomial(std::move(values[bit]), others)});
  }
  for (const int row : rows) sources_.push_back({row, unknown});
  return true;
}

}  // namespace mti
