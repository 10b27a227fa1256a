#include <algorithm>
#include <map>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "solvers/search/constraint_problem.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

/// Any variable of a row; the rows without one have been dealt with.
int some_variable(const ProblemRow& row) { return row.uses.front().variable; }

}  // namespace

void ProblemRow::index_uses() {
  std::map<int, std::vector<int>> products_of;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto enter = [&](int variable) {
      std::vector<int>& of_variable = products_of[variable];
      if (of_variable.empty() || of_variable.back() != static_cast<int>(p))
        of_variable.push_back(static_cast<int>(p));
    };
    for (const int unknown : products[p].unknowns) enter(unknown);
    for (const Term& term : products[p].terms)
      for (const int binary : term.binaries) enter(binary);
  }
  uses.clear();
  for (auto& [variable, of_variable] : products_of) uses.push_back({variable, std::move(of_variable)});
}

ConnectedParts::ConnectedParts(const ConstraintProblem& problem) : whole_(problem) {
  DisjointSets sets(problem.binaries + problem.unknowns);
  const auto unite = [&](const std::vector<int>& variables) {
    for (const int variable : variables) sets.join(variable, variables.front());
  };
  for (const ProblemRow& row : problem.rows)
    for (const ProblemRow::Use& use : row.uses) sets.join(use.variable, some_variable(row));
  for (const TruthTable& table : problem.tables) unite(table.variables());
  for (const ProblemFormula& formula : problem.formulas) unite(formula.variables);

  std::vector<int> part_of(at(problem.binaries + problem.unknowns), -1);  // by representative
  for (int variable = 0; variable < problem.binaries; ++variable) {
    int& part = part_of[at(sets.of(variable))];
    if (part < 0) {
      part = static_cast<int>(parts_.size());
      parts_.emplace_back();
    }
    parts_[at(part)].binaries.push_back(variable);
  }
  // Rows that are joined to no binary of A say nothing about them.
  const auto enter = [&](int variable, std::vector<int> Part::*items, std::size_t item) {
    if (const int part = part_of[at(sets.of(variable))]; part >= 0)
      (parts_[at(part)].*items).push_back(static_cast<int>(item));
  };
  for (int i = 0; i < problem.unknowns; ++i)
    enter(problem.binaries + i, &Part::unknowns, at(problem.binaries + i));
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    if (!problem.rows[i].uses.empty()) enter(some_variable(problem.rows[i]), &Part::rows, i);
  for (std::size_t i = 0; i < problem.tables.size(); ++i)
    if (!problem.tables[i].variables().empty())
      enter(problem.tables[i].variables().front(), &Part::tables, i);
  for (std::size_t i = 0; i < problem.formulas.size(); ++i)
    if (!problem.formulas[i].variables.empty())
      enter(problem.formulas[i].variables.front(), &Part::formulas, i);
}

ConstraintProblem ConnectedParts::extract(const Part& part) const {
  std::unordered_map<int, int> number;
  for (const std::vector<int>* variables : {&part.binaries, &part.unknowns})
    for (const int variable : *variables) number.emplace(variable, static_cast<int>(number.size()));
  ConstraintProblem problem;
  problem.binaries = static_cast<int>(part.binaries.size());
  problem.unknowns = static_cast<int>(part.unknowns.size());
  problem.deciders =
      static_cast<int>(std::ranges::lower_bound(part.binaries, whole_.deciders) - part.binaries.begin());
  problem.impossible = whole_.impossible;
  for (const int binary : part.binaries) problem.before.push_back(whole_.before[at(binary)]);
  for (const int index : part.rows) {
    ProblemRow row = whole_.rows[at(index)];
    for (ProblemRow::Product& product : row.products) {
      for (int& unknown : product.unknowns) unknown = number.at(unknown);
      for (ProblemRow::Term& term : product.terms)
        for (int& binary : term.binaries) binary = number.at(binary);
    }
    for (ProblemRow::Use& use : row.uses) use.variable = number.at(use.variable);
    problem.rows.push_back(std::move(row));
  }
  for (const int index : part.tables)
    problem.tables.push_back(
        whole_.tables[at(index)].renamed([&](int variable) { return number.at(variable); }));
  for (const int index : part.formulas) {
    ProblemFormula formula = whole_.formulas[at(index)];
    for (int& variable : formula.variables) variable = number.at(variable);
    for (BooleanFormula::Step& step : formula.formula.steps)
      if (step.operation == BooleanFormula::Operation::variable) step.row = number.at(step.row);
    problem.formulas.push_back(std::move(formula));
  }
  return problem;
}

ConnectedParts::Part join(ConnectedParts::Part a, const ConnectedParts::Part& b) {
  const auto merge = [](std::vector<int>& into, const std::vector<int>& from) {
    into.insert(into.end(), from.begin(), from.end());
    std::ranges::sort(into);
  };
  merge(a.binaries, b.binaries);
  merge(a.unknowns, b.unknowns);
  merge(a.rows, b.rows);
  merge(a.tables, b.tables);
  merge(a.formulas, b.formulas);
  return a;
}

}  // namespace mti
