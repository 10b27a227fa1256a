#include "solvers/mode/mode_system.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/multimode/all_modes.hpp"

namespace mti {
namespace {

/// pre(z) = z: what the structure of all modes speaks of.
bool is_remembered(const Signature& signature, const Mode& mode) {
  for (int i = 0; i < signature.r(); ++i)
    if (mode.pre[at(i)] != mode.z[at(signature.pre()[at(i)])]) return false;
  return true;
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
  sort_distinct(products);
  return products;
}

/// Whether the plan of one mode holds in another that differs from it in `equations` alone.
bool has_same_structure(const ModeSystem& a, const FrozenMode& b, const std::vector<int>& equations,
                        const Signature& signature) {
  if (!a.plan->over_determined.empty()) return false;
  const bool with_states = !a.plan->plain() || !a.plan->absent.slopes.empty();
  return std::all_of(equations.begin(), equations.end(), [&](int row) {
    return a.equation_form[at(row)] == b.equation_form[at(row)] &&
           unknowns_of_terms(a.f, row, signature, with_states) ==
               unknowns_of_terms(b.f, row, signature, with_states);
  });
}

}  // namespace

ModeSystem::ModeSystem(const SignalRows& rows, Mode mode_, const AllModes* all, PlanMemory* plans)
    : FrozenMode(rows, std::move(mode_)) {
  make_plan(rows, all, plans);
}

ModeSystem::ModeSystem(const SignalRows& rows, Mode mode_, const ModeSystem& other,
                       const AffectedRows& affected, const AllModes* all, PlanMemory* plans)
    : FrozenMode(rows, std::move(mode_), other, affected) {
  // What one of them does without counts as another structure, for its values are not to be taken over.
  if (idle == other.idle && has_same_structure(other, *this, affected.equations, rows.model.signature)) {
    remembering_ = other.remembering_;
    plan = other.plan;
    graph = other.graph;
    parts = other.parts;
    find_undetermined(rows.model.signature);
  } else {
    make_plan(rows, all, plans);
  }
}

ModeSystem::ModeSystem(const SignalRows& rows, SlidingMode slides, PlanMemory* plans)
    : FrozenMode(std::move(slides.frozen)),
      extended(std::make_shared<const FrozenModel>(std::move(slides.maps))),
      entangled(slides.entangled),
      held(slides.held) {
  make_plan(rows, nullptr, plans);
}

void ModeSystem::make_plan(const SignalRows& rows, const AllModes* all, PlanMemory* plans) {
  const Model& model = rows.model;
  const Signature& signature = model.signature;
  // The structure of all modes knows nothing of surfaces and of rest, of memory between an event's steps, and of modes that
  // are none: these are planned by themselves.
  if (all != nullptr && mode.slides.empty() && mode.resting.empty() && broken_equations.empty() &&
      !forbidden && is_remembered(signature, mode) && all->is_considered(mode))
    if (const ModeStructure structure = all->structure_of(model, mode); !structure.singular)
      plan = std::make_shared<const SolutionPlan>(plan_of_structure(f, signature, structure, model.divisors));
  const bool has_graph = mode.slides.empty();
  PlanMemory::Key key;
  if (!plan) {
    // A state that no row holds is no unknown, so that it leaves no mode under-determined: it keeps its value.
    const std::vector<int> live = live_equations();
    std::vector<int> unknowns = this->unknowns(signature);
    if (plans != nullptr) {
      key = PlanMemory::key(f, live, unknowns);
      key.push_back(has_graph ? 1 : 0);
      if (const PlanMemory::Known* const known = plans->find(key)) {
        remembering_ = std::make_shared<const PlanMemory::Known>(*known);
        plan = known->plan;
        graph = known->graph;
        return find_undetermined(signature);
      }
    }
    AbsentSignals absent = find_absent(f, signature, live);
    std::erase_if(unknowns, [&](int row) { return std::ranges::binary_search(absent.slopes, row); });
    SolutionPlan made = signature.is_discrete()
                            ? plan_solution(f, signature, live, unknowns)  // x is never an unknown
                            : plan_with_differentiation(f, signature, live, unknowns, model.divisors);
    made.absent = std::move(absent);
    plan = std::make_shared<const SolutionPlan>(std::move(made));
  }
  // Read off the unfrozen rows, the graph holds for every mode that takes the plan over.
  if (has_graph && plan->plain() && plan->over_determined.empty())
    graph = std::make_shared<const BlockGraph>(*plan, rows.f, signature);
  if (!key.empty()) plans->keep(std::move(key), {plan, graph});
  find_undetermined(signature);
}

/// A y that nothing determines may keep its last value as long as no constraint asks for it; an open ẋ may not.
void ModeSystem::find_undetermined(const Signature& signature) {
  if (!parts) parts = std::make_shared<const SeparateParts>(f, *plan, sliding, signature);
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

}  // namespace mti
