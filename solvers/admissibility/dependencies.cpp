#include "solvers/admissibility/dependencies.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "solvers/structure/dulmage_mendelsohn.hpp"

namespace mti {
namespace {

void collect(const RowMap& map, int row, const Signature& signature, std::vector<int>& binaries,
             std::vector<int>& signals) {
  for (const RowMap::Term& term : map.terms(row))
    for (const RowMap::Factor& factor : map.factors(term.column)) {
      const int binary = factor.signal - signature.binary_row(0);
      if (binary >= 0 && binary < signature.q()) binaries.push_back(binary);
      const bool is_input =
          factor.signal >= signature.input_row(0) && factor.signal < signature.algebraic_row(0);
      if (binary < 0 && !is_input) signals.push_back(factor.signal);
    }
  for (std::vector<int>* list : {&binaries, &signals}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

}  // namespace

Dependencies::Dependencies(const Model& model) : signature_(model.signature) {
  const RowMap f(model.f()), g(model.g());
  equation_binaries_.resize(at(f.rows()));
  equation_signals_.resize(at(f.rows()));
  constraint_binaries_.resize(at(g.rows()));
  constraint_signals_.resize(at(g.rows()));
  for (int row = 0; row < f.rows(); ++row)
    collect(f, row, signature_, equation_binaries_[at(row)], equation_signals_[at(row)]);
  for (int row = 0; row < g.rows(); ++row)
    collect(g, row, signature_, constraint_binaries_[at(row)], constraint_signals_[at(row)]);

  find_sure_matching(f);
  // Of all modes at once: an unknown is determined by the equations of its block, once the blocks before it are solved.
  std::vector<int> rows(at(f.rows())), unknowns;
  std::iota(rows.begin(), rows.end(), 0);
  for (int i = 0; i < signature_.n(); ++i) unknowns.push_back(signature_.derivative_row(i));
  for (int i = 0; i < signature_.p(); ++i) unknowns.push_back(signature_.algebraic_row(i));
  const Incidence pattern = incidence(model.S, model.Phi_eq, rows, pattern_columns({unknowns}));
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern);
  block_of_unknown_.resize(at(signature_.size()));
  for (const Block& block : block_triangular_form(pattern, parts.row_match))
    for (const PatternColumn column : block.columns)
      block_of_unknown_[at(unknowns[at(column.value())])] = values(block.rows);
}

/// States jump where a mode leaves some equation without an unknown of its own, so that it, or a derivative of it,
/// constrains x. An entry (equation, ẋ or y) that occurs in a column without binaries and binary inputs is there in
/// every mode; if these entries alone match all equations, no mode has such an equation.
void Dependencies::find_sure_matching(const RowMap& f) {
  Incidence sure(signature_.n() + signature_.p());
  std::vector<int> columns;
  for (int row = 0; row < f.rows(); ++row) {
    columns.clear();
    if (equation_signals_[at(row)].empty()) continue;  // of binaries and inputs alone
    for (const RowMap::Term& term : f.terms(row)) {
      const auto factors = f.factors(term.column);
      const bool depends_on_mode =
          std::any_of(factors.begin(), factors.end(), [&](const RowMap::Factor& factor) {
            const int input = factor.signal - signature_.input_row(0);
            return factor.signal >= signature_.binary_row(0) ||
                   (input >= 0 && input < signature_.m() && signature_.inputs()[at(input)].binary);
          });
      if (depends_on_mode) continue;
      for (const RowMap::Factor& factor : factors) {
        if (factor.signal < signature_.n()) columns.push_back(factor.signal);
        if (const int y = factor.signal - signature_.algebraic_row(0); y >= 0)
          columns.push_back(signature_.n() + y);
      }
    }
    sure.add_row(positions<PatternColumn>(columns));
  }
  states_may_jump_ = !signature_.is_discrete() && maximum_matching(sure).size() < sure.rows();
}

std::vector<int> Dependencies::of_unknown(int row) const {
  std::set<int> binaries;
  for (std::size_t equation = 0; equation < equation_signals_.size(); ++equation)
    if (std::binary_search(equation_signals_[equation].begin(), equation_signals_[equation].end(), row))
      binaries.insert(equation_binaries_[equation].begin(), equation_binaries_[equation].end());
  return {binaries.begin(), binaries.end()};
}

std::vector<int> Dependencies::of_trigger(int constraint) const {
  if (!constraint_binaries_[at(constraint)].empty()) return constraint_binaries_[at(constraint)];
  // A binary can repair a broken g only by what g, Dg, D²g, … are made of, and the lowest of them that depends on one
  // decides first (c). Level 0 are the signals of g itself: x is given, so a state ends the way there; ẋ and y lead on
  // to the equations of their blocks. By (9) Dg holds the derivatives of what g holds, so level k + 1 are those of
  // level k's states.
  std::set<int> visited_equations, visited_signals;
  std::set<int> level(constraint_signals_[at(constraint)].begin(), constraint_signals_[at(constraint)].end());
  while (!level.empty()) {
    std::set<int> binaries, next;
    std::vector<int> open(level.begin(), level.end());
    while (!open.empty()) {
      const int signal = open.back();
      open.pop_back();
      if (!visited_signals.insert(signal).second) continue;
      const bool is_state = signal >= signature_.state_row(0) && signal < signature_.input_row(0);
      if (is_state) {
        // In discrete time x is known whatever the binaries are.
        if (!signature_.is_discrete())
          next.insert(signature_.derivative_row(signal - signature_.state_row(0)));
        continue;
      }
      for (const int equation : block_of_unknown_[at(signal)]) {
        if (!visited_equations.insert(equation).second) continue;
        binaries.insert(equation_binaries_[at(equation)].begin(), equation_binaries_[at(equation)].end());
        open.insert(open.end(), equation_signals_[at(equation)].begin(),
                    equation_signals_[at(equation)].end());
      }
    }
    if (!binaries.empty()) return {binaries.begin(), binaries.end()};
    level.swap(next);
  }
  return {};
}

}  // namespace mti
