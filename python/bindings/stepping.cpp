#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/json/writer.hpp"
#include "io/report/report_rows.hpp"
#include "io/runs/saved_run_text.hpp"
#include "io/runs/write_events.hpp"
#include "mti/common/at.hpp"
#include "python/bindings/finished_run.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/options.hpp"
#include "solvers/stepping/run.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// A run with the model and the options it was made of. An advance may be shorter than it takes to start a thread:
/// signals are looked at by the run itself, where it tells of its progress.
class SteppedRun {
 public:
  SteppedRun(std::shared_ptr<LoadedModel> model, const py::dict& words,
             const std::optional<std::string>& saved)
      : model_(std::move(model)), options_(options_of(words)) {
    options_.progress = [](double) {
      const py::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    };
    const py::gil_scoped_release unlocked;
    if (saved)
      run_.emplace(model_->model, options_, read_saved_run(model_->model, *saved));
    else
      run_.emplace(model_->model, options_);
    past_.resize(model_->model.inputs.size());
    for (std::size_t i = 0; saved && i < past_.size(); ++i)
      past_[i].push_back({-std::numeric_limits<double>::infinity(), 0, run_->model().inputs[i]});
  }

  std::string advance(double t) {
    set_.clear();
    const py::gil_scoped_release unlocked;
    return word_of(run().advance(t));
  }
  std::string settle() {
    set_.clear();
    const py::gil_scoped_release unlocked;
    return word_of(run().settle());
  }
  void set_input(int i, double value, double slope) {
    run().set_input(i, value, slope);
    if (run().ended()) return;
    set_[model_->model.signature.input_row(i)] = value;
    const std::string& name = model_->model.signature.inputs()[at(i)].name;
    for (std::size_t k = 0; k < past_.size(); ++k) {
      const Input& input = run().model().inputs[k];
      const auto* pulses = std::get_if<PulseWidthInput>(&input.form());
      if (k == at(i) || (pulses != nullptr && pulses->duty_name == name))
        past_[k].push_back({run().time(), run().trajectory().size(), input});
    }
  }
  py::bytes save() {
    set_.clear();
    return write_saved_run(model_->model, run().save());
  }

  [[nodiscard]] double time() { return run().time(); }
  [[nodiscard]] bool ended() { return run().ended(); }
  [[nodiscard]] std::string outcome() { return to_string(run().outcome().kind); }
  [[nodiscard]] std::string message() { return run().outcome().message; }
  /// Of an input what was set, though nothing of what follows from it is decided yet.
  [[nodiscard]] double value(int row) {
    const auto v = run().v();
    if (const auto set = set_.find(row); set != set_.end()) return set->second;
    if (row < 0 || row >= static_cast<int>(v.size())) throw py::index_error("no such row of v");
    return v[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] py::array_t<double> v() {
    const auto v = run().v();
    return py::array_t<double>(static_cast<py::ssize_t>(v.size()), v.data());
  }
  [[nodiscard]] std::vector<int> mode() {
    const std::vector<char>& z = run().mode().z;
    return {z.begin(), z.end()};
  }
  [[nodiscard]] std::optional<std::string> event_json() {
    const Event* event = run().event();
    if (event == nullptr) return std::nullopt;
    json::Writer out(json::Writer::Layout::in_line);
    write_event(out, model_->model, *event, WithExplanation::yes);
    return std::move(out).finish();
  }
  [[nodiscard]] std::shared_ptr<FinishedRun> finish() {
    Trajectory trajectory = run().finish();
    const std::shared_ptr<const LoadedModel> model = model_of(trajectory);
    auto finished = std::make_shared<FinishedRun>(FinishedRun{model, options_, std::move(trajectory)});
    run_.reset();
    return finished;
  }

 private:
  static std::string word_of(StepEnd end) {
    return end == StepEnd::event ? "event" : end == StepEnd::ended ? "ended" : "reached";
  }
  /// An input from where it was set: the time, and how many rows there were.
  struct SetInput {
    double from;
    std::size_t rows;
    Input input;
  };

  /// The model, with inputs that were set as tables of what they were at the rows.
  [[nodiscard]] std::shared_ptr<const LoadedModel> model_of(const Trajectory& trajectory) const {
    if (trajectory.size() == 0 || std::ranges::all_of(past_, [](const auto& past) { return past.empty(); }))
      return model_;
    Model model = model_->model;
    for (std::size_t i = 0; i < past_.size(); ++i)
      if (!past_[i].empty()) model.inputs[i] = Input(table_of(static_cast<int>(i), trajectory));
    return std::make_shared<const LoadedModel>(std::move(model), model_->origin);
  }

  /// A jump where it was set between two samples of discrete time counts from the sample that is solved next.
  [[nodiscard]] TableInput table_of(int i, const Trajectory& trajectory) const {
    const bool is_discrete = model_->model.is_discrete();
    Model model = model_->model;  // with one input after the other, as it was set
    TableInput table;
    if (is_discrete || model.signature.inputs()[at(i)].binary) table.interpolation = Interpolation::previous;
    std::size_t next = 0;
    const std::vector<SetInput>& past = past_[at(i)];
    const auto add = [&](double t, int side) {
      table.time.push_back(t);
      table.value.push_back(input_at(model, i, t, side));
    };
    for (std::size_t row = 0; row < trajectory.size(); ++row) {
      const double t = trajectory.time(row);
      if (row > 0 && t == trajectory.time(row - 1)) continue;
      const auto take = [&](bool up_to_t) {
        for (; next < past.size() && (is_discrete ? past[next].rows <= row
                                                  : past[next].from < t || (up_to_t && past[next].from == t));
             ++next)
          model.inputs[at(i)] = past[next].input;
      };
      take(false);
      if (!is_discrete) add(t, -1);
      take(true);
      add(t, 0);
    }
    return table;
  }

  Run& run() {
    if (!run_) throw py::value_error("the run is finished");
    return *run_;
  }

  std::shared_ptr<LoadedModel> model_;
  SimulationOptions options_;
  std::optional<Run> run_;
  std::map<int, double> set_;                ///< inputs since the run stood still, by row of v
  std::vector<std::vector<SetInput>> past_;  ///< by input
};

}  // namespace

void bind_stepping(py::module_& module) {
  py::class_<SteppedRun>(module, "Run")
      .def(py::init<std::shared_ptr<LoadedModel>, const py::dict&, const std::optional<std::string>&>(),
           py::arg("model").none(false), py::arg("options"), py::arg("saved"))
      .def("advance", &SteppedRun::advance, py::arg("t"))
      .def("settle", &SteppedRun::settle)
      .def("set_input", &SteppedRun::set_input, py::arg("i"), py::arg("value"), py::arg("slope"))
      .def("save", &SteppedRun::save)
      .def("finish", &SteppedRun::finish)
      .def("value", &SteppedRun::value, py::arg("row"))
      .def("event_json", &SteppedRun::event_json)
      .def_property_readonly("mode", &SteppedRun::mode)
      .def_property_readonly("v", &SteppedRun::v)
      .def_property_readonly("time", &SteppedRun::time)
      .def_property_readonly("ended", &SteppedRun::ended)
      .def_property_readonly("outcome", &SteppedRun::outcome)
      .def_property_readonly("message", &SteppedRun::message);
}

}  // namespace mti::python
