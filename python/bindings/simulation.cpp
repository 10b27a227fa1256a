#include <pybind11/stl.h>

#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/transform/scenario_start.hpp"
#include "python/bindings/finished_run.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/options.hpp"
#include "python/bindings/told_progress.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// The model with derivatives: built once more of what was read, for its matrices do not hold its parameters.
DifferentiatedModel differentiate(const LoadedModel& model, const std::vector<std::string>& names) {
  if (!model.origin)
    throw InvalidOption(
        "bad-option", "sensitivities",
        "the model is made of another one and holds no parameters: differentiate the one it is from");
  DifferentiatedModel differentiated = model.origin->reading.with_derivatives(names, model.origin->set);
  if (!model.origin->scenario) return differentiated;
  return with_scenario(std::move(differentiated), *model.origin->scenario);
}

/// (run, what a handler of signals has raised or None).
py::tuple simulate_model(std::shared_ptr<LoadedModel> model, const py::dict& words,
                         const py::object& progress) {
  SimulationOptions options = options_of(words);
  if (const std::vector<std::string> names = sensitivities_of(words); !names.empty()) {
    DifferentiatedModel differentiated = differentiate(*model, names);
    options.sensitivities = std::move(differentiated.derivatives);
    model = std::make_shared<LoadedModel>(std::move(differentiated.model), model->origin);
  }
  auto run = std::make_shared<FinishedRun>(FinishedRun{model, options, {}});
  ToldProgress told(progress);
  if (told.is_wanted()) options.progress = [&told](double time) { told(time); };
  auto raised = interruptibly([&](const std::stop_token& stop_token) {
    const auto linked = told.ends_with(stop_token);
    options.stop_token = told.token();
    run->trajectory = simulate(model->model, options);
  });
  if (!raised) raised = told.raised();
  return py::make_tuple(run, raised ? py::object(raised->value()) : py::object(py::none()));
}

}  // namespace

void bind_simulation(py::module_& module) {
  module.def("simulate", simulate_model, py::arg("model").none(false), py::arg("options"),
             py::arg("progress"));
}

}  // namespace mti::python
