#include "mti/build/build.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "mti/build/build_differences.hpp"
#include "mti/build/build_matrix_functions.hpp"
#include "mti/build/build_parts.hpp"
#include "mti/clocks/without_clocks.hpp"
#include "mti/common/at.hpp"
#include "mti/conditions/conditions.hpp"
#include "mti/delays/delay_calls.hpp"
#include "mti/whens/without_whens.hpp"

namespace mti {
namespace {

using text::Group;
using text::Symbol;
using text::Term;

/// Rows of S of the symbols; those of a left limit pre(s) in a law and of copies in a scenario follow all
/// rows of v.
class Rows {
 public:
  /// The last `auxiliaries` algebraic signals are those of Group::auxiliary.
  Rows(const Signature& signature, int auxiliaries)
      : signature_(signature), auxiliaries_(auxiliaries), pre_(at(signature.q()), -1) {
    for (int i = 0; i < signature.r(); ++i) pre_[at(signature.pre()[at(i)])] = signature.pre_row(i);
  }

  [[nodiscard]] int operator()(Symbol symbol) const {
    return own_row(symbol) + (symbol.remembered() ? signature_.size() : 0);
  }

 private:
  [[nodiscard]] int own_row(Symbol symbol) const {
    switch (symbol.group()) {
      case Group::derivative:
        return signature_.derivative_row(symbol.index());
      case Group::state:
        return signature_.state_row(symbol.index());
      case Group::input:
        return signature_.input_row(symbol.index());
      case Group::algebraic:
        return signature_.algebraic_row(symbol.index());
      case Group::binary:
        return signature_.binary_row(symbol.index());
      case Group::pre:
        return pre_[at(symbol.index())];
      case Group::copy:
        return signature_.size() + symbol.index();
      case Group::auxiliary:
        return signature_.algebraic_row(signature_.p() - auxiliaries_ + symbol.index());
    }
    return -1;
  }

  const Signature& signature_;
  int auxiliaries_;
  std::vector<int> pre_;
};

/// The rows, or their derivatives in a direction from 0.
void add_rows(const std::vector<building::Row>& relations, int first_row, const Rows& rows,
              CpBuilder& builder, int direction = -1) {
  std::vector<std::pair<int, double>> factors;
  for (std::size_t j = 0; j < relations.size(); ++j)
    for (const Term& term : relations[j].along(direction)) {
      factors.clear();
      double coefficient = term.coefficient;
      for (const Symbol symbol : term.symbols) factors.emplace_back(rows(symbol), 1.0);
      for (const Symbol symbol : term.complements) {  // 1 − z = 2 (1/2 − z/2)
        factors.emplace_back(rows(symbol), -0.5);
        coefficient *= 2.0;
      }
      builder.add_normalised(first_row + static_cast<int>(j), coefficient, factors);
    }
}

CpMap map_of(const building::Relations& relations, const Signature& signature, const Rows& rows) {
  const int equations = static_cast<int>(relations.equation_names.size());
  CpBuilder builder(signature.size(), equations + static_cast<int>(relations.constraints.size()));
  std::size_t terms = 0, factors = 0;
  for (const std::vector<building::Row>* list : {&relations.equations, &relations.constraints})
    for (const building::Row& row : *list)
      for (const Term& term : row.terms) {
        ++terms;
        factors += term.symbols.size() + term.complements.size();
      }
  builder.reserve(terms, factors, terms);
  add_rows(relations.equations, 0, rows, builder);
  add_rows(relations.constraints, equations, rows, builder);
  int row = static_cast<int>(relations.equations.size());
  for (const text::Elementary::Function& function : relations.functions) {
    const std::pair<int, double> result(rows(function.result), 1.0);
    builder.add_normalised(row, 1.0, std::span(&result, 1));
    builder.add_function(row++, -1.0, rows(function.argument), function.phi);
  }
  return builder.build();
}

/// Rows of one kind as a map of so many signals; `extra` rows behind them are 0.
CpMap map_of(const std::vector<building::Row>& relations, int signals, const Rows& rows, int direction = -1,
             std::size_t extra = 0) {
  CpBuilder builder(signals, static_cast<int>(relations.size() + extra));
  add_rows(relations, 0, rows, builder, direction);
  return builder.build();
}

Transition transition_of(building::Law law, const Signature& signature, const Rows& rows) {
  law.transition.equations = map_of(law.equations, 2 * signature.size(), rows);
  return std::move(law.transition);
}

Scenario scenario_of(building::Opening opening, BooleanFormula modes, const Signature& signature,
                     const Rows& rows) {
  Scenario scenario = std::move(opening.scenario);
  scenario.modes = std::move(modes);
  for (const text::Copies::Copy& copy : opening.copies.all()) scenario.copied.push_back(rows(copy.original));
  scenario.equations =
      map_of(opening.equations, signature.size() + static_cast<int>(scenario.copied.size()), rows);
  return scenario;
}

building::Built::Tangents tangents_of(const building::Relations& relations,
                                      const std::vector<building::Law>& laws,
                                      const std::vector<building::Opening>& openings,
                                      const Signature& signature, const Rows& rows, int direction) {
  const int N = signature.size();
  building::Built::Tangents result;
  result.f = map_of(relations.equations, N, rows, direction,
                    relations.equation_names.size() - relations.equations.size());
  result.g = map_of(relations.constraints, N, rows, direction,
                    relations.constraint_names.size() - relations.constraints.size());
  for (const building::Law& law : laws) result.laws.push_back(map_of(law.equations, 2 * N, rows, direction));
  for (const building::Opening& opening : openings)
    result.scenarios.push_back(
        map_of(opening.equations, N + static_cast<int>(opening.copies.all().size()), rows, direction));
  return result;
}

}  // namespace

building::Built building::assemble(const Source& source, const std::vector<Direction>& directions,
                                   std::set<std::string> apart_at_zero) {
  if (!source.clocks.empty())
    return build_without_clocks(source, [&](const Source& written) { return assemble(written, directions); });
  if (!source.whens.empty())
    return build_without_whens(source, [&](const Source& written) { return assemble(written, directions); });
  if (const auto written = without_delay_calls(source))
    return build_written_out(*written, [&](const Source& other) { return assemble(other, directions); });
  if (source.explicit_form || source.state_space)
    return assemble(building::with_matrices(source), directions);
  building::Faults faults;
  Declarations names = building::declare_names(source, faults, directions);
  building::Signals signals = building::read_signals(source, names, faults);
  const building::Numbers numbers(names, faults);
  const double sample_time = building::read_sample_time(source, numbers, faults);
  const Experiment experiment = building::read_experiment(source.experiment, numbers, faults);
  building::require_resolved_periods(signals.input_forms, experiment, faults);

  text::Auxiliaries auxiliaries;
  text::Elementary elementary(auxiliaries);
  conditions::Conditions conditions(names.binaries, auxiliaries, elementary, apart_at_zero);
  text::Expander expander(names,
                          {.elementary =
                               [&](text::Expansion& place, const text::Application& application) {
                                 return conditions.lower(place, application);
                               },
                           .condition = [&](text::Expansion& place,
                                            const text::Node& node) { return conditions.lower(place, node); },
                           .sum = [&](const text::Polynomial& sum) { return elementary.sum(sum); }});
  text::Copies copies(names.algebraic);
  building::RelationNames relation_names(faults);
  building::Relations relations;
  building::Matrices matrices;
  conditions::Generated made_binaries;
  if (source.matrices) {
    if (!source.equations.empty() || !source.constraints.empty())
      faults.add("equations-and-matrices", "/matrices",
                 "a model has either equations and constraints or matrices, not both");
    matrices = building::read_matrices(*source.matrices, names, relation_names, faults);
    relations.equation_names = std::move(matrices.equation_names);
    relations.constraint_names = std::move(matrices.constraint_names);
  } else {
    relations = building::read_relations(source, expander, copies, relation_names, faults);
    made_binaries = conditions.made();
    building::name_differences(names, elementary, copies, made_binaries, relations);
    std::set<std::string> found =
        building::find_logic(auxiliaries, names, copies, made_binaries, relations, faults);
    if (!std::ranges::includes(apart_at_zero, found)) {
      apart_at_zero.merge(found);
      return assemble(source, directions, std::move(apart_at_zero));
    }
    building::declare_generated(made_binaries, names, signals);
  }
  std::vector<building::Law> laws = building::read_transitions(source, names, relations.equation_names,
                                                               relations.constraint_names, expander, faults);
  const std::vector<int> pre = source.matrices ? matrices.pre : expander.remembered();
  std::vector<building::Opening> openings = building::read_scenarios(
      source, source.matrices ? building::remembered_in(matrices) : pre, expander, relation_names, faults);
  if (source.states.empty() && relations.equation_names.empty() && relations.constraint_names.empty() &&
      faults.empty())
    faults.add("empty-model", "", "the model has no states, no equations and no constraints");

  const bool adds_clock = expander.uses_clock() && names.clock == names.inputs;
  if (adds_clock && source.matrices)
    faults.add(
        "undeclared-clock", "/inputs",
        "a law or scenario uses time: in the matrices form declare an input with the name time, for it has "
        "a row of S");
  if (adds_clock) building::append_clock(signals);
  if (!source.matrices) {
    std::vector<building::Row> of_elementary;  // they may need copies
    for (const text::Elementary::Equation& equation : elementary.equations())
      of_elementary.push_back(building::row_of(equation.zero, copies));
    const building::Made made{auxiliaries, made_binaries, elementary};
    building::append_made(made, copies, experiment.start, names, relation_names, signals, relations);
    building::append_elementary(elementary, auxiliaries, std::move(of_elementary), relation_names, signals,
                                relations);
    building::guess_starts(made, copies, experiment.start, signals);
  }

  Built built;
  Model& model = built.model;
  model.signature = Signature(std::move(signals.states), std::move(signals.inputs),
                              std::move(signals.algebraic), std::move(signals.binaries), pre,
                              names.discrete ? Signature::StateRow::next : Signature::StateRow::derivative);
  model.invariants = building::read_invariants(source.invariants, names, model.signature, faults);
  building::append_exclusions(made_binaries, names, model.signature, model.invariants);
  std::vector<BooleanFormula> modes =
      building::read_scenario_modes(source.scenarios, names, model.signature, faults);
  if (!faults.empty()) throw InvalidModel(faults.take());

  modes.resize(openings.size());  // initial equations hold in all
  const Rows rows(model.signature, static_cast<int>(auxiliaries.all().size()));
  for (int d = 0; d < static_cast<int>(directions.size()); ++d)
    built.tangents.push_back(tangents_of(relations, laws, openings, model.signature, rows, d));
  const CpMap map = source.matrices ? std::move(matrices.map) : map_of(relations, model.signature, rows);
  model.name = source.name;
  model.description = source.description;
  model.sample_time = sample_time;
  model.S = map.S();
  building::split_rows(map.Phi(), static_cast<int>(relations.equation_names.size()), model.Phi_eq,
                       model.Phi_ineq);
  model.functions = map.functions();
  model.function_texts = std::move(matrices.functions);
  model.divisors = std::move(matrices.divisors);
  for (const text::Elementary::Function& function : relations.functions)
    model.function_texts.push_back(
        {static_cast<int>(relations.equations.size() + model.function_texts.size()), rows(function.result),
         rows(function.argument), function.text});
  for (const text::Elementary::Divisor& divisor : elementary.divisors())
    model.divisors.push_back({rows(divisor.signal), divisor.text, rows(divisor.quotient)});
  model.equation_names = std::move(relations.equation_names);
  model.constraint_names = std::move(relations.constraint_names);
  model.inputs = std::move(signals.input_forms);
  for (Input& input : model.inputs)
    if (const auto* delayed = std::get_if<DelayedInput>(&input.form())) {
      DelayedInput resolved = *delayed;
      resolved.row = *model.signature.find(resolved.of);
      input = Input(std::move(resolved));
    }
  model.moved_inputs = std::move(signals.moved_inputs);
  model.x_start = std::move(signals.x_start);
  model.y_start = std::move(signals.y_start);
  model.z_start = std::move(signals.z_start);
  model.sign_binaries = std::move(relations.sign_binaries);
  model.x_free = std::move(signals.x_free);
  for (building::Law& law : laws)
    model.transitions.push_back(transition_of(std::move(law), model.signature, rows));
  for (std::size_t i = 0; i < openings.size(); ++i)
    model.scenarios.push_back(
        scenario_of(std::move(openings[i]), std::move(modes[i]), model.signature, rows));
  model.experiment = experiment;
  if (source.matrices) building::find_quotients(model);
  return built;
}

Model build(const Source& source) { return building::assemble(source, {}).model; }

namespace {

/// read(numbers, faults), with the parameters of the source.
template <class Read>
double value_in(const Source& source, const Read& read) {
  building::Faults faults;
  const Declarations names = building::declare_names(source, faults);
  const double value = read(building::Numbers(names, faults), faults);
  if (!faults.empty()) throw InvalidModel(faults.take());
  return value;
}

}  // namespace

double sample_time_value(const Source& source) {
  return value_in(source, [&](const building::Numbers& numbers, building::Faults& faults) {
    return building::read_sample_time(source, numbers, faults);
  });
}

double start_time_value(const Source& source) {
  return value_in(source, [&](const building::Numbers& numbers, building::Faults& faults) {
    return building::read_experiment(source.experiment, numbers, faults).start;
  });
}

std::vector<std::pair<std::string, double>> parameter_values(const Source& source) {
  building::Faults faults;
  const Declarations names = building::declare_names(source, faults);
  if (!faults.empty()) throw InvalidModel(faults.take());
  std::vector<std::pair<std::string, double>> values;
  for (const ParameterSource& parameter : source.parameters)
    values.emplace_back(parameter.name, names.find(parameter.name)->value.value());
  return values;
}

}  // namespace mti
