#include "solvers/mode/mode_system.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/surface.hpp"
#include "solvers/multimode/all_modes.hpp"

namespace mti {
namespace {

RowForm form_of(const RowMap& map, int row) {
  const auto terms = map.terms(row);
  if (terms.empty()) return RowForm::vanished;
  const bool live = std::any_of(terms.begin(), terms.end(),
                                [&](const RowMap::Term& term) { return !map.factors(term.column).empty(); });
  return live ? RowForm::live : RowForm::constant;
}

std::vector<int> unknown_rows(const Signature& signature, const std::vector<int>& sliding) {
  std::vector<int> unknowns(at(signature.n() + signature.p()));
  const auto split = unknowns.begin() + signature.n();
  std::iota(unknowns.begin(), split, signature.derivative_row(0));
  std::iota(split, unknowns.end(), signature.algebraic_row(0));
  unknowns.insert(unknowns.end(), sliding.begin(), sliding.end());
  return unknowns;
}

bool is_allowed(const Model& model, const Mode& mode) {
  if (model.invariants.empty()) return true;
  std::vector<double> v(at(model.signature.size()), 0.0);
  write_mode(model.signature, mode, v);
  return std::all_of(model.invariants.begin(), model.invariants.end(), [&](const BooleanFormula& formula) {
    return formula.evaluate([&](int row) { return v[at(row)] != 0.0; });
  });
}

/// pre(z) = z: what the structure of all modes speaks of.
bool is_remembered(const Signature& signature, const Mode& mode) {
  for (int i = 0; i < signature.r(); ++i)
    if (mode.pre[at(i)] != mode.z[at(signature.pre()[at(i)])]) return false;
  return true;
}

bool is_unknown(const Signature& signature, int signal) {
  return signal < signature.state_row(0) || signal >= signature.algebraic_row(0);
}

/// The unknowns of each term: what a plain plan of solution depends on, and whether a block is linear. Others
/// depend on where x occurs as well.
std::vector<std::vector<int>> unknowns_of_terms(const RowMap& f, int row, const Signature& signature,
                                                bool with_states) {
  std::vector<std::vector<int>> products;
  for (const RowMap::Term& term : f.terms(row)) {
    std::vector<int> product;
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (is_unknown(signature, factor.signal) || (with_states && factor.signal < signature.input_row(0)))
        product.push_back(factor.signal);
    if (!product.empty()) products.push_back(std::move(product));
  }
  std::sort(products.begin(), products.end());
  products.erase(std::unique(products.begin(), products.end()), products.end());
  return products;
}

}  // namespace

UnfrozenRows::UnfrozenRows(const Model& model) : f(model.f()), g(model.g()), outputs(model) {
  f_with.resize(at(model.signature.size()));
  g_with.resize(at(model.signature.size()));
  const auto list = [](const RowMap& map, std::vector<std::vector<int>>& rows_with) {
    for (int row = 0; row < map.rows(); ++row)
      for (const RowMap::Term& term : map.terms(row))
        for (const RowMap::Factor& factor : map.factors(term.column))
          if (auto& rows = rows_with[at(factor.signal)]; rows.empty() || rows.back() != row)
            rows.push_back(row);
  };
  list(f, f_with);
  list(g, g_with);
}

ModeSystem::ModeSystem(const Model& model, const UnfrozenRows& rows, Mode mode_, const AllModes* all)
    : mode(std::move(mode_)) {
  if (mode.slides.empty()) {
    const HeldSignals fixed(model.signature.size(), fixed_signals(model.signature, mode));
    f = freeze_rows(rows.f, fixed);
    g = freeze_rows(rows.g, fixed);
  } else {
    add_surfaces(model, rows.outputs);
  }
  examine_all(model);
  make_plan(model, rows, all);
}

ModeSystem::ModeSystem(const Model& model, const UnfrozenRows& rows, Mode mode_,
                       std::vector<FixedSignal> held_)
    : mode(std::move(mode_)), held(std::move(held_)) {
  add_surfaces(model, rows.outputs);
  examine_all(model);
  make_plan(model, rows, nullptr);
}

ModeSystem::ModeSystem(const Model& model, const UnfrozenRows& rows, Mode mode_, const ModeSystem& other,
                       std::span<const int> changed_signals, const AllModes* all)
    : mode(std::move(mode_)),
      equation_form(other.equation_form),
      constraint_form(other.constraint_form),
      has_unknowns(other.has_unknowns) {
  const Signature& signature = model.signature;
  std::vector<int> equations, constraints;
  for (const int signal : changed_signals) {
    equations.insert(equations.end(), rows.f_with[at(signal)].begin(), rows.f_with[at(signal)].end());
    constraints.insert(constraints.end(), rows.g_with[at(signal)].begin(), rows.g_with[at(signal)].end());
  }
  for (std::vector<int>* list : {&equations, &constraints}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const HeldSignals fixed(signature.size(), fixed_signals(signature, mode));
  f = refreeze_rows(other.f, rows.f, equations, fixed);
  g = refreeze_rows(other.g, rows.g, constraints, fixed);
  bool same_structure = other.plan->over_determined.empty();
  const bool with_states = !other.plan->plain() || !other.plan->absent.slopes.empty();
  for (const int row : equations) {
    equation_form[at(row)] = form_of(f, row);
    same_structure = same_structure && equation_form[at(row)] == other.equation_form[at(row)] &&
                     unknowns_of_terms(f, row, signature, with_states) ==
                         unknowns_of_terms(other.f, row, signature, with_states);
  }
  for (const int row : constraints) examine_constraint(row, signature);
  forbidden = !is_allowed(model, mode);
  list_rows();
  if (same_structure) {
    plan = other.plan;
    graph = other.graph;
    plan_taken_over = true;
    find_undetermined(signature);
  } else {
    make_plan(model, rows, all);
  }
}

void ModeSystem::examine_all(const Model& model) {
  const Signature& signature = model.signature;
  forbidden = !is_allowed(model, mode);
  for (int row = 0; row < f.rows(); ++row) equation_form.push_back(form_of(f, row));
  constraint_form.resize(at(g.rows()));
  has_unknowns.assign(at(g.rows()), 0);
  const auto surfaces = static_cast<int>(mode.slides.size());
  const int first_surface = f.rows() - surfaces - weights;
  for (int row = 0; row < g.rows(); ++row) {
    examine_constraint(row, signature);
    // A row that vanishes on the surface stays zero there.
    if (held.empty() && !sliding.empty() && row < g.rows() - 2 * surfaces &&
        constraint_form[at(row)] == RowForm::live &&
        lies_on_surfaces(extended->g, row, sliding, f, first_surface, surfaces))
      constraint_form[at(row)] = RowForm::vanished;
  }
  list_rows();
}

void ModeSystem::examine_constraint(int row, const Signature& signature) {
  constraint_form[at(row)] = form_of(g, row);
  has_unknowns[at(row)] = 0;
  for (const RowMap::Term& term : g.terms(row))
    for (const RowMap::Factor& factor : g.factors(term.column))
      if (is_unknown(signature, factor.signal)) has_unknowns[at(row)] = 1;
}

void ModeSystem::list_rows() {
  for (std::size_t row = 0; row < equation_form.size(); ++row)
    if (equation_form[row] == RowForm::constant) broken_equations.push_back(static_cast<int>(row));
  for (std::size_t row = 0; row < constraint_form.size(); ++row) {
    const int index = static_cast<int>(row);
    if (constraint_form[row] == RowForm::constant && g.terms(index)[0].Phi > 0.0)
      broken_constraints.push_back(index);
    if (constraint_form[row] == RowForm::live) live_constraints.push_back(index);
  }
}

void ModeSystem::make_plan(const Model& model, const UnfrozenRows& rows, const AllModes* all) {
  const Signature& signature = model.signature;
  if (all != nullptr && mode.slides.empty() && broken_equations.empty() && !forbidden &&
      is_remembered(signature, mode) && all->is_considered(mode))
    if (const ModeStructure structure = all->structure_of(model, mode); !structure.singular)
      plan = std::make_shared<const SolutionPlan>(plan_of_structure(f, signature, structure));
  if (!plan) {
    std::vector<int> live;
    for (std::size_t row = 0; row < equation_form.size(); ++row)
      if (equation_form[row] == RowForm::live) live.push_back(static_cast<int>(row));
    std::vector<int> unknowns = unknown_rows(signature, sliding);
    AbsentSignals absent = find_absent(f, signature, live);
    std::erase_if(unknowns, [&](int row) { return std::ranges::binary_search(absent.slopes, row); });
    SolutionPlan made = signature.is_discrete()
                            ? plan_solution(f, signature, live, unknowns)  // x is never an unknown
                            : plan_with_differentiation(f, signature, live, unknowns);
    made.absent = std::move(absent);
    plan = std::make_shared<const SolutionPlan>(std::move(made));
  }
  if (mode.slides.empty() && plan->plain() && plan->over_determined.empty())
    graph = std::make_shared<const BlockGraph>(*plan, rows.f, signature);
  find_undetermined(signature);
}

void ModeSystem::find_undetermined(const Signature& signature) {
  undetermined = plan->unmatched;
  for (const int slope : plan->absent.slopes) undetermined.push_back(slope + signature.n());
  if (plan->under_determined.empty()) return;
  std::vector<char> in_constraint(at(signature.size()), 0);
  for (const int row : live_constraints)
    for (const RowMap::Term& term : g.terms(row))
      for (const RowMap::Factor& factor : g.factors(term.column)) in_constraint[at(factor.signal)] = 1;
  for (const int unknown : plan->under_determined) {
    const bool algebraic = unknown >= signature.algebraic_row(0) && unknown < signature.binary_row(0);
    if (!algebraic || in_constraint[at(unknown)] != 0) ambiguous.push_back(unknown);
  }
}

int constraint_index(const Model& model, const Mode& mode, int row) {
  if (row < model.constraints()) return row;
  return mode.slides[at((row - model.constraints()) / 2)].constraint;
}

const std::string& constraint_name(const Model& model, const Mode& mode, int row) {
  return model.constraint_names[at(constraint_index(model, mode, row))];
}

std::string equation_name(const Model& model, const Mode& mode, int row) {
  if (row < model.equations()) return model.equation_names[at(row)];
  const auto surface = at(row - model.equations());
  if (surface >= mode.slides.size()) return "the common weight of sliding binaries";
  return "the surface of " + model.constraint_names[at(mode.slides[surface].constraint)];
}

}  // namespace mti
