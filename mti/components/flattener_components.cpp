// The part of Flattener that adds components and arrays of them.
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "mti/build/build_parts.hpp"
#include "mti/components/flattener.hpp"
#include "mti/components/rename.hpp"

namespace mti {
namespace {

constexpr std::size_t most_components = 1'000'000;  ///< more is a mistake, not a reason to allocate

template <class List>
void collect(std::vector<std::string>& names, const List& list) {
  for (const auto& entry : list) names.push_back(entry.name);
}

/// What can be set from outside, for suggestions.
std::vector<std::string> names_to_set(const Source& source, bool parameters) {
  std::vector<std::string> names;
  if (parameters) {
    collect(names, source.parameters);
  } else {
    collect(names, source.states);
    collect(names, source.algebraic);
    collect(names, source.binaries);
  }
  return names;
}

}  // namespace

void Flattener::note_decisions(const Instance& instance, const std::vector<IndexRange>& ranges,
                               const std::vector<std::string>& texts, const Place& place) {
  std::set<std::string> names;
  const auto take = [&names](const std::vector<std::string>& found) {
    names.insert(found.begin(), found.end());
  };
  for (const IndexRange& range : ranges)
    for (const Number* const bound : {&range.first, &range.last})
      if (const auto* text = std::get_if<std::string>(bound)) take(names_in(*text));
  for (const std::string& text : texts) take(names_in_indices(text));
  for (const ParameterSource& parameter : instance.model.own.parameters)
    if (names.contains(parameter.name))
      flat_.source.decisions.push_back(
          {instance.prefix + parameter.name, place.pointer, "which components and connections there are"});
}

void Flattener::add_component(const Instance& instance, std::size_t k, const IndexScope& scope) {
  const ComponentSource& component = instance.model.components[k];
  if (!component.model) return;  // could not be read
  std::vector<std::string> texts = {component.name};
  for (const auto* const list : {&component.parameters, &component.start})
    for (const ParameterSource& given : *list)
      if (const auto* text = std::get_if<std::string>(&given.value)) texts.push_back(*text);
  note_decisions(instance, component.ranges, texts, instance.place(building::element("/components", k)));
  IndexScope inner = scope;
  const auto run = [&] {
    if (components_ >= most_components) {
      fail(instance.place(building::element("/components", k)), "too-many-components",
           "expected at most " + std::to_string(most_components) + " components in all");
      return false;
    }
    ++components_;
    add_element(instance, k, inner);
    return true;
  };
  fail(for_each_index(component.ranges, inner, run), component.ranges,
       instance.place(building::element("/components", k)));
}

void Flattener::add_element(const Instance& instance, std::size_t k, const IndexScope& scope) {
  const ComponentSource& component = instance.model.components[k];
  const Place name_place = instance.place(building::element("/components", k) + "/name");
  std::vector<text::TextFault> faults;
  const std::string name = with_indices(component.name, {}, scope, faults);
  if (!faults.empty()) return fail(name_place, faults, component.name);
  if (!is_name(name) || name.find('.') != std::string::npos)
    return fail(name_place, "bad-name",
                "'" + name +
                    "' is no name of a component: expected letters, digits and _, and for an array an "
                    "index in brackets, as in tank[i]");
  const std::string target = instance.prefix + name + ".";
  if (!component_names_.insert(target).second)
    return fail(name_place, "duplicate-name",
                name + " is already a component" +
                    (component.ranges.empty() ? ""
                                              : "; the elements of an array differ by their indices, as in " +
                                                    component.name.substr(0, component.name.find('[')) + "[" +
                                                    component.ranges.front().index + "]"));
  const std::size_t bracket = component.name.find('[');
  if (bracket != std::string::npos)
    elements_[instance.prefix + component.name.substr(0, bracket)].push_back(name.substr(bracket));
  const auto parameters = enter(instance, k, target, scope, true);
  const auto starts = enter(instance, k, target, scope, false);
  add({*component.model, target});
  check_used(instance, k, parameters, true);
  check_used(instance, k, starts, false);
}

/// Enters the values that a component gives to its model, those from further outside first: their flat names.
std::vector<std::string> Flattener::enter(const Instance& instance, std::size_t k, const std::string& target,
                                          const IndexScope& scope, bool parameters) {
  const ComponentSource& component = instance.model.components[k];
  std::vector<std::string> keys;
  for (const ParameterSource& given : parameters ? component.parameters : component.start) {
    const Place place =
        instance.place(building::element("/components", k) + (parameters ? "/parameters/" : "/start/") +
                       building::token(given.name));
    Setting setting{given.value, std::nullopt, place};
    std::vector<text::TextFault> faults;
    if (const auto* text = std::get_if<std::string>(&given.value)) {
      const std::string plain = with_indices(*text, component.ranges, scope, faults);
      // A number is asked for by indices, which belong to models with components, and by sample times.
      if (faults.empty() && parameters && (!component.model->is_plain() || component.model->own.sample_time))
        setting.number = scope.value(plain, faults);
      fail(place, faults, *text);
      setting.value = with_prefix(plain, instance.prefix);
    } else {
      setting.number = std::get<double>(given.value);
    }
    std::string key = target + given.name;
    if ((parameters ? parameters_ : starts_).emplace(key, std::move(setting)).second)
      keys.push_back(std::move(key));
  }
  return keys;
}

void Flattener::check_used(const Instance& instance, std::size_t k, const std::vector<std::string>& keys,
                           bool parameters) {
  const ComponentSource& component = instance.model.components[k];
  Settings& settings = parameters ? parameters_ : starts_;
  for (const std::string& key : keys) {
    const auto found = settings.find(key);
    if (!found->second.used) {
      const std::string& pointer = found->second.place->pointer;
      const std::string name = key.substr(key.size() - (pointer.size() - pointer.rfind('/') - 1));
      fail(*found->second.place, parameters ? "unknown-parameter" : "unknown-start",
           (parameters ? "the model of " + component.name + " has no parameter "
                       : "the model of " + component.name + " has no state, algebraic signal or binary ") +
               name + did_you_mean(name, names_to_set(component.model->own, parameters)));
    }
    settings.erase(found);
  }
}

}  // namespace mti
