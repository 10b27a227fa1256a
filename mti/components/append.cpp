#include "mti/components/append.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/clocks/without_clocks.hpp"
#include "mti/components/rename.hpp"
#include "mti/printing/print.hpp"
#include "mti/whens/without_whens.hpp"

namespace mti {
namespace {

/// Copies of elements of one list, one by one changed by `rename`.
template <class List, class Rename>
void append_list(List& to, const List& from, const Rename& rename) {
  for (const auto& element : from) {
    to.push_back(element);
    rename(to.back());
  }
}

/// What build() would call the relations of a source that have no name.
class MissingNames {
 public:
  explicit MissingNames(const Source& source) {
    for (const RelationSource& relation : source.equations) taken_.insert(relation.name);
    for (const RelationSource& relation : source.constraints) taken_.insert(relation.name);
    for (const RelationSource& relation : source.initial) taken_.insert(relation.name);
  }
  std::string make(const char* kind, std::size_t k) {
    std::string name = kind + std::to_string(k + 1);
    while (!taken_.insert(name).second) name += '_';
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

void append_relations(std::vector<RelationSource>& to, const std::vector<RelationSource>& from,
                      const char* kind, MissingNames& missing, const std::string& prefix) {
  for (std::size_t k = 0; k < from.size(); ++k) {
    RelationSource relation = from[k];
    relation.text = with_prefix(relation.text, prefix);
    if (!prefix.empty())
      relation.name = prefix + (relation.name.empty() ? missing.make(kind, k) : relation.name);
    to.push_back(std::move(relation));
  }
}

void rename_form(InputSource& input, const std::string& prefix) {
  const auto rename = [&](Number& number) { number = number_with_prefix(number, prefix); };
  if (auto* value = std::get_if<Number>(&input.form)) {
    rename(*value);
  } else if (auto* table = std::get_if<TableSource>(&input.form)) {
    for (Number& number : table->time) rename(number);
    for (Number& number : table->value) rename(number);
    if (table->repeat) rename(*table->repeat);
    rename(table->start);
  } else if (auto* sine = std::get_if<SineSource>(&input.form)) {
    for (Number* number : {&sine->amplitude, &sine->frequency, &sine->phase, &sine->offset}) rename(*number);
  } else if (auto* pulses = std::get_if<PulseSource>(&input.form)) {
    for (Number* number : {&pulses->period, &pulses->duty, &pulses->low, &pulses->high, &pulses->start})
      rename(*number);
  } else if (auto* delay = std::get_if<DelaySource>(&input.form)) {
    delay->of.insert(0, prefix);
    rename(delay->time);
    if (delay->before) rename(*delay->before);
  } else if (auto* wave = std::get_if<TriangleSource>(&input.form)) {
    for (Number* number : {&wave->period, &wave->low, &wave->high, &wave->start}) rename(*number);
  }  // polynomials hold numbers alone
}

}  // namespace

void append_with_prefix(Source& system, const Source& component, const std::string& prefix) {
  const auto rename_text = [&](std::string& text) { text = with_prefix(text, prefix); };
  const auto rename_number = [&](Number& number) { number = number_with_prefix(number, prefix); };
  const auto rename_signal = [&](auto& signal) {
    signal.name.insert(0, prefix);
    if constexpr (requires { signal.start; }) rename_number(signal.start);
    if constexpr (requires { signal.nominal; }) rename_number(signal.nominal);
  };
  append_list(system.parameters, component.parameters, [&](ParameterSource& parameter) {
    parameter.name.insert(0, prefix);
    rename_number(parameter.value);
  });
  append_list(system.states, component.states, rename_signal);
  for (const InputSource& input : component.inputs) {
    if (!prefix.empty() && input.name == "time") continue;
    system.inputs.push_back(input);
    rename_signal(system.inputs.back());
    rename_form(system.inputs.back(), prefix);
  }
  append_list(system.algebraic, component.algebraic, rename_signal);
  append_list(system.binaries, component.binaries, rename_signal);
  MissingNames missing(component);
  append_relations(system.equations, component.equations, "eq", missing, prefix);
  append_relations(system.constraints, component.constraints, "c", missing, prefix);
  append_list(system.invariants, component.invariants, rename_text);
  append_list(system.transitions, component.transitions, [&](TransitionSource& transition) {
    rename_text(transition.when);
    for (std::string& name : transition.replaces) name.insert(0, prefix);
    for (std::string& equation : transition.equations) rename_text(equation);
    if (!transition.emit.empty()) transition.emit.insert(0, prefix);
  });
  append_list(system.scenarios, component.scenarios, [&](ScenarioSource& scenario) {
    scenario.name.insert(0, prefix);
    rename_text(scenario.modes);
    for (std::string& equation : scenario.equations) rename_text(equation);
  });
  append_relations(system.initial, component.initial, "initial", missing, prefix);
  append_list(system.decisions, component.decisions,
              [&](DecisionSource& decision) { rename_text(decision.expression); });
}

void append(Source& system, const Source& component, const std::string& name) {
  append_with_prefix(system, with_equations(component), name + ".");
}

bool has_matrices(const Source& source) {
  return source.matrices || source.explicit_form || source.state_space;
}

Source with_equations(const Source& source) {
  if (!source.clocks.empty()) return with_equations(without_clocks(source).source);
  if (!source.whens.empty()) return with_equations(without_whens(source).source);
  if (!has_matrices(source)) return source;
  // The relations need the names of the signals only; laws and formulas may name those of other components.
  Source relations;
  for (const StateSource& state : source.states) relations.states.push_back({.name = state.name});
  for (const InputSource& input : source.inputs)
    relations.inputs.push_back({.name = input.name, .binary = input.binary});
  for (const AlgebraicSource& signal : source.algebraic) relations.algebraic.push_back({.name = signal.name});
  for (const BinarySource& binary : source.binaries) relations.binaries.push_back({.name = binary.name});
  relations.equations = source.equations;  // a fault beside matrices
  relations.constraints = source.constraints;
  relations.matrices = source.matrices;
  relations.explicit_form = source.explicit_form;
  relations.state_space = source.state_space;
  const Source written = to_equations(build(relations));
  Source result = source;
  result.matrices.reset();
  result.explicit_form.reset();
  result.state_space.reset();
  result.equations = written.equations;
  result.constraints = written.constraints;
  return result;
}

}  // namespace mti
