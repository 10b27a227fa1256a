#include "mti/components/flattener.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

#include "mti/build/build_parts.hpp"
#include "mti/clocks/without_clocks.hpp"
#include "mti/common/number.hpp"
#include "mti/components/append.hpp"
#include "mti/components/rename.hpp"
#include "mti/text/parse.hpp"
#include "mti/whens/without_whens.hpp"

namespace mti {
namespace {

/// How long the lists of a source are.
struct Sizes {
  explicit Sizes(const Source& source)
      : of{{{"/parameters", source.parameters.size()},
            {"/states", source.states.size()},
            {"/inputs", source.inputs.size()},
            {"/algebraic", source.algebraic.size()},
            {"/binaries", source.binaries.size()},
            {"/equations", source.equations.size()},
            {"/constraints", source.constraints.size()},
            {"/invariants", source.invariants.size()},
            {"/transitions", source.transitions.size()},
            {"/scenarios", source.scenarios.size()},
            {"/initial", source.initial.size()}}} {}
  std::array<std::pair<const char*, std::size_t>, 11> of;
};

/// An element of a list that something else has been written out as.
struct WrittenOut {
  const char* list;
  std::size_t index;
  std::string pointer;  ///< of that, in the model's own file
};

/// What the whens of a model have become behind lists that were so long before.
std::vector<WrittenOut> written_whens(const Source& own, const Sizes& before) {
  std::vector<WrittenOut> all;
  if (own.whens.empty()) return all;
  try {
    const WithoutWhens written = without_whens(own.clocks.empty() ? own : without_clocks(own).source);
    for (const auto& [list, first, pointers] :
         {std::tuple("/binaries", written.first_binary, &written.of_binaries),
          std::tuple("/algebraic", written.first_signal, &written.of_signals),
          std::tuple("/equations", written.first_equation, &written.of_equations),
          std::tuple("/transitions", written.first_law, &written.of_laws)})
      for (const auto& [name, size] : before.of)
        for (std::size_t i = 0; std::string_view(name) == list && i < pointers->size(); ++i)
          all.push_back({name, size + first + i, (*pointers)[i]});
  } catch (const InvalidModel&) {  // which has been said
  }
  return all;
}

}  // namespace

Flattener::Flattener(const Composition& composition, const Overrides& overrides)
    : composition_(composition), flat_{{}, SourceMap(composition)} {
  for (const auto& [name, value] : overrides)
    parameters_.insert_or_assign(name, Setting{value, value, std::nullopt, true});
}

SourceMap::Place Flattener::Instance::place(const std::string& pointer) const {
  return {&model, pointer, prefix.empty() ? prefix : prefix.substr(0, prefix.size() - 1)};
}

FlatSource Flattener::run() {
  flat_.source.name = composition_.own.name;
  flat_.source.description = composition_.own.description;
  flat_.source.experiment = composition_.own.experiment;
  flat_.source.sample_time = composition_.own.sample_time;
  add({composition_, ""});
  drive_inputs();
  if (!faults_.empty()) throw InvalidModel(std::move(faults_));
  return std::move(flat_);
}

void Flattener::add(const Instance& instance) {
  add_own(instance);
  check_sample_time(instance);
  check_start_time(instance);
  if (instance.model.is_plain()) return;
  const IndexScope scope = scope_of(instance);
  for (std::size_t k = 0; k < instance.model.components.size(); ++k) add_component(instance, k, scope);
  for (std::size_t k = 0; k < instance.model.connections.size(); ++k) add_connection(instance, k, scope);
}

/// What a model declares itself.
void Flattener::add_own(const Instance& instance) {
  const Source& own = text_of(instance.model);
  const Sizes before(flat_.source), added(own);
  append_with_prefix(flat_.source, own, instance.prefix);
  for (std::size_t list = 0; list < before.of.size(); ++list)
    if (added.of[list].second != 0)
      flat_.places.add_list(before.of[list].first, before.of[list].second,
                            instance.place(before.of[list].first), 0);
  const std::size_t clocks = instance.model.own.clocks.size();
  for (std::size_t j = 0; j < clocks; ++j)
    flat_.places.add_whole("/inputs", flat_.source.inputs.size() - clocks + j,
                           instance.place(pointer_of_clock(instance.model.own, j)));
  for (const WrittenOut& part : written_whens(instance.model.own, before))
    flat_.places.add_whole(part.list, part.index, instance.place(part.pointer));
  // The input `time` of a component is that of the outermost model: those after it have moved up.
  if (!instance.prefix.empty())
    for (std::size_t i = 0; i < own.inputs.size(); ++i)
      if (own.inputs[i].name == "time")
        flat_.places.add_list("/inputs", before.of[2].second + i, instance.place("/inputs"), i + 1);
  apply_settings(instance, own);
}

/// All components of a system are sampled at its instants; one that says nothing of it takes the system's.
void Flattener::check_sample_time(const Instance& instance) {
  const std::optional<Number>& own = instance.model.own.sample_time;
  if (instance.prefix.empty() || !own) return;
  const std::optional<Number>& of_system = composition_.own.sample_time;
  std::vector<text::TextFault> faults;  // said when the system is built
  const std::optional<double> value = scope_of(instance).value(*own, faults);
  if (of_system && !sample_time_) sample_time_ = scope_of({composition_, ""}).value(*of_system, faults);
  const std::optional<double> expected = sample_time_;
  constexpr double roundings = 1e-14;
  if (of_system && value && expected && std::abs(*value - *expected) <= roundings * std::abs(*expected))
    return;
  fail(instance.place("/sample_time"), "sample-time-mismatch",
       "found " + (value ? text::format_number(*value) : "no number") +
           ", but the model that uses this one " +
           (expected ? "has " + text::format_number(*expected) : "is of continuous time"));
}

/// Start values that count time up to a start are those of a system that starts there, and at no other time.
void Flattener::check_start_time(const Instance& instance) {
  const ExperimentSource& own = instance.model.own.experiment;
  if (instance.prefix.empty() || !own.fixed_start) return;
  flat_.source.experiment.fixed_start = true;
  std::vector<text::TextFault> faults;  // said when the system is built
  const std::optional<double> value = scope_of(instance).value(own.start, faults),
                              expected =
                                  scope_of({composition_, ""}).value(flat_.source.experiment.start, faults);
  if (!expected || value == expected) return;
  fail(instance.place("/experiment/start"), "start-time-mismatch",
       "found " + (value ? text::format_number(*value) : "no number") +
           " with a fixed_start, but the model that uses this one starts at " +
           text::format_number(*expected));
}

const Source& Flattener::text_of(const Composition& model) {
  if (!has_matrices(model.own) && model.own.clocks.empty() && model.own.whens.empty()) return model.own;
  const auto [entry, is_new] = converted_.try_emplace(&model);
  if (!is_new) return entry->second;
  try {
    entry->second = with_equations(model.own);
  } catch (const InvalidModel& invalid) {
    for (const Fault& fault : invalid.faults()) fail({&model, fault.pointer, ""}, fault.id, fault.message);
  }
  return entry->second;
}

/// Values from outside in the place of those of the model.
void Flattener::apply_settings(const Instance& instance, const Source& own) {
  Source& source = flat_.source;
  if (!parameters_.empty())
    for (std::size_t i = source.parameters.size() - own.parameters.size(); i < source.parameters.size();
         ++i) {
      const auto found = parameters_.find(source.parameters[i].name);
      if (found == parameters_.end()) continue;
      source.parameters[i].value = found->second.value;
      found->second.used = true;
      if (found->second.place)
        flat_.places.add_exact("/parameters/" + source.parameters[i].name, *found->second.place);
    }
  if (starts_.empty() || instance.prefix.empty()) return;
  const auto apply = [&](auto& signals, std::size_t count, const std::string& list) {
    for (std::size_t i = signals.size() - count; i < signals.size(); ++i) {
      const auto found = starts_.find(signals[i].name);
      if (found == starts_.end()) continue;
      signals[i].start = found->second.value;
      found->second.used = true;
      flat_.places.add_exact(building::element(list, i) + "/start", *found->second.place);
    }
  };
  apply(source.states, own.states.size(), "/states");
  apply(source.algebraic, own.algebraic.size(), "/algebraic");
  apply(source.binaries, own.binaries.size(), "/binaries");
}

/// The values of an instance's own parameters: ranges and indices may depend on them.
IndexScope Flattener::scope_of(const Instance& instance) {
  IndexScope scope;
  for (const ParameterSource& parameter : instance.model.own.parameters) {
    const auto found = parameters_.find(instance.prefix + parameter.name);
    if (found != parameters_.end()) {
      scope.declare(parameter.name, found->second.number);
      continue;
    }
    std::vector<text::TextFault> faults;
    scope.declare(parameter.name, scope.value(parameter.value, faults));
    if (const auto* text = std::get_if<std::string>(&parameter.value))
      fail(instance.place("/parameters/" + building::token(parameter.name)), faults, *text);
  }
  return scope;
}

void Flattener::drive_inputs() {
  if (drives_.empty()) return;
  const std::size_t equations = flat_.source.equations.size(), algebraic = flat_.source.algebraic.size();
  const Driven driven = drive(flat_.source, drives_);
  for (const DriveFault& fault : driven.faults) fail(drive_places_[fault.drive], fault.id, fault.message);
  flat_.places.move("/inputs", driven.algebraic, "/algebraic", algebraic);
  flat_.places.keep("/inputs", driven.kept);
  for (std::size_t i = 0; i < driven.equations.size(); ++i)
    flat_.places.add_whole("/equations", equations + i, drive_places_[driven.equations[i]]);
}

void Flattener::fail(const Place& place, std::string id, std::string message) {
  Fault fault = SourceMap::at(place, std::move(id), std::move(message));
  // A fault of a document is a fault in each of its instances.
  if (reported_.insert(fault.id + " " + fault.file + ":" + fault.pointer).second)
    faults_.push_back(std::move(fault));
}

void Flattener::fail(const Place& place, const std::vector<text::TextFault>& faults,
                     const std::string& text) {
  for (const text::TextFault& fault : faults)
    fail(place, fault.id, text::at_column(text, fault.offset, fault.message));
}

void Flattener::fail(const std::optional<RangeFault>& fault, const std::vector<IndexRange>& ranges,
                     const Place& place) {
  if (!fault) return;
  Place at = place;
  at.pointer += "/for/" + building::token(ranges[fault->range].index);
  fail(at, fault->fault.id, fault->fault.message);
}

}  // namespace mti
