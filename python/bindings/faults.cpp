#include "python/bindings/faults.hpp"

#include <exception>

#include "python/bindings/module.hpp"
#include "solvers/mode_sets/mode_set.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// Raises the exception `name` of python/mti/faults.py.
void raise(const char* name, std::span<const Fault> faults) {
  const py::object type = py::module_::import("mti.faults").attr(name);
  PyErr_SetObject(type.ptr(), type(fault_list(faults)).ptr());
}

void raise_fault(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InvalidModel& refused) {
    raise("InvalidModel", refused.faults());
  } catch (const InvalidOption& refused) {
    raise("InvalidOption", refused.faults());
  } catch (const UnusableFile& refused) {
    raise("UnusableFile", refused.faults());
  } catch (const NotReached& refused) {
    raise("NotReached", refused.faults());
  } catch (const FaultError& refused) {
    raise("MtiError", refused.faults());
  } catch (const ModeSetTooLarge& refused) {
    const Fault fault{"modes-too-large", "", refused.what()};
    raise("ModesTooLarge", {&fault, 1});
  }
}

}  // namespace

py::list fault_list(std::span<const Fault> faults) {
  const py::object fault_type = py::module_::import("mti.faults").attr("Fault");
  py::list list;
  for (const Fault& fault : faults)
    list.append(fault_type(fault.id, fault.pointer, fault.message, fault.file));
  return list;
}

void bind_faults(py::module_& /*module*/) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    if (thrown) raise_fault(thrown);
  });
}

}  // namespace mti::python
