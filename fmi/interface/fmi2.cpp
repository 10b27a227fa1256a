#include "fmi/interface/fmi2.hpp"

#include <memory>
#include <string>
#include <utility>

#include "fmi/interface/component.hpp"

namespace mti::fmi {
namespace {

template <class Work>
fmi2Status call2(fmi2Component instance, const char* function, std::initializer_list<Phase> phases,
                 Work work) {
  if (instance == nullptr) return fmi2Error;
  return static_cast<fmi2Status>(static_cast<Component*>(instance)->call(function, phases, work));
}

CoSimulation& run_of2(fmi2Component instance) { return static_cast<Component*>(instance)->run(); }

template <class Value>
fmi2Status get2(fmi2Component instance, const char* function, VariableType type,
                const fmi2ValueReference* references, std::size_t n, Value* values) {
  return call2(instance, function, phases_with_values, [&] {
    require_array(references, n, "value references");
    require_array(values, n, "values");
    run_of2(instance).get({references, n}, type,
                          [&](std::size_t k, double value) { values[k] = static_cast<Value>(value); });
  });
}

template <class Value>
fmi2Status set2(fmi2Component instance, const char* function, VariableType type,
                const fmi2ValueReference* references, std::size_t n, const Value* values) {
  return call2(instance, function,
               {Phase::instantiated, Phase::initialization, Phase::event, Phase::step, Phase::continuous},
               [&] {
                 require_array(references, n, "value references");
                 require_array(values, n, "values");
                 if (run_of2(instance).phase() == Phase::event)
                   for (std::size_t k = 0; k < n; ++k) run_of2(instance).require_input(references[k]);
                 const bool is_boolean = type == VariableType::boolean;
                 run_of2(instance).set({references, n}, type, [&](std::size_t k) {
                   return is_boolean ? (values[k] != 0 ? 1.0 : 0.0) : static_cast<double>(values[k]);
                 });
               });
}

fmi2Status no_such_type2(fmi2Component instance, const char* function, std::size_t n) {
  return call2(instance, function, all_phases, [&] {
    if (n > 0) throw Refused("no variable of this FMU has this type");
  });
}

/// The message is a format there, in which # begins a reference to a variable.
std::string as_format(const std::string& message) {
  std::string format;
  for (const char c : message) {
    format += c;
    if (c == '%' || c == '#') format += c;
  }
  return format;
}

Log::Sink sink2(const fmi2CallbackFunctions* functions, std::string name) {
  if (functions == nullptr || functions->logger == nullptr) return {};
  return [logger = functions->logger, environment = functions->environment, name = std::move(name)](
             Status status, std::string_view category, const std::string& message) {
    logger(environment, name.c_str(), static_cast<fmi2Status>(status), category.data(),
           as_format(message).c_str());
  };
}

}  // namespace
}  // namespace mti::fmi

using namespace mti::fmi;  // NOLINT(google-build-using-namespace): the functions below are outside of any

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean on, std::size_t n,
                               const fmi2String categories[]) {
  return call2(instance, "fmi2SetDebugLogging", all_phases, [&] {
    require_array(categories, n, "categories");
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < n; ++k) names.emplace_back(categories[k] == nullptr ? "" : categories[k]);
    static_cast<Component*>(instance)->log().choose(on != 0, names);
  });
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resource_location,
                              const fmi2CallbackFunctions* functions, fmi2Boolean /*visible*/,
                              fmi2Boolean logging_on) {
  const auto refuse = [&](const std::string& why) {
    if (const Log::Sink sink = sink2(functions, name == nullptr ? "" : name))
      sink(Status::error, "logStatusError", "fmi2Instantiate: " + why);
  };
  try {
    if (name == nullptr || token == nullptr || resource_location == nullptr)
      throw Refused("an instance needs a name, a GUID and the location of its resources: a null pointer");
    using Interface = Component::Interface;
    return new Component(resource_location, token, sink2(functions, name), logging_on != 0,
                         type == fmi2ModelExchange ? Interface::model_exchange : Interface::co_simulation);
  } catch (const std::exception& error) {
    refuse(error.what());
  } catch (...) {
    refuse("failed");
  }
  return nullptr;
}

void fmi2FreeInstance(fmi2Component instance) { delete static_cast<Component*>(instance); }

fmi2Status fmi2SetupExperiment(fmi2Component instance, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start_time, fmi2Boolean stop_time_defined, fmi2Real stop_time) {
  return call2(instance, "fmi2SetupExperiment", {Phase::instantiated}, [&] {
    Experiment experiment{.start = start_time};
    if (tolerance_defined != 0) experiment.tolerance = tolerance;
    if (stop_time_defined != 0) experiment.stop = stop_time;
    run_of2(instance).set_experiment(experiment);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component instance) {
  return call2(instance, "fmi2EnterInitializationMode", {Phase::instantiated},
               [&] { run_of2(instance).enter_initialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component instance) {
  const fmi2Status status = call2(instance, "fmi2ExitInitializationMode", {Phase::initialization},
                                  [&] { run_of2(instance).exit_initialization(); });
  if (status != fmi2OK && instance != nullptr && run_of2(instance).phase() == Phase::initialization)
    run_of2(instance).fail();
  return status;
}

fmi2Status fmi2Terminate(fmi2Component instance) {
  return call2(instance, "fmi2Terminate", {Phase::event, Phase::step, Phase::continuous, Phase::discarded},
               [&] { run_of2(instance).terminate(); });
}

fmi2Status fmi2Reset(fmi2Component instance) {
  return call2(instance, "fmi2Reset", all_phases, [&] { run_of2(instance).reset(); });
}

fmi2Status fmi2GetReal(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                       fmi2Real values[]) {
  return get2(instance, "fmi2GetReal", VariableType::real, references, n, values);
}
fmi2Status fmi2SetReal(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                       const fmi2Real values[]) {
  return set2(instance, "fmi2SetReal", VariableType::real, references, n, values);
}
fmi2Status fmi2GetBoolean(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                          fmi2Boolean values[]) {
  return get2(instance, "fmi2GetBoolean", VariableType::boolean, references, n, values);
}
fmi2Status fmi2SetBoolean(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                          const fmi2Boolean values[]) {
  return set2(instance, "fmi2SetBoolean", VariableType::boolean, references, n, values);
}
fmi2Status fmi2GetInteger(fmi2Component instance, const fmi2ValueReference /*references*/[], std::size_t n,
                          fmi2Integer /*values*/[]) {
  return no_such_type2(instance, "fmi2GetInteger", n);
}
fmi2Status fmi2SetInteger(fmi2Component instance, const fmi2ValueReference /*references*/[], std::size_t n,
                          const fmi2Integer /*values*/[]) {
  return no_such_type2(instance, "fmi2SetInteger", n);
}
fmi2Status fmi2GetString(fmi2Component instance, const fmi2ValueReference /*references*/[], std::size_t n,
                         fmi2String /*values*/[]) {
  return no_such_type2(instance, "fmi2GetString", n);
}
fmi2Status fmi2SetString(fmi2Component instance, const fmi2ValueReference /*references*/[], std::size_t n,
                         const fmi2String /*values*/[]) {
  return no_such_type2(instance, "fmi2SetString", n);
}

fmi2Status fmi2GetFMUstate(fmi2Component instance, fmi2FMUstate* state) {
  return call2(instance, "fmi2GetFMUstate", all_phases, [&] {
    require_array(state, 1, "places for the state");
    auto* const component = static_cast<Component*>(instance);
    SavedState saved = component->run().save();
    if (*state != nullptr) component->drop(&component->kept(*state));  // it is used again
    *state = const_cast<SavedState*>(component->keep(std::move(saved)));
  });
}
fmi2Status fmi2SetFMUstate(fmi2Component instance, fmi2FMUstate state) {
  return call2(instance, "fmi2SetFMUstate", all_phases,
               [&] { run_of2(instance).take_up(static_cast<Component*>(instance)->kept(state)); });
}
fmi2Status fmi2FreeFMUstate(fmi2Component instance, fmi2FMUstate* state) {
  return call2(instance, "fmi2FreeFMUstate", all_phases, [&] {
    if (state == nullptr || *state == nullptr) return;
    auto* const component = static_cast<Component*>(instance);
    component->drop(&component->kept(*state));
    *state = nullptr;
  });
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component instance, fmi2FMUstate state, std::size_t* size) {
  return call2(instance, "fmi2SerializedFMUstateSize", all_phases, [&] {
    require_array(size, 1, "places for the size");
    *size = static_cast<Component*>(instance)->text_of_kept(state).size();
  });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component instance, fmi2FMUstate state, fmi2Byte serialized[],
                                 std::size_t size) {
  return call2(instance, "fmi2SerializeFMUstate", all_phases, [&] {
    const std::string& text = static_cast<Component*>(instance)->text_of_kept(state);
    require_array(serialized, text.size(), "places for the state");
    if (size < text.size())
      throw Refused("the state needs " + std::to_string(text.size()) + " bytes, found " +
                    std::to_string(size));
    std::copy(text.begin(), text.end(), serialized);
  });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component instance, const fmi2Byte serialized[], std::size_t size,
                                   fmi2FMUstate* state) {
  return call2(instance, "fmi2DeSerializeFMUstate", all_phases, [&] {
    require_array(serialized, size, "bytes");
    require_array(state, 1, "places for the state");
    auto* const component = static_cast<Component*>(instance);
    *state = const_cast<SavedState*>(
        component->keep(read_saved_state(component->run().fmu(), std::string(serialized, size))));
  });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component instance, const fmi2ValueReference references[],
                                       std::size_t n, const fmi2Integer orders[], const fmi2Real values[]) {
  return call2(instance, "fmi2SetRealInputDerivatives",
               {Phase::instantiated, Phase::initialization, Phase::step}, [&] {
                 require_array(references, n, "value references");
                 require_array(orders, n, "orders");
                 require_array(values, n, "values");
                 require_first_orders({orders, n}, "inputs");
                 static_cast<Component*>(instance)->co_simulation().set_slopes(
                     {references, n}, [&](std::size_t k) { return values[k]; });
               });
}

fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real current_time, fmi2Real step_size,
                      fmi2Boolean /*no_set_state_before*/) {
  const fmi2Status status = call2(instance, "fmi2DoStep", {Phase::step},
                                  [&] { return run_of2(instance).do_step(current_time, step_size).status; });
  if (instance != nullptr) static_cast<Component*>(instance)->last_step = static_cast<Status>(status);
  return status;
}

fmi2Status fmi2CancelStep(fmi2Component instance) {
  return call2(instance, "fmi2CancelStep", all_phases, [] { throw Refused("no step is pending"); });
}

fmi2Status fmi2GetStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Status* value) {
  return call2(instance, "fmi2GetStatus", all_phases, [&] {
    require_array(value, 1, "places for the value");
    if (kind != fmi2DoStepStatus) throw Refused("no status of this kind", Status::discard);
    *value = static_cast<fmi2Status>(static_cast<Component*>(instance)->last_step);
  });
}
fmi2Status fmi2GetRealStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Real* value) {
  return call2(instance, "fmi2GetRealStatus", all_phases, [&] {
    require_array(value, 1, "places for the value");
    if (kind != fmi2LastSuccessfulTime) throw Refused("no number of this kind", Status::discard);
    *value = run_of2(instance).time();
  });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component instance, fmi2StatusKind /*kind*/, fmi2Integer* /*value*/) {
  return call2(instance, "fmi2GetIntegerStatus", all_phases,
               [] { throw Refused("no integer of this kind", Status::discard); });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Boolean* value) {
  return call2(instance, "fmi2GetBooleanStatus", all_phases, [&] {
    require_array(value, 1, "places for the value");
    if (kind != fmi2Terminated) throw Refused("no Boolean of this kind", Status::discard);
    *value = run_of2(instance).phase() == Phase::discarded ? 1 : 0;
  });
}
fmi2Status fmi2GetStringStatus(fmi2Component instance, fmi2StatusKind /*kind*/, fmi2String* /*value*/) {
  return call2(instance, "fmi2GetStringStatus", all_phases,
               [] { throw Refused("no text of this kind: no step is pending", Status::discard); });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component instance, const fmi2ValueReference unknowns[],
                                        std::size_t n_unknowns, const fmi2ValueReference knowns[],
                                        std::size_t n_knowns, const fmi2Real seed[], fmi2Real sensitivity[]) {
  return call2(instance, "fmi2GetDirectionalDerivative", phases_with_derivatives, [&] {
    require_array(unknowns, n_unknowns, "value references");
    require_array(knowns, n_knowns, "value references");
    require_array(seed, n_knowns, "seeds");
    require_array(sensitivity, n_unknowns, "places for the derivatives");
    run_of2(instance).directional_derivative({unknowns, n_unknowns}, {knowns, n_knowns}, {seed, n_knowns},
                                             {sensitivity, n_unknowns});
  });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component instance, const fmi2ValueReference references[],
                                        std::size_t n, const fmi2Integer orders[], fmi2Real values[]) {
  return call2(instance, "fmi2GetRealOutputDerivatives", phases_with_derivatives, [&] {
    require_array(references, n, "value references");
    require_array(orders, n, "orders");
    require_array(values, n, "places for the derivatives");
    require_first_orders({orders, n}, "outputs");
    static_cast<Component*>(instance)->co_simulation().output_derivatives({references, n}, {values, n});
  });
}
