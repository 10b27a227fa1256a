#include "solvers/mode/frozen_mode.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/model/freeze.hpp"
#include "mti/model/frozen_rows.hpp"
#include "solvers/surfaces/surface.hpp"

namespace mti {
namespace {

bool is_allowed(const Model& model, const Mode& mode) {
  if (model.invariants.empty()) return true;
  std::vector<double> v(at(model.signature.size()), 0.0);
  write_mode(model.signature, mode, v);
  return std::all_of(model.invariants.begin(), model.invariants.end(), [&](const BooleanFormula& formula) {
    return formula.evaluate([&](int row) { return v[at(row)] != 0.0; });
  });
}

}  // namespace

bool is_unknown(const Signature& signature, int signal) {
  return signal < signature.state_row(0) || signal >= signature.algebraic_row(0);
}

RowForm form_of(const RowMap& map, int row) {
  const auto terms = map.terms(row);
  if (terms.empty()) return RowForm::vanished;
  const bool live = std::any_of(terms.begin(), terms.end(),
                                [&](const RowMap::Term& term) { return !map.factors(term.column).empty(); });
  return live ? RowForm::live : RowForm::constant;
}

/// A multiple of the row holds each of its signals: it is sought among the equations of the one that the fewest hold.
template <class EquationsWith>
void FrozenMode::find_implied(const EquationsWith& equations_with, std::span<const int> constraints) {
  for (const int row : constraints) {
    if (constraint_form[at(row)] != RowForm::live) continue;
    std::span<const int> candidates;
    bool first = true;
    for (const RowMap::Term& term : g.terms(row))
      for (const RowMap::Factor& factor : g.factors(term.column))
        if (const std::span<const int> with = equations_with(factor.signal);
            std::exchange(first, false) || with.size() < candidates.size())
          candidates = with;
    if (std::ranges::any_of(candidates, [&](int equation) {
          return f.terms(equation).size() == g.terms(row).size() && ratio_of_rows(g, row, f, equation);
        }))
      constraint_form[at(row)] = RowForm::implied;
  }
}

FrozenMode::FrozenMode(const SignalRows& rows, Mode mode_) : mode(std::move(mode_)) {
  const Signature& signature = rows.model.signature;
  const HeldSignals fixed(signature.size(), fixed_signals(signature, mode));
  f = freeze_rows(rows.f, fixed);
  g = freeze_rows(rows.g, fixed);
  leave_out_idle(rows);
  examine(rows.model);
  std::vector<int> constraints(at(g.rows()));
  std::iota(constraints.begin(), constraints.end(), 0);
  find_implied([&](int signal) { return rows.f.with(signal); }, constraints);
  list_rows();
}

FrozenMode::FrozenMode(const SignalRows& rows, Mode mode_, RowMap f_, RowMap g_, std::vector<int> sliding_)
    : mode(std::move(mode_)), f(std::move(f_)), g(std::move(g_)), sliding(std::move(sliding_)) {
  leave_out_idle(rows);
  examine(rows.model);
}

void FrozenMode::leave_out_idle(const SignalRows& rows) {
  if (rows.conditional.empty() && mode.resting.empty()) return;
  if (!rows.conditional.empty()) idle = idle_definitions(rows, f, g);
  add_resting(rows.model, mode, idle);
  if (idle.empty()) return;
  // What multiplies a function that stays at 0 has no part in the mode: as a relay's sign beside the root of what it slides on.
  std::vector<FixedSignal> at_rest;
  for (const int function : mode.resting)
    at_rest.push_back({rows.model.function_texts[at(function)].result, 0.0});
  if (!at_rest.empty()) f = freeze_rows(f, HeldSignals(rows.model.signature.size(), at_rest));
  f = without_definitions(f, idle);
  for (const Definition& one : idle) idle_signals.push_back(one.signal);
  std::ranges::sort(idle_signals);
}

FrozenMode::FrozenMode(const SignalRows& rows, Mode mode_, const FrozenMode& other,
                       const AffectedRows& affected)
    : mode(std::move(mode_)),
      equation_form(other.equation_form),
      constraint_form(other.constraint_form),
      has_unknowns(other.has_unknowns),
      forbidden(!is_allowed(rows.model, mode)) {
  const Signature& signature = rows.model.signature;
  const HeldSignals fixed(signature.size(), fixed_signals(signature, mode));
  std::vector<int> equations = affected.equations;
  for (const Definition& one : other.idle) equations.push_back(one.equation);
  // There the functions at rest are gone, and nothing would ask for their arguments.
  for (const int function : other.mode.resting)
    for (const int row : rows.f.with(rows.model.function_texts[at(function)].result))
      equations.push_back(row);
  sort_distinct(equations);
  f = refreeze_rows(other.f, rows.f, equations, fixed);
  g = refreeze_rows(other.g, rows.g, affected.constraints, fixed);
  leave_out_idle(rows);
  for (const Definition& one : idle) equations.push_back(one.equation);
  sort_distinct(equations);
  for (const int row : equations) equation_form[at(row)] = form_of(f, row);
  std::vector<int> constraints = affected.constraints;
  for (const int equation : equations)
    for (const int signal : rows.f.signals(equation)) {
      const std::span<const int> beside = rows.g.with(signal);
      constraints.insert(constraints.end(), beside.begin(), beside.end());
    }
  sort_distinct(constraints);
  for (const int row : constraints) examine_constraint(row, signature);
  find_implied([&](int signal) { return rows.f.with(signal); }, constraints);
  list_rows();
}

void FrozenMode::examine(const Model& model) {
  forbidden = !is_allowed(model, mode);
  for (int row = 0; row < f.rows(); ++row) equation_form.push_back(form_of(f, row));
  constraint_form.resize(at(g.rows()));
  has_unknowns.resize(at(g.rows()));
  for (int row = 0; row < g.rows(); ++row) examine_constraint(row, model.signature);
  list_rows();
}

void FrozenMode::examine_constraint(int row, const Signature& signature) {
  constraint_form[at(row)] = form_of(g, row);
  has_unknowns[at(row)] = 0;
  for (const RowMap::Term& term : g.terms(row))
    for (const RowMap::Factor& factor : g.factors(term.column))
      if (is_unknown(signature, factor.signal)) has_unknowns[at(row)] = 1;
}

void FrozenMode::list_rows() {
  broken_equations.clear();
  broken_constraints.clear();
  live_constraints.clear();
  for (int row = 0; row < f.rows(); ++row)
    if (equation_form[at(row)] == RowForm::constant) broken_equations.push_back(row);
  for (int row = 0; row < g.rows(); ++row) {
    if (constraint_form[at(row)] == RowForm::constant && g.terms(row)[0].Phi > 0.0)
      broken_constraints.push_back(row);
    if (constraint_form[at(row)] == RowForm::live) live_constraints.push_back(row);
  }
}

FrozenMode FrozenMode::with_equations(RowMap equations) const {
  FrozenMode other = *this;
  other.f = std::move(equations);
  other.equation_form.clear();
  for (int row = 0; row < other.f.rows(); ++row) other.equation_form.push_back(form_of(other.f, row));
  other.list_rows();
  return other;
}

void FrozenMode::drop_constraint(int row) {
  constraint_form[at(row)] = RowForm::vanished;
  std::erase(live_constraints, row);
}

void FrozenMode::find_implied(int rows) {
  std::map<int, std::vector<int>> with;
  for (int row = 0; row < f.rows(); ++row)
    for (const RowMap::Term& term : f.terms(row))
      for (const RowMap::Factor& factor : f.factors(term.column)) with[factor.signal].push_back(row);
  std::vector<int> constraints(at(rows));
  std::iota(constraints.begin(), constraints.end(), 0);
  find_implied([&](int signal) { return std::span<const int>(with[signal]); }, constraints);
  list_rows();
}

std::vector<int> FrozenMode::live_equations() const {
  std::vector<int> live;
  for (int row = 0; row < f.rows(); ++row)
    if (equation_form[at(row)] == RowForm::live) live.push_back(row);
  return live;
}

std::vector<int> FrozenMode::unknowns(const Signature& signature) const {
  std::vector<int> rows(at(signature.n() + signature.p()));
  const auto split = rows.begin() + signature.n();
  std::iota(rows.begin(), split, signature.derivative_row(0));
  std::iota(split, rows.end(), signature.algebraic_row(0));
  rows.insert(rows.end(), sliding.begin(), sliding.end());
  return rows;
}

}  // namespace mti
