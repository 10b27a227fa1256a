#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/json/writer.hpp"
#include "io/report/report_rows.hpp"
#include "io/results/write_results.hpp"
#include "io/runs/write_events.hpp"
#include "mti/common/at.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/finished_run.hpp"
#include "python/bindings/module.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

const Trajectory& trajectory_of(const py::object& self) { return self.cast<const FinishedRun&>().trajectory; }

py::array times(const py::object& self) { return view(trajectory_of(self).times(), self); }
py::array sides(const py::object& self) { return view(trajectory_of(self).sides(), self); }

/// One row for each time, one column for each signal.
py::array values(const py::object& self) {
  const Trajectory& trajectory = trajectory_of(self);
  return view(trajectory.values(), self,
              {static_cast<py::ssize_t>(trajectory.size()), static_cast<py::ssize_t>(trajectory.columns())});
}

/// One row for each time, one column for each input of the model.
py::array input_values(const py::object& self) {
  const Trajectory& trajectory = trajectory_of(self);
  return view(trajectory.input_values(), self,
              {static_cast<py::ssize_t>(trajectory.size()), static_cast<py::ssize_t>(trajectory.inputs())});
}

/// One row for each time, signals × parameters.
py::array sensitivity_values(const py::object& self) {
  const Trajectory& trajectory = trajectory_of(self);
  const SensitivityTable& table = trajectory.sensitivities;
  return view(table.values(), self,
              {table.empty() ? 0 : static_cast<py::ssize_t>(trajectory.size()),
               static_cast<py::ssize_t>(table.signals().size()),
               static_cast<py::ssize_t>(table.parameters().size())});
}

/// One row for each event, one column for each parameter.
py::array_t<double> event_sensitivities(const FinishedRun& self) {
  const std::vector<Event>& events = self.trajectory.events;
  const std::size_t parameters = self.trajectory.sensitivities.parameters().size();
  py::array_t<double> result({static_cast<py::ssize_t>(events.size()), static_cast<py::ssize_t>(parameters)});
  for (std::size_t i = 0; i < events.size(); ++i)
    std::copy_n(events[i].sensitivity.begin(), parameters, result.mutable_data() + i * parameters);
  return result;
}

py::array end_point(const py::object& self) {
  return view(std::span<const double>(trajectory_of(self).end_point), self);
}

py::array_t<double> event_times(const FinishedRun& self) {
  const std::vector<Event>& events = self.trajectory.events;
  py::array_t<double> result(static_cast<py::ssize_t>(events.size()));
  for (std::size_t i = 0; i < events.size(); ++i) result.mutable_data()[i] = events[i].time;
  return result;
}

/// An event as events.json has it.
std::string event_json(const FinishedRun& self, std::size_t i) {
  json::Writer out(json::Writer::Layout::in_line);
  write_event(out, self.model->model, self.trajectory.events.at(i), WithExplanation::yes,
              self.trajectory.sensitivities.parameters());
  return std::move(out).finish();
}

/// All signals at times, of an array with one row for each signal.
py::array_t<double> dense_values(const FinishedRun& self, const Numbers& times, bool from_left) {
  const auto t = row_of(times, "t");
  const std::size_t columns = self.trajectory.columns();
  py::array_t<double> result({static_cast<py::ssize_t>(columns), times.size()});
  double* const out = result.mutable_data();
  for (std::size_t k = 0; k < t.size(); ++k) {
    const auto column = self.trajectory.at(t[k], from_left ? Side::left : Side::right);
    for (std::size_t c = 0; c < columns; ++c) out[c * t.size() + k] = column[c];
  }
  return result;
}

std::string summary(const FinishedRun& self) {
  return summary_json(self.model->model, self.trajectory, self.options);
}

void write(const FinishedRun& self, const std::string& directory, bool report) {
  write_results(directory, self.model->model, self.trajectory, self.options,
                report ? WithReport::yes : WithReport::no);
}

void write_mat(const FinishedRun& self, const std::string& path) {
  write_mat_results(self.model->model, self.trajectory, path);
}

}  // namespace

void bind_results(py::module_& module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  const auto outcome = [](auto member) {
    return [member](const FinishedRun& self) { return self.trajectory.outcome.*member; };
  };
  py::class_<FinishedRun, std::shared_ptr<FinishedRun>>(module, "Trajectory")
      .def_property_readonly("names", [](const FinishedRun& self) { return self.trajectory.names(); })
      .def_property_readonly("times", times)
      .def_property_readonly("sides", sides)
      .def_property_readonly("values", values)
      .def_property_readonly("inputs", input_values)
      .def_property_readonly("end_point", end_point)
      .def_property_readonly(
          "sensitivity_parameters",
          [](const FinishedRun& self) { return self.trajectory.sensitivities.parameters(); })
      .def_property_readonly("sensitivity_signals",
                             [](const FinishedRun& self) { return self.trajectory.sensitivities.signals(); })
      .def_property_readonly("sensitivity_values", sensitivity_values)
      .def_property_readonly("event_sensitivities", event_sensitivities)
      .def_property_readonly("outcome",
                             [](const FinishedRun& self) { return to_string(self.trajectory.outcome.kind); })
      .def_property_readonly("message", outcome(&Outcome::message))
      .def_property_readonly("end_time", outcome(&Outcome::end_time))
      .def_property_readonly("warnings", [](const FinishedRun& self) { return self.trajectory.warnings; })
      .def_property_readonly("event_count",
                             [](const FinishedRun& self) { return self.trajectory.events.size(); })
      .def_property_readonly("has_dense",
                             [](const FinishedRun& self) { return !self.trajectory.dense.empty(); })
      .def_property_readonly("event_times", event_times)
      .def("event_json", event_json, py::arg("index"))
      .def("dense_values", dense_values, py::arg("t"), py::arg("from_left"))
      .def("summary_json", summary, Release())
      .def(
          "csv", [](const FinishedRun& self) { return trajectory_csv(self.model->model, self.trajectory); },
          Release())
      .def("write", write, py::arg("directory"), py::arg("report"), Release())
      .def("write_mat", write_mat, py::arg("path"), Release());
}

}  // namespace mti::python
