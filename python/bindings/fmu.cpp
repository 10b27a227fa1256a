#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "fmi/packaging/export_fmu.hpp"
#include "io/model/write_model.hpp"
#include "mti/common/fault.hpp"
#include "mti/printing/print.hpp"
#include "mti/source/overrides.hpp"
#include "python/bindings/loaded_model.hpp"
#include "python/bindings/module.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

std::string matrices_of(const Model& model) { return to_json(to_matrices(model)); }

/// What the model was read from, with its parameters, if that still is what it was.
std::optional<std::string> text_of_origin(const LoadedModel& self) {
  if (!self.origin) return std::nullopt;
  const LoadedModel::Origin& origin = *self.origin;
  try {
    std::string text = origin.path.empty()
                           ? fmi::self_contained_text(origin.text, origin.directory, origin.reach)
                           : fmi::self_contained_text(origin.path, origin.reach);
    if (!origin.set.empty()) {
      Source source = read_source(text);
      override_values(source, origin.set);
      text = to_json(source);
    }
    if (matrices_of(read_model_text(text)) == matrices_of(self.model)) return text;
  } catch (const FaultError&) {  // the files are others by now
  }
  return std::nullopt;
}

void write_fmu(const LoadedModel& self, const std::string& path, int version,
               const std::optional<std::vector<std::string>>& outputs, bool free_inputs,
               const std::string& library) {
  const fmi::ExportOptions options{.version = version == 2 ? fmi::FmiVersion::two : fmi::FmiVersion::three,
                                   .outputs = outputs,
                                   .free_inputs = free_inputs ? fmi::FreeInputs::yes : fmi::FreeInputs::no,
                                   .library = library};
  const std::optional<std::string> text = text_of_origin(self);
  fmi::export_fmu_of_text(text ? *text : matrices_of(self.model), std::filesystem::path(path).stem().string(),
                          path, options);
}

}  // namespace

void bind_fmu(py::module_& module) {
  module.def("write_fmu", write_fmu, py::arg("model"), py::arg("path"), py::arg("version"),
             py::arg("outputs"), py::arg("free_inputs"), py::arg("library"),
             py::call_guard<py::gil_scoped_release>());
}

}  // namespace mti::python
