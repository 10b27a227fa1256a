#pragma once

#include <pybind11/pybind11.h>

namespace mti::python {

/// Each enters its part into the extension module mti._core. What users see is in python/mti/*.py, which calls these;
/// names and types of this module are in python/mti/_core.pyi.
void bind_faults(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
void bind_stepping(pybind11::module_& module);
void bind_results(pybind11::module_& module);
void bind_linearization(pybind11::module_& module);
void bind_analysis(pybind11::module_& module);
void bind_conversion(pybind11::module_& module);
void bind_fmu(pybind11::module_& module);
void bind_study(pybind11::module_& module);
void bind_estimation(pybind11::module_& module);
void bind_orbits(pybind11::module_& module);

}  // namespace mti::python
