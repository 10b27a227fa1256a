#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/mode/mode_system.hpp"

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
      builder.add_normalised(row, term.Phi, factors);
    }
  return builder.build();
}

}  // namespace

std::string redundancy_text(const ModeSystem& system, int row, const Model& model) {
  std::vector<std::string> others;
  for (const int origin : values(system.recombination->origins[EquationRow(row)]))
    if (origin != row) others.push_back(equation_name(model, system.mode, origin));
  constexpr std::size_t most_names = 8;
  return "equation " + equation_name(model, system.mode, row) +
         (others.empty() ? " says nothing" : " follows from " + name_list(others, most_names));
}

std::shared_ptr<const ModeSystem> preferred(std::shared_ptr<const ModeSystem> system) {
  std::shared_ptr<const ModeSystem> known = system->known_recombined();
  return known ? known : system;
}

std::span<const InputDerivative> input_derivatives(const ModeSystem& system) {
  return system.recombination ? std::span<const InputDerivative>(system.recombination->inputs)
                              : std::span<const InputDerivative>();
}

std::shared_ptr<const ModeSystem> ModeSystem::recombined(const Model& model) const {
  if (recombination || std::exchange(examined_, true)) return recombined_;
  std::vector<int> unknowns;
  for (int i = 0; i < model.signature.n(); ++i) unknowns.push_back(model.signature.derivative_row(i));
  for (int i = 0; i < model.signature.p(); ++i) unknowns.push_back(model.signature.algebraic_row(i));
  unknowns.insert(unknowns.end(), sliding.begin(), sliding.end());
  std::optional<Recombination> found = recombine(model, f, unknowns);
  if (!found) return nullptr;

  auto system = std::make_shared<ModeSystem>(*this);
  system->f = found->f;
  system->plan = std::make_shared<const SolutionPlan>(found->plan);
  system->graph = nullptr;  // it is read off the model's own rows
  system->plan_taken_over = false;
  system->recombination = std::make_shared<const Recombination>(std::move(*found));
  system->extended =
      FrozenModel{map_of(system->f, system->rows_of_v(model.signature)), map_of(g, model.signature.size())};
  system->equation_form.clear();
  system->broken_equations.clear();
  system->broken_constraints.clear();
  system->live_constraints.clear();
  for (int row = 0; row < system->f.rows(); ++row) {
    const auto terms = system->f.terms(row);
    const bool live = std::any_of(terms.begin(), terms.end(), [&](const RowMap::Term& term) {
      return !system->f.factors(term.column).empty();
    });
    system->equation_form.push_back(terms.empty() ? RowForm::vanished
                                    : live        ? RowForm::live
                                                  : RowForm::constant);
  }
  system->list_rows();
  // A contradiction is one of all the rows that it was put together from.
  std::vector<int> broken;
  for (const int row : system->broken_equations) {
    const std::vector<int> origins = values(system->recombination->origins[EquationRow(row)]);
    broken.insert(broken.end(), origins.begin(), origins.end());
  }
  std::sort(broken.begin(), broken.end());
  broken.erase(std::unique(broken.begin(), broken.end()), broken.end());
  system->broken_equations = broken;
  system->ambiguous.clear();
  if (broken.empty()) system->find_undetermined(model.signature);
  recombined_ = std::move(system);
  return recombined_;
}

}  // namespace mti
