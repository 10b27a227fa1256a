#include <memory>
#include <stop_token>
#include <utility>

#include "python/bindings/finished_run.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/options.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// (run, what a handler of signals has raised or None).
py::tuple simulate_model(std::shared_ptr<LoadedModel> model, const py::dict& words,
                         const py::object& progress) {
  SimulationOptions options = options_of(words);
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
  module.def("simulate", simulate_model, py::arg("model").none(false), py::arg("options"),
             py::arg("progress"));
}

}  // namespace mti::python
