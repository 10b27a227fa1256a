#include "fmi/interface/component.hpp"
#include "fmi/interface/fmi2.hpp"

// What an importer for Model Exchange calls.

namespace mti::fmi {
namespace {

template <class Work>
fmi2Status exchange2(fmi2Component instance, const char* function, std::initializer_list<Phase> phases,
                     Work work) {
  if (instance == nullptr) return fmi2Error;
  auto* const component = static_cast<Component*>(instance);
  return static_cast<fmi2Status>(component->call(function, phases, [&] { work(component->exchange()); }));
}

}  // namespace
}  // namespace mti::fmi

using namespace mti::fmi;  // NOLINT(google-build-using-namespace): the functions below are outside of any

fmi2Status fmi2EnterEventMode(fmi2Component instance) {
  return exchange2(instance, "fmi2EnterEventMode", {Phase::continuous},
                   [](ModelExchange& run) { run.enter_event_mode(); });
}
fmi2Status fmi2NewDiscreteStates(fmi2Component instance, fmi2EventInfo* info) {
  return exchange2(instance, "fmi2NewDiscreteStates", {Phase::event}, [&](ModelExchange& run) {
    require_array(info, 1, "places for what has changed");
    const UpdateReport report = run.update_discrete_states();
    *info = {.needs_update = report.needs_update ? 1 : 0,
             .terminate = report.ended ? 1 : 0,
             .nominals_changed = report.nominals_changed ? 1 : 0,
             .states_changed = report.states_changed ? 1 : 0,
             .next_event_defined = report.next_event ? 1 : 0,
             .next_event = report.next_event.value_or(0.0)};
  });
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component instance) {
  return exchange2(instance, "fmi2EnterContinuousTimeMode", {Phase::event},
                   [](ModelExchange& run) { run.enter_continuous_time(); });
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component instance, fmi2Boolean /*no_set_state_before*/,
                                       fmi2Boolean* enter_event_mode, fmi2Boolean* terminate) {
  return exchange2(instance, "fmi2CompletedIntegratorStep", {Phase::continuous}, [&](ModelExchange& run) {
    const bool is_event = run.completed_step();
    if (enter_event_mode != nullptr) *enter_event_mode = is_event ? 1 : 0;
    if (terminate != nullptr) *terminate = 0;
  });
}
fmi2Status fmi2SetTime(fmi2Component instance, fmi2Real time) {
  return exchange2(instance, "fmi2SetTime", {Phase::event, Phase::continuous},
                   [&](ModelExchange& run) { run.set_time(time); });
}
fmi2Status fmi2SetContinuousStates(fmi2Component instance, const fmi2Real states[], std::size_t n) {
  return exchange2(instance, "fmi2SetContinuousStates", {Phase::continuous}, [&](ModelExchange& run) {
    require_array(states, n, "states");
    run.set_states({states, n});
  });
}
fmi2Status fmi2GetDerivatives(fmi2Component instance, fmi2Real derivatives[], std::size_t n) {
  return exchange2(instance, "fmi2GetDerivatives", phases_with_derivatives, [&](ModelExchange& run) {
    require_array(derivatives, n, "places for the derivatives");
    run.get_derivatives({derivatives, n});
  });
}
fmi2Status fmi2GetEventIndicators(fmi2Component instance, fmi2Real indicators[], std::size_t n) {
  return exchange2(instance, "fmi2GetEventIndicators", phases_with_derivatives, [&](ModelExchange& run) {
    require_array(indicators, n, "places for the event indicators");
    run.get_indicators({indicators, n});
  });
}
fmi2Status fmi2GetContinuousStates(fmi2Component instance, fmi2Real states[], std::size_t n) {
  return exchange2(instance, "fmi2GetContinuousStates", phases_with_derivatives, [&](ModelExchange& run) {
    require_array(states, n, "places for the states");
    run.get_states({states, n});
  });
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component instance, fmi2Real nominals[], std::size_t n) {
  return exchange2(instance, "fmi2GetNominalsOfContinuousStates", phases_with_derivatives,
                   [&](ModelExchange& run) {
                     require_array(nominals, n, "places for the nominal values");
                     run.get_nominals({nominals, n});
                   });
}
