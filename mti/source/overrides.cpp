#include "mti/source/overrides.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/source/declarations.hpp"

namespace mti {
namespace {

template <class List>
auto* find_by_name(List& list, const std::string& name) {
  for (auto& entry : list)
    if (entry.name == name) return &entry;
  return static_cast<typename List::value_type*>(nullptr);
}

std::vector<std::string> names_that_can_be_set(const Source& source) {
  std::vector<std::string> names;
  const auto append = [&](const auto& list) {
    for (const auto& entry : list) names.push_back(entry.name);
  };
  append(source.parameters);
  append(source.inputs);
  append(source.states);
  append(source.algebraic);
  append(source.binaries);
  return names;
}

/// Nothing if the name could be set, else what is wrong.
std::vector<Fault> set(Source& source, const std::string& name, double value) {
  if (!std::isfinite(value))
    return {{"not-finite", "", name + " cannot be set to " + text::format_number(value)}};
  const auto begins_with = [&](const Number& start, const char* ending) {
    const std::string* const text = std::get_if<std::string>(&start);
    return text != nullptr && *text == name + ending && find_by_name(source.parameters, *text) != nullptr;
  };
  if (auto* parameter = find_by_name(source.parameters, name)) {
    parameter->value = value;
  } else if (auto* state = find_by_name(source.states, name)) {
    // What a variable begins with as a parameter, `x.initial` beside `x`: what others begin with is computed from it.
    if (begins_with(state->start, ".initial")) return set(source, name + ".initial", value);
    state->start = value;
  } else if (auto* signal = find_by_name(source.algebraic, name)) {
    // The column of a parameter, `k` beside `k.value`: what follows is computed from the parameter.
    if (begins_with(signal->start, ".value")) return set(source, name + ".value", value);
    signal->start = value;
  } else if (auto* binary = find_by_name(source.binaries, name)) {
    binary->start = value;
  } else if (auto* input = find_by_name(source.inputs, name)) {
    if (!std::holds_alternative<Number>(input->form) || name == "time")
      return {{"override-of-function", "",
               "input " + name + " is a function of time; only constant inputs can be set to a value"}};
    input->form = Number(value);
  } else {
    return {{"unknown-override", "",
             "there is no parameter, input or start value " + name +
                 did_you_mean(name, names_that_can_be_set(source))}};
  }
  return {};
}

}  // namespace

void override_values(Source& source, const Overrides& values) {
  std::vector<Fault> faults;
  for (const auto& [name, value] : values)
    for (Fault& fault : set(source, name, value)) faults.push_back(std::move(fault));
  if (!faults.empty()) throw InvalidOption(std::move(faults));
}

Overrides with_value(Overrides values, const std::string& name, double value) {
  std::erase_if(values, [&](const auto& entry) { return entry.first == name; });
  values.emplace_back(name, value);
  return values;
}

}  // namespace mti
