#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <complex>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "io/analysis/mode_text.hpp"
#include "io/analysis/write_linearization.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/loaded_model.hpp"
#include "python/bindings/module.hpp"
#include "solvers/linearization/linearize.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

using Result = std::shared_ptr<Linearization>;

/// As of `mti linearize`: points of the run, or a mode at the start or at points of the run.
std::vector<LinearizationPoint> points(const Model& model, const std::vector<double>& times, bool events,
                                       const std::optional<std::string>& mode_text, bool as_given,
                                       const std::stop_token& stop_token) {
  if (!mode_text) return points_of_run(model, {.times = times, .events = events, .stop_token = stop_token});
  const Mode mode = parse_mode(model, *mode_text);
  std::vector<LinearizationPoint> result;
  if (times.empty())
    result.push_back(start_point(model, mode));
  else
    result = points_of_run(model, {.times = times, .stop_token = stop_token});
  for (LinearizationPoint& point : result) {
    point = in_mode(model, std::move(point), mode);
    if (!as_given) point = consistent_point(model, std::move(point));
  }
  return result;
}

std::vector<Result> linearize_model(const LoadedModel& loaded, const std::vector<double>& times, bool events,
                                    const std::optional<std::string>& mode, bool as_given,
                                    std::optional<int> eigenvalues, std::complex<double> near,
                                    bool participation) {
  LinearizationOptions options;
  options.with_eigenvalues = eigenvalues != 0;
  options.eigenvalues.count = eigenvalues;
  options.eigenvalues.near = near;
  options.eigenvalues.participation = participation;
  std::vector<Result> results;
  interruptibly_or_raise([&](const std::stop_token& stop_token) {
    for (const LinearizationPoint& point : points(loaded.model, times, events, mode, as_given, stop_token)) {
      results.push_back(std::make_shared<Linearization>(linearize(loaded.model, point, options)));
      if (stop_token.stop_requested()) return;
    }
  });
  return results;
}

template <SparseColumns Linearization::*matrix>
py::object matrix_of(const py::object& self) {
  return sparse_view(self.cast<const Linearization&>().*matrix, self);
}

/// [(eigenvalue, residual, condition, {unknown: share}), …].
py::list details(const Linearization& self) {
  py::list result;
  for (const Eigenvalue& eigenvalue : self.eigenvalue_details) {
    py::dict shares;
    for (const Participation& share : eigenvalue.participation)
      shares[py::str(self.unknowns[at(share.unknown)])] = share.share;
    result.append(py::make_tuple(eigenvalue.value, eigenvalue.residual, eigenvalue.condition, shares));
  }
  return result;
}

/// (A, B, C, D, states, inputs, outputs).
py::tuple eliminated(const Linearization& self) {
  StateSpaceForm form;
  {
    const py::gil_scoped_release unlocked;
    form = state_space(self);
  }
  return py::make_tuple(sparse_array(std::move(form.A)), sparse_array(std::move(form.B)),
                        sparse_array(std::move(form.C)), sparse_array(std::move(form.D)), form.states,
                        form.inputs, form.outputs);
}

}  // namespace

void bind_linearization(py::module_& module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  py::class_<Linearization, Result>(module, "Linearization")
      .def_readonly("time", &Linearization::time)
      .def_readonly("side", &Linearization::side)
      .def_property_readonly("v",
                             [](const py::object& self) {
                               return view(std::span<const double>(self.cast<const Linearization&>().v),
                                           self);
                             })
      .def_readonly("states", &Linearization::states)
      .def_property_readonly("E", matrix_of<&Linearization::E>)
      .def_property_readonly("A", matrix_of<&Linearization::A>)
      .def_property_readonly("B", matrix_of<&Linearization::B>)
      .def_property_readonly("C", matrix_of<&Linearization::C>)
      .def_property_readonly("D", matrix_of<&Linearization::D>)
      .def_readonly("equations", &Linearization::equations)
      .def_readonly("unknowns", &Linearization::unknowns)
      .def_readonly("inputs", &Linearization::inputs)
      .def_readonly("outputs", &Linearization::outputs)
      .def_readonly("residual", &Linearization::residual)
      .def_readonly("residual_equation", &Linearization::residual_equation)
      .def_readonly("on_boundary", &Linearization::on_boundary)
      .def_readonly("violated", &Linearization::violated)
      .def_readonly("eigenvalues", &Linearization::eigenvalues)
      .def_readonly("eigenvalues_computed", &Linearization::eigenvalues_computed)
      .def_readonly("eigenvalues_note", &Linearization::eigenvalues_note)
      .def_property_readonly("eigenvalue_details", details)
      .def("state_space", eliminated)
      .def(
          "text",
          [](const Linearization& self, const LoadedModel& model) {
            return linearization_text(model.model, self);
          },
          py::arg("model"), Release());
  module.def("linearize", linearize_model, py::arg("model"), py::kw_only(), py::arg("times"),
             py::arg("events"), py::arg("mode"), py::arg("as_given"), py::arg("eigenvalues"), py::arg("near"),
             py::arg("participation"));
}

}  // namespace mti::python
