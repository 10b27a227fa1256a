#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "mti/common/fault.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/finished_run.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/module.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// The choice that is called `name`, in the words of the program.
template <class Choice, std::size_t count>
Choice chosen(const char* option, const std::string& name,
              const std::array<std::pair<const char*, Choice>, count>& choices) {
  std::string known;
  for (const auto& [word, choice] : choices) {
    if (name == word) return choice;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  throw InvalidOption("bad-option", "",
                      std::string(option) + ": expected one of " + known + ", found \"" + name + "\"");
}

IntegratorChoice integrator_of(const std::string& name) {
  using enum IntegratorChoice;
  return chosen<IntegratorChoice, 4>(
      "integrator", name, {{{"auto", automatic}, {"series", series}, {"flow", flow}, {"ida", ida}}});
}

LinearSolver linear_solver_of(const std::string& name) {
  using enum LinearSolver;
  return chosen<LinearSolver, 3>("linear_solver", name,
                                 {{{"auto", automatic}, {"dense", dense}, {"klu", klu}}});
}

using Time = std::optional<double>;

/// (run, what a handler of signals has raised or None).
py::tuple simulate_model(std::shared_ptr<LoadedModel> model, Time start, Time stop, Time rtol, Time atol,
                         Time output_interval, const std::optional<Numbers>& t_eval, Time max_seconds,
                         long max_events, long max_candidates, bool sliding, bool remember, bool dense,
                         bool explain, const std::string& integrator, const std::string& linear_solver,
                         const py::object& progress) {
  SimulationOptions options;
  options.start = start;
  options.stop = stop;
  options.rtol = rtol;
  options.atol = atol;
  options.output_interval = output_interval;
  if (t_eval) {
    const auto times = row_of(*t_eval, "t_eval");
    options.output_times.assign(times.begin(), times.end());
  }
  options.max_seconds = max_seconds.value_or(std::numeric_limits<double>::infinity());
  options.max_events = max_events;
  options.max_candidates = max_candidates;
  options.sliding = sliding;
  options.remember = remember;
  options.dense = dense;
  options.explain = explain;
  options.integrator = integrator_of(integrator);
  options.linear_solver = linear_solver_of(linear_solver);
  options.warn = [](const std::string&) {};  // they stand in the trajectory
  auto run = std::make_shared<FinishedRun>(FinishedRun{model, options, {}});
  if (!progress.is_none())
    options.progress = [&progress](double time) {
      const py::gil_scoped_acquire locked;
      progress(time);
    };
  const auto raised = interruptibly([&](std::stop_token stop_token) {
    options.stop_token = std::move(stop_token);
    run->trajectory = simulate(model->model, options);
  });
  return py::make_tuple(run, raised ? py::object(raised->value()) : py::object(py::none()));
}

}  // namespace

void bind_simulation(py::module_& module) {
  module.def("simulate", simulate_model, py::arg("model").none(false), py::kw_only(), py::arg("start"),
             py::arg("stop"), py::arg("rtol"), py::arg("atol"), py::arg("output_interval"), py::arg("t_eval"),
             py::arg("max_seconds"), py::arg("max_events"), py::arg("max_candidates"), py::arg("sliding"),
             py::arg("remember"), py::arg("dense"), py::arg("explain"), py::arg("integrator"),
             py::arg("linear_solver"), py::arg("progress"));
}

}  // namespace mti::python
