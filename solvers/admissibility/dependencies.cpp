#include "solvers/admissibility/dependencies.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "mti/model/jacobian.hpp"
#include "solvers/plan/redundant_in_every_mode.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"

namespace mti {

namespace {

/// ẋ and y, by their rows of S.
Indexed<PatternColumn, SignalRow> unknowns_of(const Signature& signature) {
  return pattern_columns({derivative_rows(signature), algebraic_rows(signature)});
}

/// Rows that follow from others make a part of f over-determined, and are sought there only.
std::vector<int> redundant_rows(const SignalRows& rows) {
  const Model& model = rows.model;
  std::vector<int> all(at(rows.f.rows()));
  std::iota(all.begin(), all.end(), 0);
  const Incidence pattern = incidence(model.S, model.Phi_eq, all, unknowns_of(model.signature));
  const OverDeterminedPart over = over_determined_part(pattern, maximum_matching(pattern));
  return redundant_in_every_mode(model, rows.f, values(over.rows));
}

}  // namespace

const std::vector<int>& Dependencies::redundant() const {
  if (!redundant_) redundant_ = redundant_rows(rows_);
  return *redundant_;
}

const std::vector<std::vector<int>>& Dependencies::blocks_of_unknowns() const {
  if (!blocks_of_unknowns_.empty()) return blocks_of_unknowns_;
  const Model& model = rows_.model;
  std::vector<int> rows;
  for (int row = 0; row < rows_.f.rows(); ++row)
    if (!std::ranges::binary_search(redundant(), row)) rows.push_back(row);
  const Indexed<PatternColumn, SignalRow> unknowns = unknowns_of(model.signature);
  const Incidence pattern = incidence(model.S, model.Phi_eq, rows, unknowns);
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  blocks_of_unknowns_.resize(at(model.signature.size()));
  const auto enter = [&](PatternColumn column, const std::vector<PatternRow>& determining) {
    std::vector<int>& block = blocks_of_unknowns_[at(unknowns[column].value())];
    for (const PatternRow row : determining) block.push_back(rows[at(row.value())]);
  };
  // Of all modes at once: an unknown is determined by the equations of its block, once the blocks before it are solved.
  for (const Block& block : parts.blocks)
    for (const PatternColumn column : block.columns) enter(column, block.rows);
  // Where rows and unknowns are not as many, each row of the part determines any of its unknowns in some matching, and
  // which of them is left over is chance.
  const auto enter_part = [&](const std::vector<PatternRow>& part_rows,
                              const std::vector<PatternColumn>& part_columns) {
    for (const PatternRow row : part_rows)
      for (const PatternColumn column : pattern.row(row))
        if (std::ranges::binary_search(part_columns, column)) enter(column, {row});
  };
  enter_part(parts.over_rows, parts.over_columns);
  enter_part(parts.under_rows, parts.under_columns);
  return blocks_of_unknowns_;
}

std::vector<int> Dependencies::of_unknown(int row) const {
  std::set<int> binaries;
  for (const int equation : rows_.f.with(row)) {
    const std::span<const int> held = of_equation(equation);
    binaries.insert(held.begin(), held.end());
  }
  return {binaries.begin(), binaries.end()};
}

std::vector<int> Dependencies::open_block(int unknown, std::set<int>& visited, std::vector<int>& open) const {
  std::vector<int> found;
  for (const int equation : blocks_of_unknowns()[at(unknown)]) {
    if (!visited.insert(equation).second) continue;
    found.push_back(equation);
    const std::span<const int> signals = rows_.f.signals(equation);
    open.insert(open.end(), signals.begin(), signals.end());
  }
  return found;
}

const std::vector<int>& Dependencies::of_trigger(int constraint) const {
  if (const auto known = of_triggers_.find(constraint); known != of_triggers_.end()) return known->second;
  return of_triggers_.emplace(constraint, find_of_trigger(constraint)).first->second;
}

std::vector<int> Dependencies::find_of_trigger(int constraint) const {
  const Signature& signature = rows_.model.signature;
  if (const auto own = of_constraint(constraint); !own.empty()) return {own.begin(), own.end()};
  // A binary can repair a broken g only by what g, Dg, D²g, … are made of, and the lowest of them that depends on one
  // decides first. Level 0 are the signals of g itself: x is given, so a state ends the way there; ẋ and y lead on to
  // the equations of their blocks. By (9) Dg holds the derivatives of what g holds: level k + 1 are those of level k's
  // states.
  std::set<int> visited_equations, visited_signals;
  const std::span<const int> in_constraint = rows_.g.signals(constraint);
  std::set<int> level(in_constraint.begin(), in_constraint.end());
  while (!level.empty()) {
    std::set<int> binaries, next;
    std::vector<int> open(level.begin(), level.end());
    while (!open.empty()) {
      const int signal = open.back();
      open.pop_back();
      if (!visited_signals.insert(signal).second) continue;
      const bool is_state = signal >= signature.state_row(0) && signal < signature.input_row(0);
      if (is_state) {
        // In discrete time x is known whatever the binaries are.
        if (!signature.is_discrete()) next.insert(signature.derivative_row(signal - signature.state_row(0)));
        continue;
      }
      for (const int equation : open_block(signal, visited_equations, open)) {
        const std::span<const int> held = of_equation(equation);
        binaries.insert(held.begin(), held.end());
      }
    }
    if (!binaries.empty()) return {binaries.begin(), binaries.end()};
    level.swap(next);
  }
  return {};
}

/// Backwards from the row: a state by what moves it, an unknown by its block. A block that some mode leaves without an unknown is
/// solved with derivatives of what it is joined with, all of which JumpingStates counts.
std::vector<int> Dependencies::of_signals(int constraint) const {
  const Signature& signature = rows_.model.signature;
  std::set<int> binaries, visited_equations, visited_signals;
  const auto add = [&](std::span<const int> more) { binaries.insert(more.begin(), more.end()); };
  const std::span<const int> in_constraint = rows_.g.signals(constraint);
  std::vector<int> open(in_constraint.begin(), in_constraint.end());
  while (!open.empty()) {
    const int signal = open.back();
    open.pop_back();
    if (!visited_signals.insert(signal).second) continue;
    const bool is_state = signal >= signature.state_row(0) && signal < signature.input_row(0);
    if (is_state) {
      add(jumps().of_state(signal - signature.state_row(0)));
      continue;
    }
    if (blocks_of_unknowns()[at(signal)].empty()) add(of_unknown(signal));
    for (const int equation : open_block(signal, visited_equations, open)) {
      add(of_equation(equation));
      add(jumps().of_equation(equation));
    }
  }
  return {binaries.begin(), binaries.end()};
}

}  // namespace mti
