#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/common/wording.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/plan/dropped_rows.hpp"

namespace mti {
namespace {

/// The rows as a map over `signals` signals.
CpMap map_of(const RowMap& rows, int signals) {
  CpBuilder builder(signals, rows.rows());
  std::vector<std::pair<int, double>> factors;
  for (int row = 0; row < rows.rows(); ++row)
    for (const RowMap::Term& term : rows.terms(row)) {
      factors.clear();
      for (const RowMap::Factor& factor : rows.factors(term.column))
        factors.emplace_back(factor.signal, factor.S);
      if (const ElementaryFunction* const phi = rows.function_of(term.column))
        builder.add_function(row, term.Phi, factors.front().first, *phi);
      else
        builder.add_normalised(row, term.Phi, factors);
    }
  return builder.build();
}

}  // namespace

std::string redundancy_text(const ModeSystem& system, int row, const Model& model) {
  std::vector<std::string> others, differentiated;
  int highest = 0;
  for (const DroppedRow& dropped : dropped_rows(*system.recombination)) {
    if (dropped.equation != EquationRow(row)) continue;
    for (const auto& [origin, factor] : dropped.sum) {
      const auto [equation, times] = origin;
      const std::string name = equation_name(model, system.mode, equation.value());
      highest = std::max(highest, times);
      if (times == 0 && equation != dropped.equation) others.push_back(name);
      if (times > 0 && (differentiated.empty() || differentiated.back() != name))
        differentiated.push_back(name);
    }
  }
  constexpr std::size_t most_names = 8;
  std::string text = "equation " + equation_name(model, system.mode, row);
  if (others.empty() && differentiated.empty()) return text + " says nothing";
  text += " follows from " + name_list(others, most_names);
  if (differentiated.empty()) return text;
  return text + (others.empty() ? "" : " and ") +
         (highest == 1 && differentiated.size() == 1 ? "the derivative of " : "derivatives of ") +
         name_list(differentiated, most_names);
}

std::shared_ptr<const ModeSystem> preferred(std::shared_ptr<const ModeSystem> system) {
  if (std::shared_ptr<const ModeSystem> known = system->known_recombined()) return known;
  return system;
}

std::span<const DifferentiatedInput> input_derivatives(const ModeSystem& system) {
  return system.recombination ? std::span<const DifferentiatedInput>(system.recombination->inputs)
                              : std::span<const DifferentiatedInput>();
}

std::shared_ptr<const ModeSystem> ModeSystem::recombined(const Model& model) const {
  if (recombination) return nullptr;
  if (!recombined_) {
    recombined_.emplace();
    if (std::optional<Recombination> found = recombine(model, f, unknowns(model.signature)))
      recombined_ = std::make_shared<const ModeSystem>(model, *this, std::move(*found));
  }
  return *recombined_;
}

ModeSystem::ModeSystem(const Model& model, const ModeSystem& other, Recombination found)
    : FrozenMode(other.with_equations(found.f)),
      entangled(other.entangled),
      held(other.held),
      plan(std::make_shared<const SolutionPlan>(found.plan)),
      recombination(std::make_shared<const Recombination>(std::move(found))) {
  extended = std::make_shared<const FrozenModel>(
      FrozenModel{map_of(f, rows_of_v(model.signature)), map_of(g, model.signature.size())});
  parts = std::make_shared<const SeparateParts>(f, *plan, sliding, model.signature);
  // A contradiction is one of all the rows that it was put together from.
  std::vector<int> broken;
  for (const int row : broken_equations) {
    const std::vector<int> origins = values(recombination->origins[EquationRow(row)]);
    broken.insert(broken.end(), origins.begin(), origins.end());
  }
  sort_distinct(broken);
  broken_equations = std::move(broken);
  if (broken_equations.empty()) find_undetermined(model.signature);
}

}  // namespace mti
