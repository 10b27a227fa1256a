#include "fmi/interface/fmi3.hpp"

#include <array>
#include <memory>
#include <new>
#include <string>

#include "fmi/interface/component.hpp"

namespace mti::fmi {
namespace {

using References = const fmi3ValueReference*;

template <class Work>
fmi3Status call3(fmi3Instance instance, const char* function, std::initializer_list<Phase> phases,
                 Work work) {
  if (instance == nullptr) return fmi3Error;
  return static_cast<fmi3Status>(static_cast<Component*>(instance)->call(function, phases, work));
}

CoSimulation& run_of3(fmi3Instance instance) { return static_cast<Component*>(instance)->run(); }

/// Arrays are no part of these FMUs: every variable has one value.
void check_arrays3(References references, std::size_t n, const void* values, std::size_t n_values) {
  require_array(references, n, "value references");
  require_array(values, n, "values");
  if (n_values != n)
    throw Refused("expected " + std::to_string(n) + " values for as many variables, found " +
                  std::to_string(n_values));
}

template <class Value>
fmi3Status get3(fmi3Instance instance, const char* function, VariableType type, References references,
                std::size_t n, Value* values, std::size_t n_values) {
  return call3(instance, function, phases_with_values, [&] {
    check_arrays3(references, n, values, n_values);
    run_of3(instance).get({references, n}, type,
                          [&](std::size_t k, double value) { values[k] = static_cast<Value>(value); });
  });
}

template <class Value>
fmi3Status set3(fmi3Instance instance, const char* function, VariableType type, References references,
                std::size_t n, const Value* values, std::size_t n_values) {
  return call3(instance, function,
               {Phase::instantiated, Phase::configuration, Phase::initialization, Phase::event, Phase::step,
                Phase::continuous},
               [&] {
                 check_arrays3(references, n, values, n_values);
                 run_of3(instance).set({references, n}, type,
                                       [&](std::size_t k) { return static_cast<double>(values[k]); });
               });
}

Log::Sink sink3(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message) {
  if (log_message == nullptr) return {};
  return [=](Status status, std::string_view category, const std::string& message) {
    log_message(environment, static_cast<fmi3Status>(status), category.data(), message.c_str());
  };
}

/// Inputs hold in a step what they were set to before; all else may be read at each of its points.
IntermediateUpdate update3(fmi3InstanceEnvironment environment, fmi3IntermediateUpdateCallback update,
                           bool can_return_early) {
  if (update == nullptr) return {};
  return [=](double time) {
    bool returns = false;
    double return_time = time;
    update(environment, time, false, true, true, can_return_early, &returns, &return_time);
    return returns ? std::optional(return_time) : std::nullopt;
  };
}

void refuse_instance3(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message,
                      const std::string& why) {
  if (log_message != nullptr) log_message(environment, fmi3Error, "logStatusError", why.c_str());
}

void give3(bool* place, bool value) {
  if (place != nullptr) *place = value;
}

}  // namespace
}  // namespace mti::fmi

using namespace mti::fmi;  // NOLINT(google-build-using-namespace): the functions below are outside of any

const char* fmi3GetVersion() { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, std::size_t n,
                               const fmi3String categories[]) {
  return call3(instance, "fmi3SetDebugLogging", all_phases, [&] {
    require_array(categories, n, "categories");
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < n; ++k) names.emplace_back(categories[k] == nullptr ? "" : categories[k]);
    static_cast<Component*>(instance)->log().choose(on, names);
  });
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resource_path,
                                         fmi3Boolean /*visible*/, fmi3Boolean logging_on,
                                         fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
                                         const fmi3ValueReference intermediate_variables[],
                                         std::size_t n_intermediate_variables,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log_message,
                                         fmi3IntermediateUpdateCallback intermediate_update) {
  try {
    if (name == nullptr || token == nullptr || resource_path == nullptr)
      throw Refused("an instance needs a name, a token and the path of its resources: a null pointer");
    require_array(intermediate_variables, n_intermediate_variables, "intermediate variables");
    auto component = std::make_unique<Component>(
        resource_path, token, sink3(environment, log_message), logging_on,
        Component::Interface::co_simulation,
        Use{.event_mode = event_mode_used,
            .early_return = early_return_allowed,
            .intermediate_update = update3(environment, intermediate_update, early_return_allowed)});
    component->run().check_intermediate({intermediate_variables, n_intermediate_variables});
    return component.release();
  } catch (const std::exception& error) {
    refuse_instance3(environment, log_message, std::string("fmi3InstantiateCoSimulation: ") + error.what());
  } catch (...) {
    refuse_instance3(environment, log_message, "fmi3InstantiateCoSimulation: failed");
  }
  return nullptr;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resource_path,
                                          fmi3Boolean /*visible*/, fmi3Boolean logging_on,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log_message) {
  try {
    if (name == nullptr || token == nullptr || resource_path == nullptr)
      throw Refused("an instance needs a name, a token and the path of its resources: a null pointer");
    return new Component(resource_path, token, sink3(environment, log_message), logging_on,
                         Component::Interface::model_exchange);
  } catch (const std::exception& error) {
    refuse_instance3(environment, log_message, std::string("fmi3InstantiateModelExchange: ") + error.what());
  } catch (...) {
    refuse_instance3(environment, log_message, "fmi3InstantiateModelExchange: failed");
  }
  return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String /*name*/, fmi3String /*token*/, fmi3String /*resource_path*/, fmi3Boolean /*visible*/,
    fmi3Boolean /*logging_on*/, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message,
    fmi3ClockUpdateCallback /*clock_update*/, fmi3LockPreemptionCallback /*lock_preemption*/,
    fmi3UnlockPreemptionCallback /*unlock_preemption*/) {
  refuse_instance3(environment, log_message,
                   "fmi3InstantiateScheduledExecution: this FMU has no model partitions");
  return nullptr;
}

void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Component*>(instance); }

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return call3(instance, "fmi3EnterConfigurationMode", {Phase::instantiated}, [&] {
    if (!run_of3(instance).fmu().residuals) throw Refused("this FMU has no structural parameters");
    run_of3(instance).enter_configuration();
  });
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return call3(instance, "fmi3ExitConfigurationMode", {Phase::configuration},
               [&] { run_of3(instance).exit_configuration(); });
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start_time,
                                       fmi3Boolean stop_time_defined, fmi3Float64 stop_time) {
  return call3(instance, "fmi3EnterInitializationMode", {Phase::instantiated}, [&] {
    Experiment experiment{.start = start_time};
    if (tolerance_defined) experiment.tolerance = tolerance;
    if (stop_time_defined) experiment.stop = stop_time;
    run_of3(instance).set_experiment(experiment);
    run_of3(instance).enter_initialization();
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  const fmi3Status status = call3(instance, "fmi3ExitInitializationMode", {Phase::initialization},
                                  [&] { run_of3(instance).exit_initialization(); });
  if (status != fmi3OK && instance != nullptr && run_of3(instance).phase() == Phase::initialization)
    run_of3(instance).fail();
  return status;
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return call3(instance, "fmi3EnterEventMode", {Phase::step, Phase::continuous},
               [&] { run_of3(instance).enter_event_mode(); });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return call3(instance, "fmi3EnterStepMode", {Phase::event},
               [&] { static_cast<Component*>(instance)->co_simulation().enter_step_mode(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call3(instance, "fmi3Terminate", {Phase::event, Phase::step, Phase::continuous, Phase::discarded},
               [&] { run_of3(instance).terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return call3(instance, "fmi3Reset", all_phases, [&] { run_of3(instance).reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          double values[], std::size_t n_values) {
  return get3(instance, "fmi3GetFloat64", VariableType::real, references, n, values, n_values);
}
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          const double values[], std::size_t n_values) {
  return set3(instance, "fmi3SetFloat64", VariableType::real, references, n, values, n_values);
}
fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          fmi3Boolean values[], std::size_t n_values) {
  return get3(instance, "fmi3GetBoolean", VariableType::boolean, references, n, values, n_values);
}
fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          const fmi3Boolean values[], std::size_t n_values) {
  return set3(instance, "fmi3SetBoolean", VariableType::boolean, references, n, values, n_values);
}
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        fmi3Clock values[]) {
  return call3(instance, "fmi3GetClock", {Phase::initialization, Phase::event}, [&] {
    check_arrays3(references, n, values, n);
    run_of3(instance).get({references, n}, VariableType::clock,
                          [&](std::size_t k, double value) { values[k] = value != 0.0; });
  });
}
fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call3(instance, "fmi3GetFMUState", all_phases, [&] {
    require_array(state, 1, "places for the state");
    auto* const component = static_cast<Component*>(instance);
    SavedState saved = component->run().save();
    if (*state != nullptr) component->drop(&component->kept(*state));  // it is used again
    *state = const_cast<SavedState*>(component->keep(std::move(saved)));
  });
}
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return call3(instance, "fmi3SetFMUState", all_phases,
               [&] { run_of3(instance).take_up(static_cast<Component*>(instance)->kept(state)); });
}
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call3(instance, "fmi3FreeFMUState", all_phases, [&] {
    if (state == nullptr || *state == nullptr) return;
    auto* const component = static_cast<Component*>(instance);
    component->drop(&component->kept(*state));
    *state = nullptr;
  });
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return call3(instance, "fmi3SerializedFMUStateSize", all_phases, [&] {
    require_array(size, 1, "places for the size");
    *size = static_cast<Component*>(instance)->text_of_kept(state).size();
  });
}
fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte serialized[],
                                 std::size_t size) {
  return call3(instance, "fmi3SerializeFMUState", all_phases, [&] {
    const std::string& text = static_cast<Component*>(instance)->text_of_kept(state);
    require_array(serialized, text.size(), "places for the state");
    if (size < text.size())
      throw Refused("the state needs " + std::to_string(text.size()) + " bytes, found " +
                    std::to_string(size));
    std::copy(text.begin(), text.end(), serialized);
  });
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serialized[], std::size_t size,
                                   fmi3FMUState* state) {
  return call3(instance, "fmi3DeserializeFMUState", all_phases, [&] {
    require_array(serialized, size, "bytes");
    require_array(state, 1, "places for the state");
    auto* const component = static_cast<Component*>(instance);
    const std::string text(serialized, serialized + size);
    *state = const_cast<SavedState*>(component->keep(read_saved_state(component->run().fmu(), text)));
  });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        std::size_t n_unknowns, const fmi3ValueReference knowns[],
                                        std::size_t n_knowns, const fmi3Float64 seed[], std::size_t n_seed,
                                        fmi3Float64 sensitivity[], std::size_t n_sensitivity) {
  return call3(instance, "fmi3GetDirectionalDerivative", phases_with_derivatives, [&] {
    check_arrays3(knowns, n_knowns, seed, n_seed);
    check_arrays3(unknowns, n_unknowns, sensitivity, n_sensitivity);
    run_of3(instance).directional_derivative({unknowns, n_unknowns}, {knowns, n_knowns}, {seed, n_seed},
                                             {sensitivity, n_sensitivity});
  });
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    std::size_t n_unknowns, const fmi3ValueReference knowns[],
                                    std::size_t n_knowns, const fmi3Float64 seed[], std::size_t n_seed,
                                    fmi3Float64 sensitivity[], std::size_t n_sensitivity) {
  return call3(instance, "fmi3GetAdjointDerivative", phases_with_derivatives, [&] {
    check_arrays3(unknowns, n_unknowns, seed, n_seed);
    check_arrays3(knowns, n_knowns, sensitivity, n_sensitivity);
    run_of3(instance).adjoint_derivative({unknowns, n_unknowns}, {knowns, n_knowns}, {seed, n_seed},
                                         {sensitivity, n_sensitivity});
  });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[],
                                    std::size_t n, const std::int32_t orders[], fmi3Float64 values[],
                                    std::size_t n_values) {
  return call3(instance, "fmi3GetOutputDerivatives", phases_with_derivatives, [&] {
    check_arrays3(references, n, values, n_values);
    require_array(orders, n, "orders");
    require_first_orders({orders, n}, "outputs");
    static_cast<Component*>(instance)->co_simulation().output_derivatives({references, n}, {values, n});
  });
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* needs_update, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* states_changed,
                                    fmi3Boolean* next_event_defined, fmi3Float64* next_event) {
  return call3(instance, "fmi3UpdateDiscreteStates", {Phase::event}, [&] {
    const UpdateReport report = run_of3(instance).update_discrete_states();
    give3(needs_update, report.needs_update);
    give3(terminate, report.ended);
    give3(nominals_changed, report.nominals_changed);
    give3(states_changed, report.states_changed);
    give3(next_event_defined, report.next_event.has_value());
    if (next_event != nullptr && report.next_event) *next_event = *report.next_event;
  });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 current_time, fmi3Float64 step_size,
                      fmi3Boolean /*no_set_state_before*/, fmi3Boolean* event_handling_needed,
                      fmi3Boolean* terminate, fmi3Boolean* early_return, fmi3Float64* last_successful_time) {
  return call3(instance, "fmi3DoStep", {Phase::step}, [&] {
    const StepReport report = run_of3(instance).do_step(current_time, step_size);
    give3(event_handling_needed, report.event);
    give3(terminate, report.ended);
    give3(early_return, report.early);
    if (last_successful_time != nullptr) *last_successful_time = report.time;
    return report.status;
  });
}
