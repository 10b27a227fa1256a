#include <pybind11/stl.h>
#include <algorithm>

#include <optional>
#include <string>
#include <vector>

#include "fmi/packaging/export_fmu.hpp"
#include "io/model/write_model.hpp"
#include "io/modelica/read_modelica.hpp"
#include "mti/common/fault.hpp"
#include "mti/printing/print.hpp"
#include "python/bindings/loaded_model.hpp"
#include "python/bindings/module.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

std::string matrices_of(const Model& model) { return to_json(to_matrices(model)); }

/// The text of the file that the model was read from, byte for byte, if it stands alone and still is what it was.
std::optional<std::string> text_of_file(const LoadedModel& self, const LoadedModel::Origin& origin) {
  if (!origin.set.empty()) return std::nullopt;
  try {
    std::string text = origin.path.empty()
                           ? fmi::self_contained_text(origin.text, origin.directory, origin.reach)
                           : fmi::self_contained_text(origin.path, origin.reach);
    if (matrices_of(read_model_text(text)) == matrices_of(self.model)) return text;
  } catch (const FaultError&) {  // the files are others by now
  }
  return std::nullopt;
}

/// What the model was read from, with its parameters; its matrices, if it is made of another one.
std::string text_of(const LoadedModel& self) {
  if (!self.origin) return matrices_of(self.model);
  if (std::optional<std::string> text = text_of_file(self, *self.origin)) return *std::move(text);
  // Of Modelica parameters may have decided more than numbers.
  if (is_modelica_file(self.origin->path)) return matrices_of(self.model);
  return to_json(self.origin->reading.source(self.origin->set));
}

void write_fmu(const LoadedModel& self, const std::string& path, int version,
               const std::optional<std::vector<std::string>>& outputs, bool free_inputs,
               const std::vector<std::string>& interfaces, bool dae, const std::string& library) {
  const fmi::ExportOptions options{.version = version == 2 ? fmi::FmiVersion::two : fmi::FmiVersion::three,
                                   .outputs = outputs,
                                   .free_inputs = free_inputs ? fmi::FreeInputs::yes : fmi::FreeInputs::no,
                                   .dae = dae ? fmi::Dae::yes : fmi::Dae::no,
                                   .co_simulation = std::ranges::find(interfaces, "cs") != interfaces.end(),
                                   .model_exchange = std::ranges::find(interfaces, "me") != interfaces.end(),
                                   .library = library};
  fmi::export_fmu_of_text(text_of(self), std::filesystem::path(path).stem().string(), path, options);
}

}  // namespace

void bind_fmu(py::module_& module) {
  module.def("write_fmu", write_fmu, py::arg("model"), py::arg("path"), py::arg("version"),
             py::arg("outputs"), py::arg("free_inputs"), py::arg("interfaces"), py::arg("dae"),
             py::arg("library"), py::call_guard<py::gil_scoped_release>());
}

}  // namespace mti::python
