#pragma once

#include <cstddef>
#include <cstdint>

// The C interface of FMI 3.0, as section 2.2 of the standard states it: what an importer calls by name.

extern "C" {

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
};
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3Instance = void*;             ///< one instance, the FMU's
using fmi3InstanceEnvironment = void*;  ///< handed back in callbacks, the importer's
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Boolean = bool;
using fmi3Clock = bool;
using fmi3String = const char*;  ///< UTF-8
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Float64 = double;

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment environment, fmi3Status status,
                                        fmi3String category, fmi3String message);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                                fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                                fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                                fmi3Boolean* return_requested, fmi3Float64* return_time);
using fmi3ClockUpdateCallback = void (*)(fmi3InstanceEnvironment environment);
using fmi3LockPreemptionCallback = void (*)();
using fmi3UnlockPreemptionCallback = void (*)();

const char* fmi3GetVersion();
fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, std::size_t n,
                               const fmi3String categories[]);

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resource_path,
                                         fmi3Boolean visible, fmi3Boolean logging_on,
                                         fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
                                         const fmi3ValueReference intermediate_variables[],
                                         std::size_t n_intermediate_variables,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log_message,
                                         fmi3IntermediateUpdateCallback intermediate_update);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resource_path,
                                          fmi3Boolean visible, fmi3Boolean logging_on,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log_message);
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resource_path,
                                               fmi3Boolean visible, fmi3Boolean logging_on,
                                               fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback log_message,
                                               fmi3ClockUpdateCallback clock_update,
                                               fmi3LockPreemptionCallback lock_preemption,
                                               fmi3UnlockPreemptionCallback unlock_preemption);
void fmi3FreeInstance(fmi3Instance instance);

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start_time,
                                       fmi3Boolean stop_time_defined, fmi3Float64 stop_time);
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance);
fmi3Status fmi3EnterEventMode(fmi3Instance instance);
fmi3Status fmi3EnterStepMode(fmi3Instance instance);
fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance);
fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance);
fmi3Status fmi3Terminate(fmi3Instance instance);
fmi3Status fmi3Reset(fmi3Instance instance);

fmi3Status fmi3GetFloat32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          float values[], std::size_t n_values);
fmi3Status fmi3SetFloat32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          const float values[], std::size_t n_values);
fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          double values[], std::size_t n_values);
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          const double values[], std::size_t n_values);
fmi3Status fmi3GetInt8(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                       std::int8_t values[], std::size_t n_values);
fmi3Status fmi3SetInt8(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                       const std::int8_t values[], std::size_t n_values);
fmi3Status fmi3GetUInt8(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        std::uint8_t values[], std::size_t n_values);
fmi3Status fmi3SetUInt8(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        const std::uint8_t values[], std::size_t n_values);
fmi3Status fmi3GetInt16(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        std::int16_t values[], std::size_t n_values);
fmi3Status fmi3SetInt16(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        const std::int16_t values[], std::size_t n_values);
fmi3Status fmi3GetUInt16(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         std::uint16_t values[], std::size_t n_values);
fmi3Status fmi3SetUInt16(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         const std::uint16_t values[], std::size_t n_values);
fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        std::int32_t values[], std::size_t n_values);
fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        const std::int32_t values[], std::size_t n_values);
fmi3Status fmi3GetUInt32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         std::uint32_t values[], std::size_t n_values);
fmi3Status fmi3SetUInt32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         const std::uint32_t values[], std::size_t n_values);
fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        std::int64_t values[], std::size_t n_values);
fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        const std::int64_t values[], std::size_t n_values);
fmi3Status fmi3GetUInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         std::uint64_t values[], std::size_t n_values);
fmi3Status fmi3SetUInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         const std::uint64_t values[], std::size_t n_values);
fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          fmi3Boolean values[], std::size_t n_values);
fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                          const fmi3Boolean values[], std::size_t n_values);
fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         fmi3String values[], std::size_t n_values);
fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         const fmi3String values[], std::size_t n_values);
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         std::size_t sizes[], fmi3Binary values[], std::size_t n_values);
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                         const std::size_t sizes[], const fmi3Binary values[], std::size_t n_values);

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        fmi3Clock values[]);
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                        const fmi3Clock values[]);
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                                  const fmi3Float64 intervals[]);
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[],
                                   std::size_t n, std::uint64_t counters[], std::uint64_t resolutions[],
                                   fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[],
                                   std::size_t n, const std::uint64_t counters[],
                                   const std::uint64_t resolutions[]);
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                               fmi3Float64 shifts[]);
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                               const fmi3Float64 shifts[]);
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                                std::uint64_t counters[], std::uint64_t resolutions[]);
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], std::size_t n,
                                const std::uint64_t counters[], const std::uint64_t resolutions[]);
fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time);

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                               std::size_t* n);
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       std::size_t elements_of_dependent[], fmi3ValueReference independents[],
                                       std::size_t elements_of_independents[], fmi3DependencyKind kinds[],
                                       std::size_t n);
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        std::size_t n_unknowns, const fmi3ValueReference knowns[],
                                        std::size_t n_knowns, const fmi3Float64 seed[], std::size_t n_seed,
                                        fmi3Float64 sensitivity[], std::size_t n_sensitivity);
fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    std::size_t n_unknowns, const fmi3ValueReference knowns[],
                                    std::size_t n_knowns, const fmi3Float64 seed[], std::size_t n_seed,
                                    fmi3Float64 sensitivity[], std::size_t n_sensitivity);

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state);
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state);
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size);
fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte serialized[],
                                 std::size_t size);
fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serialized[], std::size_t size,
                                   fmi3FMUState* state);

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance);
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* needs_update, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* states_changed,
                                    fmi3Boolean* next_event_defined, fmi3Float64* next_event);
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 current_time, fmi3Float64 step_size,
                      fmi3Boolean no_set_state_before, fmi3Boolean* event_handling_needed,
                      fmi3Boolean* terminate, fmi3Boolean* early_return, fmi3Float64* last_successful_time);
fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[],
                                    std::size_t n, const std::int32_t orders[], fmi3Float64 values[],
                                    std::size_t n_values);

// Model Exchange.
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance);
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_set_state_before,
                                       fmi3Boolean* enter_event_mode, fmi3Boolean* terminate);
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time);
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[], std::size_t n);
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[], std::size_t n);
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[], std::size_t n);
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[], std::size_t n);
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], std::size_t n);
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* n);
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* n);
}
