#include "solvers/admissibility/dependencies.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "solvers/structure/dulmage_mendelsohn.hpp"

namespace mti {

const std::vector<std::vector<int>>& Dependencies::blocks_of_unknowns() const {
  if (!blocks_of_unknowns_.empty()) return blocks_of_unknowns_;
  const Model& model = rows_.model;
  const Signature& signature = model.signature;
  // Of all modes at once: an unknown is determined by the equations of its block, once the blocks before it are solved.
  std::vector<int> rows(at(rows_.f.rows())), unknowns;
  std::iota(rows.begin(), rows.end(), 0);
  for (int i = 0; i < signature.n(); ++i) unknowns.push_back(signature.derivative_row(i));
  for (int i = 0; i < signature.p(); ++i) unknowns.push_back(signature.algebraic_row(i));
  const Incidence pattern = incidence(model.S, model.Phi_eq, rows, pattern_columns({unknowns}));
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  blocks_of_unknowns_.resize(at(signature.size()));
  for (const Block& block : block_triangular_form(pattern, parts.row_match))
    for (const PatternColumn column : block.columns)
      blocks_of_unknowns_[at(unknowns[at(column.value())])] = values(block.rows);
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

std::vector<int> Dependencies::of_trigger(int constraint) const {
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
      for (const int equation : blocks_of_unknowns()[at(signal)]) {
        if (!visited_equations.insert(equation).second) continue;
        const std::span<const int> held = of_equation(equation), signals = rows_.f.signals(equation);
        binaries.insert(held.begin(), held.end());
        open.insert(open.end(), signals.begin(), signals.end());
      }
    }
    if (!binaries.empty()) return {binaries.begin(), binaries.end()};
    level.swap(next);
  }
  return {};
}

}  // namespace mti
