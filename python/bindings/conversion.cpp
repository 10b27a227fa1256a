#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/files/files.hpp"
#include "io/mat/exchange.hpp"
#include "io/model/write_model.hpp"
#include "io/modelica/read_modelica.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/common/fault.hpp"
#include "mti/lifting/interpolate_functions.hpp"
#include "mti/lifting/lift_functions.hpp"
#include "mti/printing/print.hpp"
#include "mti/reduction/cp_rank.hpp"
#include "mti/transform/discretise.hpp"
#include "mti/transform/reduce.hpp"
#include "mti/transform/scale_signals.hpp"
#include "python/bindings/loaded_model.hpp"
#include "python/bindings/module.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/multimode/jumping_states.hpp"
#include "solvers/reduced_index/reduced_index.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

using Loaded = std::shared_ptr<LoadedModel>;

Loaded loaded(Model model) { return std::make_shared<LoadedModel>(std::move(model)); }

DifferenceMethod method_of(const std::string& name) {
  for (const auto& [word, method] : {std::pair("forward-euler", DifferenceMethod::forward_euler),
                                     std::pair("trapezoidal", DifferenceMethod::trapezoidal),
                                     std::pair("backward-euler", DifferenceMethod::backward_euler)})
    if (name == word) return method;
  throw InvalidOption(
      "bad-option", "",
      "method: expected forward-euler, trapezoidal or backward-euler, found \"" + name + "\"");
}

/// The consistent point where the model starts; none for models that are refused whatever the point.
std::vector<double> start_of(const Model& model) {
  if (!model.transitions.empty()) return {};
  return start_of_run(model);
}

Loaded discrete(const LoadedModel& self, double sample_time, const std::string& method) {
  const Model& model = self.model;
  return loaded(discretise(model, sample_time, method_of(method),
                           model.is_discrete() ? std::vector<double>{} : start_of(model)));
}

Loaded continuous(const LoadedModel& self, const std::string& method) {
  const Model& model = self.model;
  return loaded(make_continuous(model, method_of(method),
                                model.is_discrete() ? start_of(model) : std::vector<double>{}));
}

Loaded lifted(const LoadedModel& self) {
  const Model& model = self.model;
  if (model.is_multilinear() && model.divisors.empty()) return loaded(model);
  return loaded(lift_functions(model, start_of_run(model), jumping_states(model)));
}

/// Text, ends of the range, lines and error of a function that has been replaced.
using Interpolated = std::tuple<std::string, double, double, int, double>;

std::pair<Loaded, std::vector<Interpolated>> interpolated(
    const LoadedModel& self, double tolerance,
    const std::map<std::string, std::pair<double, double>>& ranges) {
  InterpolationOptions options{.tolerance = tolerance};
  for (const auto& [name, range] : ranges) options.ranges.push_back({name, {range.first, range.second}});
  InterpolatedModel made = interpolate_functions(self.model, options);
  std::vector<Interpolated> functions;
  for (const InterpolatedFunction& of : made.functions)
    functions.emplace_back(of.text, of.range.low, of.range.high, of.lines, of.error);
  return {loaded(std::move(made.model)), std::move(functions)};
}

/// The reduced model, and what the eliminated signals are equal to.
std::pair<Loaded, std::vector<std::string>> reduced(const LoadedModel& self,
                                                    const std::vector<std::string>& keep, int growth) {
  Transformed result = reduce(self.model, {.keep = keep, .most_new_columns = growth});
  return {loaded(std::move(result.model)), eliminated_signals(result.recovery)};
}

/// With fewer columns, and the relative error of that.
std::pair<Loaded, double> of_smaller_rank(const LoadedModel& self, double tolerance) {
  ModelRankReduction result = reduce_rank(self.model, {.tolerance = tolerance});
  return {loaded(std::move(result.model)), result.relative_error};
}

Loaded scaled(const LoadedModel& self) {
  return loaded(scale_signals(self.model, nominal_scaling(self.model)).model);
}

/// What a model was made of, with its parameters; of one that was converted, its equations.
Source source_of(const LoadedModel& self) {
  return self.origin ? self.origin->reading.source(self.origin->set) : to_equations(self.model);
}

std::string with_reduced_index(const LoadedModel& self) { return to_json(reduced_index(source_of(self))); }

std::string modelica(const LoadedModel& self, bool reduces_index) {
  const Source source = source_of(self);
  return reduces_index ? to_modelica(reduced_index(source), source) : to_modelica(source);
}

/// Returns what there is to warn of.
std::vector<std::string> write(const LoadedModel& self, const std::string& path, bool equations) {
  if (is_mat_file(path)) {
    write_mat_model(self.model, {}, path);
    return mat_warnings(self.model);
  }
  if (is_modelica_file(path))
    write_file(path, modelica(self, false));
  else
    write_model(equations ? to_equations(self.model) : to_matrices(self.model), path);
  return {};
}

void write_with_reduced_index(const LoadedModel& self, const std::string& path) {
  write_file(path, is_modelica_file(path) ? modelica(self, true) : with_reduced_index(self));
}

}  // namespace

void bind_conversion(py::module_& module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  module.def("discretise", discrete, py::arg("model"), py::arg("sample_time"), py::arg("method"), Release());
  module.def("make_continuous", continuous, py::arg("model"), py::arg("method"), Release());
  module.def("lift", lifted, py::arg("model"), Release());
  module.def("interpolate", interpolated, py::arg("model"), py::arg("tolerance"), py::arg("ranges"),
             Release());
  module.def("reduce", reduced, py::arg("model"), py::arg("keep"), py::arg("growth"), Release());
  module.def("reduce_rank", of_smaller_rank, py::arg("model"), py::arg("tolerance"), Release());
  module.def("scale", scaled, py::arg("model"), Release());
  module.def("reduced_index", with_reduced_index, py::arg("model"), Release());
  module.def("write_reduced_index", write_with_reduced_index, py::arg("model"), py::arg("path"), Release());
  module.def("to_modelica", modelica, py::arg("model"), py::arg("reduced_index"), Release());
  module.def("write", write, py::arg("model"), py::arg("path"), py::arg("equations"), Release());
}

}  // namespace mti::python
