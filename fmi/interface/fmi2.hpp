#pragma once

#include <cstddef>

// The C interface of FMI 2.0, as chapters 2 to 4 of the standard state it: what an importer calls by name.

extern "C" {

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

using fmi2Component = void*;             ///< one instance, the FMU's
using fmi2ComponentEnvironment = void*;  ///< handed back in callbacks, the importer's
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2Char = char;
using fmi2String = const fmi2Char*;
using fmi2Byte = char;

/// The members' types and order are part of the interface.
struct fmi2CallbackFunctions {
  /// `message` is a format of printf.
  void (*logger)(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                 fmi2String category, fmi2String message, ...);
  void* (*allocate)(std::size_t n, std::size_t size);
  void (*free)(void* memory);
  void (*step_finished)(fmi2ComponentEnvironment environment, fmi2Status status);
  fmi2ComponentEnvironment environment;
};
struct fmi2EventInfo {
  fmi2Boolean needs_update, terminate, nominals_changed, states_changed, next_event_defined;
  fmi2Real next_event;
};

const char* fmi2GetTypesPlatform();
const char* fmi2GetVersion();
fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean on, std::size_t n,
                               const fmi2String categories[]);
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resource_location,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean logging_on);
void fmi2FreeInstance(fmi2Component instance);
fmi2Status fmi2SetupExperiment(fmi2Component instance, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start_time, fmi2Boolean stop_time_defined, fmi2Real stop_time);
fmi2Status fmi2EnterInitializationMode(fmi2Component instance);
fmi2Status fmi2ExitInitializationMode(fmi2Component instance);
fmi2Status fmi2Terminate(fmi2Component instance);
fmi2Status fmi2Reset(fmi2Component instance);
fmi2Status fmi2GetReal(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                       fmi2Real values[]);
fmi2Status fmi2SetReal(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                       const fmi2Real values[]);
fmi2Status fmi2GetInteger(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                          fmi2Integer values[]);
fmi2Status fmi2SetInteger(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                          const fmi2Integer values[]);
fmi2Status fmi2GetBoolean(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                          fmi2Boolean values[]);
fmi2Status fmi2SetBoolean(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                          const fmi2Boolean values[]);
fmi2Status fmi2GetString(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                         fmi2String values[]);
fmi2Status fmi2SetString(fmi2Component instance, const fmi2ValueReference references[], std::size_t n,
                         const fmi2String values[]);

fmi2Status fmi2GetFMUstate(fmi2Component instance, fmi2FMUstate* state);
fmi2Status fmi2SetFMUstate(fmi2Component instance, fmi2FMUstate state);
fmi2Status fmi2FreeFMUstate(fmi2Component instance, fmi2FMUstate* state);
fmi2Status fmi2SerializedFMUstateSize(fmi2Component instance, fmi2FMUstate state, std::size_t* size);
fmi2Status fmi2SerializeFMUstate(fmi2Component instance, fmi2FMUstate state, fmi2Byte serialized[],
                                 std::size_t size);
fmi2Status fmi2DeSerializeFMUstate(fmi2Component instance, const fmi2Byte serialized[], std::size_t size,
                                   fmi2FMUstate* state);
fmi2Status fmi2GetDirectionalDerivative(fmi2Component instance, const fmi2ValueReference unknowns[],
                                        std::size_t n_unknowns, const fmi2ValueReference knowns[],
                                        std::size_t n_knowns, const fmi2Real seed[], fmi2Real sensitivity[]);

fmi2Status fmi2SetRealInputDerivatives(fmi2Component instance, const fmi2ValueReference references[],
                                       std::size_t n, const fmi2Integer orders[], const fmi2Real values[]);
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component instance, const fmi2ValueReference references[],
                                        std::size_t n, const fmi2Integer orders[], fmi2Real values[]);
fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real current_time, fmi2Real step_size,
                      fmi2Boolean no_set_state_before);
fmi2Status fmi2CancelStep(fmi2Component instance);
fmi2Status fmi2GetStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Status* value);
fmi2Status fmi2GetRealStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Real* value);
fmi2Status fmi2GetIntegerStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Integer* value);
fmi2Status fmi2GetBooleanStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Boolean* value);
fmi2Status fmi2GetStringStatus(fmi2Component instance, fmi2StatusKind kind, fmi2String* value);

// Model Exchange.
fmi2Status fmi2EnterEventMode(fmi2Component instance);
fmi2Status fmi2NewDiscreteStates(fmi2Component instance, fmi2EventInfo* info);
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component instance);
fmi2Status fmi2CompletedIntegratorStep(fmi2Component instance, fmi2Boolean no_set_state_before,
                                       fmi2Boolean* enter_event_mode, fmi2Boolean* terminate);
fmi2Status fmi2SetTime(fmi2Component instance, fmi2Real time);
fmi2Status fmi2SetContinuousStates(fmi2Component instance, const fmi2Real states[], std::size_t n);
fmi2Status fmi2GetDerivatives(fmi2Component instance, fmi2Real derivatives[], std::size_t n);
fmi2Status fmi2GetEventIndicators(fmi2Component instance, fmi2Real indicators[], std::size_t n);
fmi2Status fmi2GetContinuousStates(fmi2Component instance, fmi2Real states[], std::size_t n);
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component instance, fmi2Real nominals[], std::size_t n);
}
