#include "python/bindings/module.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace mti::python;
  module.doc() = "What the package mti is made of; its own names are mti.*.";
  module.attr("version") = MTI_VERSION;
  bind_faults(module);
  bind_model(module);
  bind_results(module);
  bind_simulation(module);
  bind_stepping(module);
  bind_linearization(module);
  bind_analysis(module);
  bind_conversion(module);
  bind_fmu(module);
  bind_study(module);
  bind_estimation(module);
  bind_orbits(module);
}
