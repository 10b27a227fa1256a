#include "fmi/interface/component.hpp"
#include "fmi/interface/fmi3.hpp"

// What an importer for Model Exchange calls.

namespace mti::fmi {
namespace {

template <class Work>
fmi3Status exchange3(fmi3Instance instance, const char* function, std::initializer_list<Phase> phases,
                     Work work) {
  if (instance == nullptr) return fmi3Error;
  auto* const component = static_cast<Component*>(instance);
  return static_cast<fmi3Status>(component->call(function, phases, [&] { work(component->exchange()); }));
}

}  // namespace
}  // namespace mti::fmi

using namespace mti::fmi;  // NOLINT(google-build-using-namespace): the functions below are outside of any

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return exchange3(instance, "fmi3EnterContinuousTimeMode", {Phase::event},
                   [](ModelExchange& run) { run.enter_continuous_time(); });
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean /*no_set_state_before*/,
                                       fmi3Boolean* enter_event_mode, fmi3Boolean* terminate) {
  return exchange3(instance, "fmi3CompletedIntegratorStep", {Phase::continuous}, [&](ModelExchange& run) {
    const bool is_event = run.completed_step();
    if (enter_event_mode != nullptr) *enter_event_mode = is_event;
    if (terminate != nullptr) *terminate = false;
  });
}
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  return exchange3(instance, "fmi3SetTime", {Phase::event, Phase::continuous},
                   [&](ModelExchange& run) { run.set_time(time); });
}
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[], std::size_t n) {
  return exchange3(instance, "fmi3SetContinuousStates", {Phase::continuous}, [&](ModelExchange& run) {
    require_array(states, n, "states");
    run.set_states({states, n});
  });
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             std::size_t n) {
  return exchange3(instance, "fmi3GetContinuousStateDerivatives", phases_with_derivatives,
                   [&](ModelExchange& run) {
                     require_array(derivatives, n, "places for the derivatives");
                     run.get_derivatives({derivatives, n});
                   });
}
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[], std::size_t n) {
  return exchange3(instance, "fmi3GetEventIndicators", phases_with_derivatives, [&](ModelExchange& run) {
    require_array(indicators, n, "places for the event indicators");
    run.get_indicators({indicators, n});
  });
}
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[], std::size_t n) {
  return exchange3(instance, "fmi3GetContinuousStates", phases_with_derivatives, [&](ModelExchange& run) {
    require_array(states, n, "places for the states");
    run.get_states({states, n});
  });
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], std::size_t n) {
  return exchange3(instance, "fmi3GetNominalsOfContinuousStates", phases_with_derivatives,
                   [&](ModelExchange& run) {
                     require_array(nominals, n, "places for the nominal values");
                     run.get_nominals({nominals, n});
                   });
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* n) {
  return exchange3(instance, "fmi3GetNumberOfEventIndicators", all_phases, [&](ModelExchange& run) {
    require_array(n, 1, "places for the number");
    *n = run.number_of_indicators();
  });
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* n) {
  return exchange3(instance, "fmi3GetNumberOfContinuousStates", all_phases, [&](ModelExchange& run) {
    require_array(n, 1, "places for the number");
    *n = run.states();
  });
}
