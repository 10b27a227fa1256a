#include "solvers/mode_sets/mode_space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode_sets/variable_order.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

/// The row that stands for a signal in the graph: x for ẋ, z for pre(z); −1 for inputs that are no binaries,
/// since what is known from outside joins nothing.
int node_of(int row, const Signature& signature) {
  if (row < signature.state_row(0)) return row + signature.n();
  if (row >= signature.pre_row(0))
    return signature.binary_row(signature.pre()[at(row - signature.pre_row(0))]);
  const bool input = row >= signature.input_row(0) && row < signature.algebraic_row(0);
  return input && !signature.inputs()[at(row - signature.input_row(0))].binary ? -1 : row;
}

/// Every relation that makes binaries and other signals meet, as the signals it holds, each once; −1 comes first where there
/// are inputs that are no binaries.
Relations relations_of(const Model& model) {
  Relations relations(at(model.equations() + model.constraints()));
  const auto enter = [&](const SparseColumns& Phi, int first, int k) {
    for (SparseColumns::InnerIterator weight(Phi, k); weight; ++weight)
      for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor)
        relations[at(first + static_cast<int>(weight.row()))].push_back(
            node_of(static_cast<int>(factor.row()), model.signature));
  };
  for (int k = 0; k < model.columns(); ++k) {
    enter(model.Phi_eq, 0, k);
    enter(model.Phi_ineq, model.equations(), k);
  }
  for (const BooleanFormula& invariant : model.invariants) {
    std::vector<int>& rows = relations.emplace_back();
    for (const BooleanFormula::Step& step : invariant.steps)
      if (step.operation == BooleanFormula::Operation::variable) rows.push_back(step.row);
  }
  for (std::vector<int>& rows : relations) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  return relations;
}

bool is_binary_input(int row, const Signature& signature) {
  return row >= signature.input_row(0) && row < signature.algebraic_row(0) &&
         signature.inputs()[at(row - signature.input_row(0))].binary;
}

/// Rules that are wider than this in the order of the whole model get an order of their own (narrow_order()).
constexpr int widest_relation = 12;

/// Binaries and binary inputs, as rows of S, along the graph of relations and signals from one end to the
/// other; those that occur nowhere come last. Rules, which hold nothing else, are kept narrow: a signal that many
/// constraints hold would put all their binaries before what logic makes of them.
std::vector<int> along_the_graph(const Model& model) {
  const Signature& signature = model.signature;
  const auto is_variable = [&](int row) {
    return (row >= signature.binary_row(0) && row < signature.pre_row(0)) || is_binary_input(row, signature);
  };
  Relations relations = relations_of(model), rules;
  for (std::vector<int>& rows : relations) {
    if (std::ranges::all_of(rows, is_variable)) rules.push_back(rows);
    if (!rows.empty() && rows.front() < 0) rows.erase(rows.begin());
  }
  std::vector<char> found(at(signature.size()), 0);
  std::vector<int> order;
  const auto enter = [&](int row) {
    if (std::exchange(found[at(row)], 1) == 0 && is_variable(row)) order.push_back(row);
  };
  for (const int row : along_relations(relations)) enter(row);
  for (int row = 0; row < signature.pre_row(0); ++row) enter(row);
  return narrow_order(order, rules, widest_relation);
}

[[noreturn]] void refuse_beyond(long long nodes) {
  throw ModeSetTooLarge("the decision diagrams of all modes have become too large: more than " +
                        std::to_string(nodes) + " nodes looked at");
}

}  // namespace

IndependentSets::IndependentSets(std::vector<ModeSet> sets) : sets_(std::move(sets)) {
  for (std::size_t i = 0; i < sets_.size(); ++i)
    for (const int variable : sets_[i].support()) {
      if (at(variable) >= set_of_.size()) set_of_.resize(at(variable) + 1, -1);
      set_of_[at(variable)] = static_cast<int>(i);
    }
}

ModeSet IndependentSets::met_by(const ModeSet& set) const {
  ModeSet met = ModeSet::all();
  if (set.is_constant() || sets_.empty()) return met;
  std::vector<int> places;
  for (const int variable : set.support())
    if (at(variable) < set_of_.size() && set_of_[at(variable)] >= 0) places.push_back(set_of_[at(variable)]);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const int place : places) met &= sets_[at(place)];
  return met;
}

ModeSpace::ModeSpace(const Model& model, Rules rules, long long nodes) {
  choose_variables(model);
  if (variables() > most_variables)
    throw ModeSetTooLarge("there are " + std::to_string(variables()) + " binaries; at most " +
                          std::to_string(most_variables) + " can be analysed at once");
  std::vector<ModeSet> conditions;
  for (const BooleanFormula& invariant : model.invariants)
    conditions.push_back(modes_where(invariant, *this));

  // Rows that hold binaries only are rules for them.
  struct Row {
    ModePolynomial value;
    bool only_binaries = true, empty = true;
  };
  std::vector<Row> equations(at(model.equations())), constraints(at(model.constraints()));
  for (int k = 0; k < model.columns(); ++k) {
    const Column parts = column(model.S, k);
    const auto enter = [&](const SparseColumns& Phi, std::vector<Row>& rows) {
      for (SparseColumns::InnerIterator weight(Phi, k); weight; ++weight) {
        Row& row = rows[at(static_cast<int>(weight.row()))];
        row.only_binaries = row.only_binaries && parts.others.empty();
        row.empty = row.empty && parts.binary.empty();
        if (row.only_binaries) row.value.add(weight.value(), parts.binary);
      }
    };
    enter(model.Phi_eq, equations);
    enter(model.Phi_ineq, constraints);
  }
  for (const Row& row : equations) {
    const bool rule = row.only_binaries && !row.empty;
    rule_equations_.push_back(rule ? 1 : 0);
    if (rule) conditions.push_back(!row.value.nonzero());
  }
  for (const Row& row : constraints)
    if (row.only_binaries && !row.empty) conditions.push_back(!row.value.positive());
  split_into_factors(rules == Rules::followed ? conditions : std::vector<ModeSet>{}, nodes);
}

void ModeSpace::choose_variables(const Model& model) {
  const Signature& signature = model.signature;
  first_binary_ = signature.binary_row(0);
  variable_.assign(at(signature.size()), -1);
  for (const int row : along_the_graph(model)) {
    variable_[at(row)] = variables();
    row_.push_back(row);
    name_.push_back(signature.row_name(row));
    const auto first = signature.inputs().begin();
    const bool binary = row >= first_binary_;
    binary_input_.push_back(
        binary ? -1
               : static_cast<int>(std::count_if(first, first + (row - signature.input_row(0)),
                                                [](const Signal& other) { return other.binary; })));
  }
  for (int i = 0; i < signature.r(); ++i)
    variable_[at(signature.pre_row(i))] = variable_[at(signature.binary_row(signature.pre()[at(i)]))];
}

void ModeSpace::split_into_factors(const std::vector<ModeSet>& conditions, long long nodes) {
  DisjointSets connected(variables());
  for (const ModeSet& condition : conditions) {
    contradictory_ = contradictory_ || condition.empty();
    const std::vector<int> support = condition.support();
    for (const int variable : support) connected.join(variable, support.front());
  }
  std::vector<int> place_of_root(at(variables()), -1);
  std::vector<ModeSet> factors;
  // Nodes of factors at most, counted where there may be many: small ones cost nothing to speak of, however many they are.
  std::vector<long long> sizes;
  const long long few = nodes / 32;
  long long looked_at = 0;
  for (const ModeSet& condition : conditions) {
    check_budget();
    if (condition.is_constant()) continue;
    int& place = place_of_root[at(connected.of(condition.support().front()))];
    if (place < 0) {
      place = static_cast<int>(factors.size());
      factors.push_back(ModeSet::all());
      sizes.push_back(1);
    }
    factors[at(place)] &= condition;
    long long& size = sizes[at(place)];
    size *= condition.size();
    if (size > few) size = factors[at(place)].size();
    if (size > few) looked_at += size;
    if (looked_at > nodes) refuse_beyond(nodes);
  }
  for (const ModeSet& factor : factors) contradictory_ = contradictory_ || factor.empty();
  if (contradictory_) factors.assign(1, ModeSet::none());
  factors_ = IndependentSets(std::move(factors));
}

ModeSet ModeSpace::care_of(const ModeSet& set) const {
  return contradictory_ ? ModeSet::none() : factors_.met_by(set);
}

ModeSet ModeSpace::considered(const ModeSet& set) const { return set & care_of(set); }

bool ModeSpace::contains(const ModeSet& set, const Mode& mode) const {
  return set.contains([&](int variable) {
    const int input = binary_input_[at(variable)];
    return input >= 0 ? mode.binary_inputs[at(input)] != 0
                      : mode.z[at(row_of(variable) - first_binary_)] != 0;
  });
}

ModeSpace::Column ModeSpace::column(const SparseColumns& S, int k, std::span<const int> copied) const {
  Column parts;
  const int own = static_cast<int>(variable_.size());
  for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
    int row = static_cast<int>(factor.row());
    if (row >= own) row = copied[at(row - own)];
    const int variable = variable_of(row);
    const double at_0 = 1.0 - std::abs(factor.value());
    if (variable >= 0)
      parts.binary.push_back({variable, at_0, at_0 + factor.value()});
    else
      parts.others.emplace_back(row, factor.value());
  }
  return parts;
}

Considered within_effort(const ModeSpace& space, long long nodes) {
  return [&space, nodes, left = nodes](const ModeSet& set) mutable {
    check_budget();
    ModeSet result = space.considered(set);
    left -= result.size();
    if (left < 0) refuse_beyond(nodes);
    return result;
  };
}

ModeSet modes_where(const BooleanFormula& formula, const ModeSpace& space) {
  std::vector<ModeSet> stack;
  for (const BooleanFormula::Step& step : formula.steps) {
    switch (step.operation) {
      case BooleanFormula::Operation::variable:
        stack.push_back(ModeSet::where(space.variable_of(step.row)));
        break;
      case BooleanFormula::Operation::constant:
        stack.push_back(step.value ? ModeSet::all() : ModeSet::none());
        break;
      case BooleanFormula::Operation::negation:
        stack.back() = !stack.back();
        break;
      case BooleanFormula::Operation::conjunction:
      case BooleanFormula::Operation::disjunction: {
        const ModeSet right = std::move(stack.back());
        stack.pop_back();
        if (step.operation == BooleanFormula::Operation::conjunction)
          stack.back() &= right;
        else
          stack.back() |= right;
        break;
      }
    }
  }
  return stack.empty() ? ModeSet::all() : stack.back();
}

}  // namespace mti
