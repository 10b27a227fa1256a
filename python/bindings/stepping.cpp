#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "io/json/writer.hpp"
#include "io/runs/saved_run_text.hpp"
#include "io/runs/write_events.hpp"
#include "mti/common/at.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/finished_run.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/options.hpp"
#include "solvers/linearization/linearize.hpp"
#include "solvers/stepping/run.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// A run belongs to one thread at a time: another one, for which Python is free while it goes on, is told so.
class Use {
 public:
  explicit Use(std::atomic<bool>& taken) : taken_(taken) {
    if (taken_.exchange(true))
      throw std::runtime_error("a run belongs to one thread at a time, and another one is at work with it");
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { taken_ = false; }

 private:
  std::atomic<bool>& taken_;
};

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
    options_.warn = [this](const std::string& warning) { warnings_.push_back(warning); };
    const py::gil_scoped_release unlocked;
    if (saved)
      run_.emplace(model_->model, options_, read_saved_run(model_->model, *saved));
    else
      run_.emplace(model_->model, options_);
  }

  std::string advance(double t) {
    const Use use(taken_);
    set_.clear();
    const py::gil_scoped_release unlocked;
    return word_of(run().advance(t));
  }
  std::string settle() {
    const Use use(taken_);
    set_.clear();
    const py::gil_scoped_release unlocked;
    return word_of(run().settle());
  }
  void set_input(int i, double value, double slope) {
    const Use use(taken_);
    {
      const py::gil_scoped_release unlocked;
      run().set_input(i, value, slope);
    }
    if (!run().ended()) set_[model_->model.signature.input_row(i)] = value;
  }
  void set_parameters(std::shared_ptr<LoadedModel> bound) {
    const Use use(taken_);
    {
      const py::gil_scoped_release unlocked;
      run().set_parameters(bound->model);
    }
    model_ = std::move(bound);
  }
  py::bytes save() {
    const Use use(taken_);
    set_.clear();
    std::string saved;
    {
      const py::gil_scoped_release unlocked;
      saved = write_saved_run(model_->model, run().save());
    }
    return saved;
  }

  /// Told since they were last asked for.
  [[nodiscard]] std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  [[nodiscard]] bool finished() const { return !run_; }
  [[nodiscard]] double time() { return run().time(); }
  [[nodiscard]] bool ended() { return run().ended(); }
  [[nodiscard]] std::string outcome() {
    const Use use(taken_);
    return to_string(run().outcome().kind);
  }
  [[nodiscard]] std::string message() {
    const Use use(taken_);
    return run().outcome().message;
  }
  /// Of an input what was set, though nothing of what follows from it is decided yet.
  [[nodiscard]] double value(int row) {
    const Use use(taken_);
    const auto v = run().v();
    if (const auto set = set_.find(row); set != set_.end()) return set->second;
    if (row < 0 || row >= static_cast<int>(v.size())) throw py::index_error("no such row of v");
    return v[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] py::array_t<double> v() {
    const Use use(taken_);
    const auto v = run().v();
    return py::array_t<double>(static_cast<py::ssize_t>(v.size()), v.data());
  }
  /// At `t` and `x` in place of where the run stands.
  [[nodiscard]] py::array_t<double> derivative(std::optional<double> t,
                                               const std::optional<std::vector<double>>& x) {
    const Use use(taken_);
    std::vector<double> rates;
    {
      const py::gil_scoped_release unlocked;
      const Signature& signature = run().model().signature;
      const auto here = run().v().subspan(at(signature.n()), at(signature.n()));
      const std::vector<double> states = x.value_or(std::vector<double>(here.begin(), here.end()));
      const auto found = t || x ? run().derivative(t.value_or(run().time()), states) : run().derivative();
      rates.assign(found.begin(), found.end());
    }
    return py::array_t<double>(static_cast<py::ssize_t>(rates.size()), rates.data());
  }
  [[nodiscard]] py::object derivative_jacobian() {
    const Use use(taken_);
    SparseColumns jacobian;
    {
      const py::gil_scoped_release unlocked;
      jacobian = run().derivative_jacobian();
    }
    return sparse_array(std::move(jacobian));
  }
  [[nodiscard]] std::shared_ptr<Linearization> linearize() {
    const Use use(taken_);
    const py::gil_scoped_release unlocked;
    return std::make_shared<Linearization>(run().linearize());
  }
  [[nodiscard]] std::vector<int> mode() {
    const Use use(taken_);
    const std::vector<char>& z = run().mode().z;
    return {z.begin(), z.end()};
  }
  [[nodiscard]] std::optional<std::string> event_json() {
    const Use use(taken_);
    const Event* event = run().event();
    if (event == nullptr) return std::nullopt;
    json::Writer out(json::Writer::Layout::in_line);
    write_event(out, model_->model, *event, WithExplanation::yes);
    return std::move(out).finish();
  }
  [[nodiscard]] std::shared_ptr<FinishedRun> finish() {
    const Use use(taken_);
    const py::gil_scoped_release unlocked;
    Trajectory trajectory = run().finish();
    auto finished = std::make_shared<FinishedRun>(FinishedRun{model_, options_, std::move(trajectory)});
    run_.reset();
    return finished;
  }

 private:
  static std::string word_of(StepEnd end) {
    return end == StepEnd::event ? "event" : end == StepEnd::ended ? "ended" : "reached";
  }
  Run& run() {
    if (!run_) throw py::value_error("the run is finished");
    return *run_;
  }

  std::atomic<bool> taken_ = false;
  std::shared_ptr<LoadedModel> model_;
  SimulationOptions options_;
  std::vector<std::string> warnings_;
  std::optional<Run> run_;
  std::map<int, double> set_;  ///< inputs since the run stood still, by row of v
};

}  // namespace

void bind_stepping(py::module_& module) {
  py::class_<SteppedRun>(module, "Run")
      .def(py::init<std::shared_ptr<LoadedModel>, const py::dict&, const std::optional<std::string>&>(),
           py::arg("model").none(false), py::arg("options"), py::arg("saved"))
      .def("advance", &SteppedRun::advance, py::arg("t"))
      .def("settle", &SteppedRun::settle)
      .def("set_input", &SteppedRun::set_input, py::arg("i"), py::arg("value"), py::arg("slope"))
      .def("set_parameters", &SteppedRun::set_parameters, py::arg("bound").none(false))
      .def("derivative", &SteppedRun::derivative, py::arg("t"), py::arg("x"))
      .def("derivative_jacobian", &SteppedRun::derivative_jacobian)
      .def("linearize", &SteppedRun::linearize)
      .def("save", &SteppedRun::save)
      .def("take_warnings", &SteppedRun::take_warnings)
      .def("finish", &SteppedRun::finish)
      .def("value", &SteppedRun::value, py::arg("row"))
      .def("event_json", &SteppedRun::event_json)
      .def_property_readonly("mode", &SteppedRun::mode)
      .def_property_readonly("v", &SteppedRun::v)
      .def_property_readonly("finished", &SteppedRun::finished)
      .def_property_readonly("time", &SteppedRun::time)
      .def_property_readonly("ended", &SteppedRun::ended)
      .def_property_readonly("outcome", &SteppedRun::outcome)
      .def_property_readonly("message", &SteppedRun::message);
}

}  // namespace mti::python
