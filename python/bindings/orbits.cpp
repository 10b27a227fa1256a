#include <pybind11/stl.h>

#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "io/analysis/mode_text.hpp"
#include "io/analysis/write_equilibria.hpp"
#include "io/orbits/write_branch.hpp"
#include "io/orbits/write_orbit.hpp"
#include "mti/common/fault.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/loaded_model.hpp"
#include "python/bindings/module.hpp"
#include "solvers/equilibria/equilibrium.hpp"
#include "solvers/orbits/orbit_branch.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

OrbitOptions orbit_options_of(double period_guess, const std::optional<std::string>& section,
                              std::optional<double> settle, std::optional<double> rtol,
                              std::optional<double> atol, std::optional<double> max_seconds) {
  OrbitOptions options{.period_guess = period_guess, .section = section, .settle = settle};
  options.simulation.rtol = rtol;
  options.simulation.atol = atol;
  if (max_seconds) options.simulation.max_seconds = *max_seconds;
  return options;
}

std::string orbit(const LoadedModel& loaded, double period_guess, const std::optional<std::string>& section,
                  std::optional<double> settle, std::optional<double> rtol, std::optional<double> atol,
                  std::optional<double> max_seconds) {
  OrbitOptions options = orbit_options_of(period_guess, section, settle, rtol, atol, max_seconds);
  std::string text;
  interruptibly_or_raise([&](std::stop_token stop_token) {
    options.simulation.stop_token = std::move(stop_token);
    text = orbit_json(loaded.model, find_orbit(loaded.model, options));
  });
  return text;
}

std::string branch(const LoadedModel& loaded, const std::string& parameter, double from, double to, int steps,
                   double period_guess, const std::optional<std::string>& section,
                   std::optional<double> settle, std::optional<double> rtol, std::optional<double> atol,
                   std::optional<double> max_seconds) {
  if (!loaded.origin)
    throw InvalidOption(
        "bad-option", "parameter",
        "the model is made of another one and holds no parameters: follow orbits of the one it is from");
  BranchOptions options{.orbit = orbit_options_of(period_guess, section, settle, rtol, atol, max_seconds),
                        .from = from,
                        .to = to,
                        .steps = steps};
  const ModelOfParameter model_at = [&](double value) {
    return loaded.origin->reading.with_derivatives(
        {parameter}, with_value(loaded.origin->set, overridden_name(parameter), value));
  };
  std::string text;
  interruptibly_or_raise([&](std::stop_token stop_token) {
    options.orbit.simulation.stop_token = std::move(stop_token);
    const Model model = model_at(from).model;
    text = branch_json(model, follow_orbit(model_at, options));
  });
  return text;
}

std::string equilibria(const LoadedModel& loaded, std::optional<double> time,
                       const std::optional<std::string>& mode, bool all) {
  EquilibriumOptions options{.time = time, .all = all};
  if (mode) options.mode = parse_mode(loaded.model, *mode);
  std::string text;
  interruptibly_or_raise([&](std::stop_token stop_token) {
    options.stop_token = std::move(stop_token);
    text = equilibria_json(loaded.model, find_equilibria(loaded.model, options));
  });
  return text;
}

}  // namespace

void bind_orbits(py::module_& module) {
  module.def("orbit", orbit, py::arg("model"), py::arg("period_guess"), py::arg("section"), py::arg("settle"),
             py::arg("rtol"), py::arg("atol"), py::arg("max_seconds"));
  module.def("branch", branch, py::arg("model"), py::arg("parameter"), py::arg("start"), py::arg("stop"),
             py::arg("steps"), py::arg("period_guess"), py::arg("section"), py::arg("settle"),
             py::arg("rtol"), py::arg("atol"), py::arg("max_seconds"));
  module.def("equilibria", equilibria, py::arg("model"), py::arg("time"), py::arg("mode"), py::arg("all"));
}

}  // namespace mti::python
