#include "solvers/multimode/multimode_analysis.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode_sets/mode_count.hpp"

namespace mti {

std::string MultimodeAnalysis::count(const ModeSet& set) const {
  std::vector<ModeSet> sets = modes.space.factors();
  sets.push_back(set);
  return count_modes(sets, modes.space.variables());
}

std::string MultimodeAnalysis::where(const ModeSet& set) const {
  return formula(set, modes.space.care_of(set), [&](int variable) { return modes.space.name(variable); });
}

std::string MultimodeAnalysis::where_regular(const ModeSet& set) const {
  const ModeSet care = modes.space.care_of(set) - modes.parts.singular;
  return formula(set, care.empty() ? ModeSet::all() : care,
                 [&](int variable) { return modes.space.name(variable); });
}

std::string MultimodeAnalysis::where_pair(const ModeSet& set) const {
  // Conditions that hold for all pairs considered and asked for are left out of the text.
  std::vector<int> before_variables, after_variables;
  for (const int variable : set.support())
    (variable % 2 == 0 ? before_variables : after_variables).push_back(variable / 2);
  const auto care_of = [&](const std::vector<int>& variables, const ModeSet& asked) {
    ModeSet touched = ModeSet::all();
    for (const int variable : variables) touched &= ModeSet::where(variable);
    return modes.space.care_of(touched & asked) & asked;
  };
  const ModeSet care = of_before(care_of(before_variables, before - modes.parts.singular), modes.space) &
                       of_after(care_of(after_variables, after - modes.parts.singular), modes.space);
  return formula(set, care.empty() ? ModeSet::all() : care, [&](int variable) {
    const std::string& name = modes.space.name(variable / 2);
    return variable % 2 == 0 ? "pre(" + name + ")" : name;
  });
}

std::string MultimodeAnalysis::where_both(const ConditionalEdge& edge) const {
  const auto& blocks = modes.graph.blocks;
  const ModeSet care = modes.space.considered(blocks[at(edge.from)].where & blocks[at(edge.block)].where) -
                       modes.parts.singular;
  return formula(edge.where, care, [&](int variable) { return modes.space.name(variable); });
}

namespace {

std::optional<MultimodeAnalysis::WithoutRules> without_rules(const Model& model) {
  constexpr long long nodes = 20'000'000;
  try {
    const ModeSpace space(model, ModeSpace::Rules::ignored);
    const Considered considered = within_effort(space, nodes);
    const SymbolicIncidence incidence = symbolic_incidence(model.f(), model.signature, space);
    ModeSet singular = multimode_parts(incidence, considered, FirstMatching(incidence, considered)).singular;
    std::string modes = count_modes(std::vector{singular}, space.variables());
    return MultimodeAnalysis::WithoutRules{std::move(singular), std::move(modes)};
  } catch (const ModeSetTooLarge&) {
    return std::nullopt;
  }
}

}  // namespace

MultimodeAnalysis analyze_all_modes(const Model& model, const BooleanFormula& before,
                                    const BooleanFormula& after, long long nodes) {
  // In a sample pre(z) may be anything; in a motion it is z, and all modes can be told by z alone.
  if (model.is_discrete() && model.signature.r() > 0)
    throw ModeSetTooLarge("a model of discrete time with pre(z) is not examined in all modes");
  AllModes modes(model, nodes);
  const ModeSet from = modes_where(before, modes.space), to = modes_where(after, modes.space);
  MultimodeAnalysis result{.modes = std::move(modes), .before = from, .after = to};
  const AllModes& all = result.modes;
  result.all_modes = count_modes({}, all.space.variables());
  result.considered_modes = result.count(ModeSet::all());
  result.singular_modes = result.count(all.parts.singular);
  result.regular_modes = result.count(!all.parts.singular);
  if (!all.space.factors().empty()) result.without_rules = without_rules(model);
  result.degrees_of_freedom = degrees_of_freedom(all);
  result.by_index = modes_by_index(all);
  result.classes = mode_classes(all);
  if (model.is_discrete()) return result;  // nothing restarts from sample to sample
  result.changes = mode_changes(all, model, from, to);
  result.laws = law_parts(all, model);
  result.scenarios = scenario_parts(all, model);
  return result;
}

}  // namespace mti
