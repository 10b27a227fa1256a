#include "fmi/interface/component.hpp"
#include "fmi/interface/fmi3.hpp"

// What every FMU has to have a function for, and these do not provide: types that no variable has, clocks of the importer, partitions.

namespace mti::fmi {
namespace {

template <class Work>
fmi3Status refuse3(fmi3Instance instance, const char* function, std::initializer_list<Phase> phases,
                   Work work) {
  if (instance == nullptr) return fmi3Error;
  return static_cast<fmi3Status>(static_cast<Component*>(instance)->call(function, phases, work));
}

/// There are no variables of this type.
fmi3Status no_such_type3(fmi3Instance instance, const char* function, std::size_t n) {
  return refuse3(instance, function, all_phases, [&] {
    if (n > 0) throw Refused("no variable of this FMU has this type");
  });
}

fmi3Status not_provided3(fmi3Instance instance, const char* function) {
  return refuse3(instance, function, all_phases,
                 [] { throw Refused("this FMU does not provide it (modelDescription.xml)"); });
}

}  // namespace
}  // namespace mti::fmi

using namespace mti::fmi;  // NOLINT(google-build-using-namespace): the functions below are outside of any

fmi3Status fmi3GetFloat32(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                          float /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetFloat32", n);
}
fmi3Status fmi3SetFloat32(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                          const float /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetFloat32", n);
}
fmi3Status fmi3GetInt8(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                       std::int8_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetInt8", n);
}
fmi3Status fmi3SetInt8(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                       const std::int8_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetInt8", n);
}
fmi3Status fmi3GetUInt8(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        std::uint8_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetUInt8", n);
}
fmi3Status fmi3SetUInt8(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        const std::uint8_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetUInt8", n);
}
fmi3Status fmi3GetInt16(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        std::int16_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetInt16", n);
}
fmi3Status fmi3SetInt16(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        const std::int16_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetInt16", n);
}
fmi3Status fmi3GetUInt16(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         std::uint16_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetUInt16", n);
}
fmi3Status fmi3SetUInt16(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         const std::uint16_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetUInt16", n);
}
fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        std::int32_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetInt32", n);
}
fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        const std::int32_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetInt32", n);
}
fmi3Status fmi3GetUInt32(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         std::uint32_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetUInt32", n);
}
fmi3Status fmi3SetUInt32(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         const std::uint32_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetUInt32", n);
}
fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        std::int64_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetInt64", n);
}
fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        const std::int64_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetInt64", n);
}
fmi3Status fmi3GetUInt64(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         std::uint64_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetUInt64", n);
}
fmi3Status fmi3SetUInt64(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         const std::uint64_t /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetUInt64", n);
}
fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         fmi3String /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetString", n);
}
fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         const fmi3String /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetString", n);
}
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         std::size_t /*sizes*/[], fmi3Binary /*values*/[], std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3GetBinary", n);
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                         const std::size_t /*sizes*/[], const fmi3Binary /*values*/[],
                         std::size_t /*n_values*/) {
  return no_such_type3(instance, "fmi3SetBinary", n);
}
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference /*references*/[], std::size_t n,
                        const fmi3Clock /*values*/[]) {
  return refuse3(instance, "fmi3SetClock", all_phases, [&] {
    if (n > 0) throw Refused("no clock of this FMU is an input");
  });
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                  std::size_t n, fmi3Float64 /*intervals*/[],
                                  fmi3IntervalQualifier /*qualifiers*/[]) {
  return no_such_type3(instance, "fmi3GetIntervalDecimal", n);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                  std::size_t n, const fmi3Float64 /*intervals*/[]) {
  return no_such_type3(instance, "fmi3SetIntervalDecimal", n);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                   std::size_t n, std::uint64_t /*counters*/[],
                                   std::uint64_t /*resolutions*/[], fmi3IntervalQualifier /*qualifiers*/[]) {
  return no_such_type3(instance, "fmi3GetIntervalFraction", n);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                   std::size_t n, const std::uint64_t /*counters*/[],
                                   const std::uint64_t /*resolutions*/[]) {
  return no_such_type3(instance, "fmi3SetIntervalFraction", n);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                               std::size_t n, fmi3Float64 /*shifts*/[]) {
  return no_such_type3(instance, "fmi3GetShiftDecimal", n);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                               std::size_t n, const fmi3Float64 /*shifts*/[]) {
  return no_such_type3(instance, "fmi3SetShiftDecimal", n);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                std::size_t n, std::uint64_t /*counters*/[],
                                std::uint64_t /*resolutions*/[]) {
  return no_such_type3(instance, "fmi3GetShiftFraction", n);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                std::size_t n, const std::uint64_t /*counters*/[],
                                const std::uint64_t /*resolutions*/[]) {
  return no_such_type3(instance, "fmi3SetShiftFraction", n);
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return not_provided3(instance, "fmi3EvaluateDiscreteStates");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference /*clock*/,
                                      fmi3Float64 /*time*/) {
  return not_provided3(instance, "fmi3ActivateModelPartition");
}
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference /*reference*/,
                                               std::size_t* /*n*/) {
  return not_provided3(instance, "fmi3GetNumberOfVariableDependencies");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference /*dependent*/,
                                       std::size_t /*elements_of_dependent*/[],
                                       fmi3ValueReference /*independents*/[],
                                       std::size_t /*elements_of_independents*/[],
                                       fmi3DependencyKind /*kinds*/[], std::size_t /*n*/) {
  return not_provided3(instance, "fmi3GetVariableDependencies");
}
