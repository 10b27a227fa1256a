#include <pybind11/stl.h>

#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "io/analysis/mode_text.hpp"
#include "io/analysis/write_all_modes.hpp"
#include "io/analysis/write_analysis.hpp"
#include "io/analysis/write_diagnosis.hpp"
#include "mti/build/boolean_text.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/loaded_model.hpp"
#include "python/bindings/module.hpp"
#include "solvers/diagnosis/diagnosis.hpp"
#include "solvers/motion/system_jacobian_rank.hpp"
#include "solvers/multimode/multimode_analysis.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// What is found, as JSON and to be read by people.
using Texts = std::pair<std::string, std::string>;

Texts structure(const LoadedModel& loaded) {
  const Structure found = analyze_structure(loaded.model);
  return {structure_json(loaded.model, found), structure_text(loaded.model, found)};
}

Texts one_mode(const LoadedModel& loaded, const std::string& text) {
  const Mode mode = parse_mode(loaded.model, text);
  const ModeStructure found = analyze_mode(loaded.model, mode);
  const auto rank = examine_rank(loaded.model, mode);
  return {mode_json(loaded.model, mode, found, rank), mode_text(loaded.model, mode, found, rank)};
}

BooleanFormula formula_of(const Model& model, const std::optional<std::string>& text) {
  return text ? parse_formula(model, *text) : BooleanFormula{};
}

Texts all_modes(const LoadedModel& loaded, const std::optional<std::string>& before,
                const std::optional<std::string>& after) {
  const Model& model = loaded.model;
  const MultimodeAnalysis found =
      analyze_all_modes(model, formula_of(model, before), formula_of(model, after));
  return {all_modes_json(model, found), all_modes_text(model, found)};
}

std::string diagnosis(const LoadedModel& loaded) {
  std::string text;
  interruptibly_or_raise([&](std::stop_token stop_token) {
    text = diagnosis_json(loaded.model, diagnose(loaded.model, {.stop_token = std::move(stop_token)}));
  });
  return text;
}

}  // namespace

void bind_analysis(py::module_& module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  module.def("structure", structure, py::arg("model"), Release());
  module.def("one_mode", one_mode, py::arg("model"), py::arg("mode"), Release());
  module.def("all_modes", all_modes, py::arg("model"), py::arg("before"), py::arg("after"), Release());
  module.def("diagnosis", diagnosis, py::arg("model"));
}

}  // namespace mti::python
