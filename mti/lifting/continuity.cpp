#include "mti/lifting/continuity.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/lifting/binary_steps.hpp"

namespace mti {
namespace {

bool has_jump(const TableInput& table) {
  if (table.interpolation == Interpolation::previous)
    return std::ranges::adjacent_find(table.value, std::ranges::not_equal_to()) != table.value.end();
  for (std::size_t i = 1; i < table.time.size(); ++i)
    if (table.time[i] == table.time[i - 1] && table.value[i] != table.value[i - 1]) return true;
  return false;
}

}  // namespace

bool is_smooth(const Input& input) {
  const Input::Form& form = input.form();
  return std::holds_alternative<ConstantInput>(form) || std::holds_alternative<SineInput>(form) ||
         std::holds_alternative<ClockInput>(form);
}

bool is_continuous(const Input& input) {
  if (is_smooth(input)) return true;
  if (const auto* table = std::get_if<TableInput>(&input.form())) return !has_jump(*table);
  if (const auto* periodic = std::get_if<PeriodicInput>(&input.form()))
    return !has_jump(periodic->table) && periodic->table.value.front() == periodic->table.value.back();
  return false;
}

bool has_one_smooth_mode(const Model& model) {
  return model.signature.q() == 0 && model.transitions.empty() &&
         std::ranges::none_of(model.signature.inputs(), &Signal::binary) &&
         std::ranges::all_of(model.inputs, is_smooth);
}

Continuity::Continuity(const Model& model, std::span<const std::string> jumps)
    : model_(model),
      rows_(model),
      jumps_(jumps.begin(), jumps.end()),
      continuous_(at(model.signature.size()), 0),
      equation_(at(model.signature.size()), -1),
      open_(at(model.equations()), 0) {
  const Signature& signature = model.signature;
  for (int row = 0; row < signature.size(); ++row)
    if (!is_binary_row(model_.signature, row))
      for (const int equation : rows_.f.with(row)) ++open_[at(equation)];
  for (int i = 0; i < signature.n(); ++i)
    if (jumps_[at(i)].empty()) mark(signature.state_row(i));
  for (int i = 0; i < signature.m(); ++i)
    if (!is_binary_row(model_.signature, signature.input_row(i)) && mti::is_continuous(model.inputs[at(i)]))
      mark(signature.input_row(i));
  for (int equation = 0; equation < model.equations(); ++equation)
    if (open_[at(equation)] == 1) provable_.push_back(equation);
  while (!provable_.empty()) {
    const int equation = provable_.back();
    provable_.pop_back();
    prove(equation);
  }
  if (!model.is_discrete() && has_one_smooth_mode(model) && std::ranges::all_of(jumps_, &std::string::empty))
    for (int row = 0; row < signature.size(); ++row) continuous_[at(row)] = 1;
}

void Continuity::mark(int row) {
  continuous_[at(row)] = 1;
  for (const int equation : rows_.f.with(row))
    if (--open_[at(equation)] == 1) provable_.push_back(equation);
}

void Continuity::prove(int equation) {
  int row = -1;
  for (const RowMap::Term& term : rows_.f.terms(equation))
    for (const RowMap::Factor& factor : rows_.f.factors(term.column))
      if (continuous_[at(factor.signal)] == 0 && !is_binary_row(model_.signature, factor.signal))
        row = factor.signal;
  if (row < 0 || !gives(equation, row) || has_step(equation)) return;
  equation_[at(row)] = equation;
  mark(row);
}

/// The row is c·y + h with c a number that is not 0, or a divisor. A function of y gives nothing.
bool Continuity::gives(int equation, int row) const {
  double coefficient = 0.0;
  int divided = 0;
  for (const RowMap::Term& term : rows_.f.terms(equation)) {
    const auto factors = rows_.f.factors(term.column);
    const auto own = std::ranges::find(factors, row, &RowMap::Factor::signal);
    if (own == factors.end()) continue;
    if (rows_.f.function_of(term.column) != nullptr) return false;
    if (factors.size() == 1) {
      coefficient += term.Phi * own->S;
      continue;
    }
    const RowMap::Factor& other = factors[own == factors.begin() ? 1 : 0];
    if (factors.size() > 2 || std::abs(other.S) != 1.0 || !is_divisor(other.signal)) return false;
    ++divided;
  }
  return divided == 0 ? coefficient != 0.0 : divided == 1 && coefficient == 0.0;
}

bool Continuity::is_divisor(int row) const {
  return std::ranges::find(model_.divisors, row, &Divisor::signal) != model_.divisors.end();
}

bool Continuity::has_step(int equation) const {
  for (const RowMap::Term& term : rows_.f.terms(equation))
    for (const RowMap::Factor& factor : rows_.f.factors(term.column))
      if (is_binary_row(model_.signature, factor.signal) && may_step(rows_, equation, factor.signal))
        return true;
  return false;
}

std::optional<int> Continuity::equation_of(int row) const {
  if (equation_[at(row)] < 0) return std::nullopt;
  return equation_[at(row)];
}

/// A binary, an input or a state: no equation is looked for.
bool Continuity::is_given(int row) const {
  const Signature& signature = model_.signature;
  return is_binary_row(signature, row) || (row >= signature.state_row(0) && row < signature.algebraic_row(0));
}

std::string Continuity::own_reason(int row) const {
  const Signature& signature = model_.signature;
  const std::string name = signature.row_name(row);
  if (is_binary_row(model_.signature, row)) return name + " switches";
  const int state = row - signature.state_row(0);
  if (state >= 0 && state < signature.n()) return jumps_[at(state)];
  const int input = row - signature.input_row(0);
  if (input >= 0 && input < signature.m()) return name + " jumps";
  return "no equation gives " + name + " by signals that are continuous";
}

/// A signal that is not known to be continuous, in an equation that would give this one.
int Continuity::cause_of(int row, const std::set<int>& seen) const {
  for (const int equation : rows_.f.with(row)) {
    if (!gives(equation, row)) continue;
    for (const RowMap::Term& term : rows_.f.terms(equation))
      for (const RowMap::Factor& factor : rows_.f.factors(term.column)) {
        const int other = factor.signal;
        if (continuous_[at(other)] != 0 || seen.contains(other)) continue;
        if (!is_binary_row(model_.signature, other) || may_step(rows_, equation, other)) return other;
      }
  }
  return -1;
}

std::string Continuity::reason(int row) const {
  const auto is_auxiliary = [&](int signal) {
    const int y = signal - model_.signature.algebraic_row(0);
    return y >= 0 && y < model_.signature.p() && model_.signature.algebraic()[at(y)].auxiliary;
  };
  std::set<int> seen;
  for (int current = row, named = row;;) {
    if (!is_auxiliary(current) || is_auxiliary(named)) named = current;
    seen.insert(current);
    const int next = is_given(current) ? -1 : cause_of(current, seen);
    if (next < 0) return own_reason(named);
    current = next;
  }
}

}  // namespace mti
