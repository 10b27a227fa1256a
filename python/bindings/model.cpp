#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/jacobian.hpp"
#include "mti/polynomials/interpolated_input.hpp"
#include "mti/printing/print.hpp"
#include "mti/printing/readable.hpp"
#include "mti/transform/scenario_start.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/loaded_model.hpp"
#include "python/bindings/module.hpp"
#include "solvers/linearization/absent_signals.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

using Loaded = std::shared_ptr<LoadedModel>;
using Names = std::vector<std::string>;

Reach reach_of(bool confine) { return confine ? Reach::own_folder : Reach::anywhere; }

Loaded read(const std::string& path, const Overrides& set, bool confine) {
  ReadModel reading = ReadModel::of_file(path, reach_of(confine));
  Model model = reading.model(set);
  return std::make_shared<LoadedModel>(
      std::move(model),
      LoadedModel::Origin{
          .reading = std::move(reading), .path = path, .set = set, .reach = reach_of(confine)});
}

Loaded build_text(const std::string& text, const std::string& directory, const Overrides& set, bool confine) {
  ReadModel reading = ReadModel::of_text(text, directory, reach_of(confine));
  Model model = reading.model(set);
  return std::make_shared<LoadedModel>(std::move(model), LoadedModel::Origin{.reading = std::move(reading),
                                                                             .text = text,
                                                                             .directory = directory,
                                                                             .set = set,
                                                                             .reach = reach_of(confine)});
}

/// With other values on top of those that were set, of what was read then: no file is looked at again.
Loaded bound(const LoadedModel& self, const Overrides& values) {
  LoadedModel::Origin origin = *self.origin;
  for (const auto& [name, value] : values) {
    std::erase_if(origin.set, [&name = name](const auto& known) { return known.first == name; });
    origin.set.emplace_back(name, value);
  }
  Model model = origin.reading.model(origin.set);
  return std::make_shared<LoadedModel>(std::move(model), std::move(origin));
}

/// (name, unit, nominal, start, auxiliary, binary) of each signal of a group.
template <class Start>
py::tuple signals(const std::vector<Signal>& group, const Start& start) {
  py::tuple result(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Signal& signal = group[i];
    result[i] =
        py::make_tuple(signal.name, signal.unit, signal.nominal, start(i), signal.auxiliary, signal.binary);
  }
  return result;
}

py::tuple states(const LoadedModel& self) {
  return signals(self.model.signature.states(), [&](std::size_t i) { return self.model.x_start[i]; });
}

py::tuple inputs(const LoadedModel& self) {
  const double t0 = self.model.experiment.start;
  return signals(self.model.signature.inputs(),
                 [&](std::size_t i) { return self.model.inputs[i].piece(t0).value(t0); });
}

py::tuple algebraic(const LoadedModel& self) {
  return signals(self.model.signature.algebraic(), [&](std::size_t i) { return self.model.y_start[i]; });
}

py::tuple binaries(const LoadedModel& self) {
  return signals(self.model.signature.binaries(),
                 [&](std::size_t i) { return static_cast<double>(self.model.z_start[i]); });
}

Names row_names(const LoadedModel& self) {
  Names names;
  for (int row = 0; row < self.model.signature.size(); ++row)
    names.push_back(self.model.signature.row_name(row));
  return names;
}

void check_length(std::span<const double> v, int expected) {
  if (v.size() != at(expected))
    throw InvalidOption("matrix-size", "",
                        "v: expected " + std::to_string(expected) +
                            " entries, one for each row of S, found " + std::to_string(v.size()));
}

py::array_t<double> value(const CpKernel& kernel, const Numbers& v) {
  const auto point = row_of(v, "v");
  check_length(point, kernel.signals());
  py::array_t<double> result(kernel.rows());
  kernel.value(point, {result.mutable_data(), static_cast<std::size_t>(result.size())});
  return result;
}

/// ∂f/∂v (or ∂g/∂v) at v, the columns of the rows `wrt` of S.
py::object jacobian(const LoadedModel& self, const Numbers& v, std::vector<int> wrt, bool of_g) {
  const auto point = row_of(v, "v");
  check_length(point, self.model.signature.size());
  Jacobian jacobian(of_g ? self.model.g() : self.model.f(), {std::move(wrt)});
  jacobian.evaluate(point);
  return sparse_array(jacobian.matrix(0));
}

/// v with the auxiliary algebraic signals that follow from it, but those of the rows `given`.
py::array_t<double> with_auxiliaries(const LoadedModel& self, const Numbers& v, const std::set<int>& given) {
  const auto point = row_of(v, "v");
  check_length(point, self.model.signature.size());
  std::vector<double> full(point.begin(), point.end());
  {
    const py::gil_scoped_release unlocked;
    const Signature& signature = self.model.signature;
    std::set<int> open;
    for (int i = 0; i < signature.p(); ++i)
      if (signature.algebraic()[at(i)].auxiliary && !given.contains(signature.algebraic_row(i)))
        open.insert(signature.algebraic_row(i));
    give_signals(self.model, std::move(open), full);
  }
  return py::array_t<double>(static_cast<py::ssize_t>(full.size()), full.data());
}

/// (column of S, "sin(a)") of each column that is a function of its one signal.
std::vector<std::pair<int, std::string>> functions(const LoadedModel& self) {
  std::vector<std::pair<int, std::string>> result;
  for (const FunctionColumn& function : self.model.functions)
    result.emplace_back(function.column, function.phi.text("a"));
  return result;
}

py::dict experiment(const LoadedModel& self) {
  const Experiment& experiment = self.model.experiment;
  py::dict result;
  result["start"] = experiment.start;
  result["stop"] = experiment.stop;
  result["rtol"] = experiment.rtol;
  result["atol"] = experiment.atol;
  result["output_interval"] = experiment.output_interval;
  result["fixed_start"] = experiment.fixed_start;
  return result;
}

std::string text(const LoadedModel& self, bool equations) {
  return to_json(equations ? to_equations(self.model) : to_matrices(self.model));
}

/// One text that names no files, and the values that were set.
std::optional<std::pair<std::string, Overrides>> made_of(const LoadedModel& self) {
  if (!self.origin) return std::nullopt;
  return std::pair(to_json(self.origin->reading.source()), self.origin->set);
}

/// For runs.
Loaded started(const LoadedModel& self, const std::string& scenario) {
  std::optional<LoadedModel::Origin> origin = self.origin;
  if (origin) origin->scenario = scenario;
  return std::make_shared<LoadedModel>(with_scenario(self.model, scenario), std::move(origin));
}

std::string printed(const LoadedModel& self, bool latex, int digits, std::size_t width) {
  const ReadableStyle style{.digits = digits, .width = width};
  return latex ? print_latex(self.model, style) : print_text(self.model, style);
}

/// Times and coefficients of the polynomials that agree with a function of Python. What it raises comes out.
std::pair<std::vector<double>, std::vector<std::vector<double>>> input_function(
    const std::function<double(double)>& u, double start, double stop, double tolerance,
    const std::vector<double>& kinks) {
  const PolynomialInput input = interpolated_input(u, start, stop, tolerance, kinks);
  std::vector<std::vector<double>> pieces;
  const std::ptrdiff_t width = input.degree + 1;
  for (auto piece = input.coefficients->begin(); piece != input.coefficients->end(); piece += width)
    pieces.emplace_back(piece, piece + width);
  return {input.time, std::move(pieces)};
}

}  // namespace

void bind_model(py::module_& module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  py::class_<LoadedModel, Loaded>(module, "Model")
      .def_property_readonly("name", [](const LoadedModel& self) { return self.model.name; })
      .def_property_readonly("description", [](const LoadedModel& self) { return self.model.description; })
      .def_property_readonly("sample_time", [](const LoadedModel& self) { return self.model.sample_time; })
      .def_property_readonly("states", states)
      .def_property_readonly("inputs", inputs)
      .def_property_readonly("algebraic", algebraic)
      .def_property_readonly("binaries", binaries)
      .def_property_readonly("pre", [](const LoadedModel& self) { return self.model.signature.pre(); })
      .def_property_readonly("row_names", row_names)
      .def_property_readonly("equation_names",
                             [](const LoadedModel& self) { return self.model.equation_names; })
      .def_property_readonly("constraint_names",
                             [](const LoadedModel& self) { return self.model.constraint_names; })
      .def_property_readonly("experiment", experiment)
      .def_property_readonly(
          "S", [](py::object self) { return sparse_view(self.cast<const LoadedModel&>().model.S, self); })
      .def_property_readonly(
          "Phi_eq",
          [](py::object self) { return sparse_view(self.cast<const LoadedModel&>().model.Phi_eq, self); })
      .def_property_readonly(
          "Phi_ineq",
          [](py::object self) { return sparse_view(self.cast<const LoadedModel&>().model.Phi_ineq, self); })
      .def_property_readonly("functions", functions)
      .def("f", [](const LoadedModel& self, const Numbers& v) { return value(self.f(), v); })
      .def("g", [](const LoadedModel& self, const Numbers& v) { return value(self.g(), v); })
      .def("jacobian", jacobian, py::arg("v"), py::arg("wrt"), py::arg("of_g"))
      .def("with_auxiliaries", with_auxiliaries, py::arg("v"), py::arg("given"))
      .def("bound", bound, py::arg("set"), Release())
      .def_property_readonly("may_be_bound", [](const LoadedModel& self) { return self.origin.has_value(); })
      .def("made_of", made_of, Release())
      .def("started", started, py::arg("scenario"), Release())
      .def("text", text, py::arg("equations"), Release())
      .def("printed", printed, py::arg("latex"), py::arg("digits"), py::arg("width"), Release());
  module.def("input_function", input_function, py::arg("u"), py::arg("start"), py::arg("stop"),
             py::arg("tolerance"), py::arg("kinks"));
  module.def("read", read, py::arg("path"), py::arg("set"), py::arg("confine"), Release());
  module.def("build_text", build_text, py::arg("text"), py::arg("directory"), py::arg("set"),
             py::arg("confine"), Release());
}

}  // namespace mti::python
