#include "io/analysis/all_modes_summary.hpp"

#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

using Summary = AllModesSummary;

std::vector<Summary::Change> changes_of(const ModeChanges& changes, const AllModesNames& names) {
  std::vector<Summary::Change> result;
  for (std::size_t j = 0; j < changes.jumps.size(); ++j)
    if (!changes.jumps[j].empty() || !changes.impulses[j].empty())
      result.push_back({names.signal(static_cast<int>(j)), changes.jumps[j], changes.impulses[j]});
  return result;
}

/// A law or scenario has texts in the place of names of its own equations.
SummaryRows own_rows(const std::vector<ModeSet>& sets, const std::vector<std::string>& texts) {
  return named_rows(sets, [&](int i) { return texts[at(i)]; });
}

template <class Name>
SummaryRows derivative_rows(const std::vector<ScenarioParts::Derivative>& derivatives, const Name& name) {
  SummaryRows rows;
  for (const ScenarioParts::Derivative& one : derivatives)
    rows.push_back({name(one.index, one.order), one.where});
  return rows;
}

}  // namespace

AllModesSummary::AllModesSummary(const Model& model, const MultimodeAnalysis& analysis) {
  const AllModesNames names(model, analysis.modes);
  const auto equation = [&](int i) { return names.equation(i); };
  const auto signal = [&](int j) { return names.signal(j); };
  const MultimodeParts& parts = analysis.modes.parts;
  overdetermined = {named_rows(parts.over_equations, equation), named_rows(parts.over_signals, signal)};
  underdetermined = {named_rows(parts.under_equations, equation), named_rows(parts.under_signals, signal)};
  absent = named_rows(parts.absent, signal);
  changes = changes_of(analysis.changes, names);
  new_constraints = named_rows(analysis.changes.new_rows, equation);
  for (const LawParts& law : analysis.laws)
    laws.push_back({names.law(law.transition), law.under_determined, law.over_determined,
                    named_rows(law.signals, signal), named_rows(law.equations, equation),
                    own_rows(law.law_equations, model.transitions[at(law.transition)].equation_texts)});
  for (std::size_t s = 0; s < analysis.scenarios.size(); ++s) {
    const ScenarioParts& one = analysis.scenarios[s];
    scenarios.push_back(
        {one.name,
         one.modes,
         one.singular,
         one.determined,
         one.under_determined,
         one.over_determined,
         derivative_rows(one.signals, [&](int j, int order) { return names.derivative(j, order); }),
         derivative_rows(one.equations, [&](int i, int order) { return names.equation(i, order); }),
         own_rows(one.own, model.scenarios[s].equation_texts),
         {}});
    for (const auto& [state, where] : one.fixed) scenarios.back().starts.push_back({signal(state), where});
  }
}

SummaryRows rows_of(const AllModesSummary::Part& part) {
  SummaryRows rows;
  for (const auto& [name, modes] : part.equations) rows.push_back({"equation " + name, modes});
  for (const auto& [name, modes] : part.signals) rows.push_back({"signal " + name, modes});
  return rows;
}

SummaryRow jump_of(const AllModesSummary::Change& change) { return {change.signal + " jumps", change.jumps}; }

SummaryRow impulse_of(const AllModesSummary::Change& change) {
  return {change.signal + " carries an impulse", change.impulses};
}

SummaryRows rows_of(const AllModesSummary::Law& law, const std::string& undetermined,
                    const std::string& contradicted) {
  SummaryRows rows;
  if (law.underdetermined.empty() && law.overdetermined.empty())
    rows.push_back({law.name + " determines the instant", ModeSet::all()});
  if (!law.underdetermined.empty())
    rows.push_back({law.name + " leaves " + undetermined + " undetermined", law.underdetermined});
  if (!law.overdetermined.empty())
    rows.push_back({law.name + " contradicts " + contradicted, law.overdetermined});
  return rows;
}

SummaryRows rows_of(const AllModesSummary::Scenario& scenario, const std::string& singular) {
  SummaryRows rows;
  const auto add = [&](const std::string& what, const ModeSet& modes) {
    rows.push_back({scenario.name + ": " + what, modes});
  };
  if (!scenario.singular.empty()) add(singular, scenario.singular);
  if (!scenario.determined.empty()) add("determines a start", scenario.determined);
  for (const auto& [name, modes] : scenario.signals) add("leaves " + name + " undetermined", modes);
  for (const auto& [name, modes] : scenario.equations) add("over-determined, equation " + name, modes);
  for (const auto& [text, modes] : scenario.own_equations)
    add("over-determined, its \"" + text + "\"", modes);
  for (const auto& [name, modes] : scenario.starts) add("over-determined, the fixed start of " + name, modes);
  return rows;
}

}  // namespace mti
