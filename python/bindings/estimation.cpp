#include <pybind11/stl.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "io/fitting/fit_plan.hpp"
#include "io/fitting/write_fit.hpp"
#include "io/identification/read_experiments.hpp"
#include "io/identification/write_identification.hpp"
#include "io/model/write_model.hpp"
#include "mti/common/fault.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/module.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// (fit.json, residuals.csv, what a handler of signals has raised or None); empty texts where there is no estimate, and then why.
py::tuple fit_plan(const std::optional<std::string>& text, const std::string& directory, bool confine,
                   std::optional<int> starts, std::optional<int> iterations,
                   std::optional<std::uint64_t> seed, std::optional<double> max_seconds) {
  std::string json, residuals, end, message;
  const auto raised = interruptibly([&](std::stop_token stop_token) {
    const Reach reach = confine ? Reach::own_folder : Reach::anywhere;
    const FitPlan plan = text ? read_fit_plan(*text, directory, reach) : read_fit_plan_file(directory, reach);
    FitOptions options = plan.options;
    if (starts) options.starts = *starts;
    if (iterations) options.most_iterations = *iterations;
    if (seed) options.seed = *seed;
    if (max_seconds) options.max_seconds = *max_seconds;
    options.stop_token = std::move(stop_token);
    const Fit found = fit(plan.problem, options);
    end = to_string(found.end);
    message = found.message;
    if (found.estimates.empty()) return;
    json = fit_json(plan.name, found, options);
    residuals = residuals_csv(found);
  });
  return py::make_tuple(json, residuals, end, message,
                        raised ? py::object(raised->value()) : py::object(py::none()));
}

/// The text of the model that was found, and what was found of it as JSON.
std::pair<std::string, std::string> identify_files(
    const std::vector<std::string>& files, const std::vector<std::string>& states,
    const std::vector<std::string>& inputs, const std::vector<std::string>& targets,
    const std::vector<std::string>& modes, const std::vector<int>& ranks, bool discrete, bool nonnegative,
    std::uint64_t seed, int starts, int folds, const std::optional<std::pair<int, int>>& polynomial,
    std::optional<double> max_seconds) {
  std::pair<std::string, std::string> texts;
  interruptibly_or_raise([&](std::stop_token stop_token) {
    const IdentificationData data =
        read_experiments({files.begin(), files.end()},
                         {.states = states, .inputs = inputs, .targets = targets, .modes = modes});
    IdentificationOptions options{.discrete = discrete,
                                  .ranks = ranks,
                                  .signs = nonnegative ? Signs::nonnegative : Signs::any,
                                  .seed = seed,
                                  .starts = starts,
                                  .folds = folds};
    if (polynomial) options.polynomial = LocalPolynomial{polynomial->first, polynomial->second};
    options.max_seconds = max_seconds.value_or(std::numeric_limits<double>::infinity());
    options.stop_token = std::move(stop_token);
    const Identification found = identify(data, options);
    texts = {to_json(found.model), identification_json(data, found, options.discrete)};
  });
  return texts;
}

}  // namespace

void bind_estimation(py::module_& module) {
  module.def("fit", fit_plan, py::arg("text"), py::kw_only(), py::arg("directory"), py::arg("confine"),
             py::arg("starts"), py::arg("iterations"), py::arg("seed"), py::arg("max_seconds"));
  module.def("identify", identify_files, py::arg("files"), py::kw_only(), py::arg("states"),
             py::arg("inputs"), py::arg("targets"), py::arg("modes"), py::arg("ranks"), py::arg("discrete"),
             py::arg("nonnegative"), py::arg("seed"), py::arg("starts"), py::arg("folds"),
             py::arg("polynomial"), py::arg("max_seconds"));
}

}  // namespace mti::python
