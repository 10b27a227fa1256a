#include "mti/lifting/lifted_source.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/printing/print.hpp"

namespace mti {
namespace {

/// The model with every function taken for its argument: what is written of these rows is replaced.
Source as_products(Model model) {
  model.functions.clear();
  model.function_texts.clear();
  model.divisors.clear();
  return to_equations(model);
}

std::string unique_in(std::set<std::string>& names, std::string wanted) {
  while (!names.insert(wanted).second) wanted += '_';
  return wanted;
}

}  // namespace

LiftedSource::LiftedSource(const Model& model) : source_(as_products(model)) {
  for (int row = 0; row < model.signature.size(); ++row) names_.insert(model.signature.row_name(row));
  relations_.insert(model.equation_names.begin(), model.equation_names.end());
  relations_.insert(model.constraint_names.begin(), model.constraint_names.end());
}

LiftedSource::LiftedSource(const Model& model, std::span<const double> start) : LiftedSource(model) {
  constexpr double rounding = 1e-12;
  for (int i = 0; i < model.signature.n(); ++i) {
    StateSource& state = source_.states[at(i)];
    const double solved = start[at(model.signature.state_row(i))], given = model.x_start[at(i)];
    if (std::abs(solved - given) > rounding * std::max(1.0, std::abs(given))) state.start = solved;
    state.fixed = true;
  }
  source_.initial.clear();
  for (int i = 0; i < model.signature.p(); ++i)
    source_.algebraic[at(i)].start = start[at(model.signature.algebraic_row(i))];
}

std::string LiftedSource::fresh(std::string wanted) { return unique_in(names_, std::move(wanted)); }

std::string LiftedSource::add_state(const std::string& wanted, double start) {
  source_.states.push_back({.name = fresh(wanted), .start = start});
  return source_.states.back().name;
}

std::string LiftedSource::add_algebraic(const std::string& wanted, double start) {
  source_.algebraic.push_back({.name = fresh(wanted), .start = start, .auxiliary = true});
  return source_.algebraic.back().name;
}

void LiftedSource::make_state(const std::string& name, double start) {
  const auto found = std::ranges::find(source_.algebraic, name, &AlgebraicSource::name);
  source_.states.push_back({.name = name, .start = start, .unit = found->unit, .nominal = found->nominal});
  source_.algebraic.erase(found);
}

void LiftedSource::add_equation(const std::string& wanted, std::string text) {
  equations_.emplace_back(unique_in(relations_, wanted), std::move(text));
}

void LiftedSource::add_constraint(const std::string& wanted, std::string text) {
  if (std::ranges::find(constraints_, text, &RelationSource::text) != constraints_.end()) return;
  constraints_.emplace_back(unique_in(relations_, wanted), std::move(text));
}

Source LiftedSource::finish() && {
  for (const auto& [equation, text] : replaced_) source_.equations[at(equation)].text = text;
  source_.equations.insert(source_.equations.end(), equations_.begin(), equations_.end());
  source_.constraints.insert(source_.constraints.end(), constraints_.begin(), constraints_.end());
  return std::move(source_);
}

}  // namespace mti
