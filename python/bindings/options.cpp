#include "python/bindings/options.hpp"

#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "python/bindings/arrays.hpp"

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

/// Puts what is called `name` in place of `value`, if it is there and not None.
template <class Value>
void take(const py::dict& words, const char* name, Value& value) {
  if (!words.contains(name) || words[name].is_none()) return;
  try {
    value = words[name].cast<Value>();
  } catch (const py::cast_error&) {
    const std::string found = py::str(py::type::of(words[name]).attr("__name__"));
    throw py::type_error(std::string(name) + ": found a value of type " + found);
  }
}

}  // namespace

SimulationOptions options_of(const py::dict& words) {
  SimulationOptions options;
  take(words, "start", options.start);
  take(words, "stop", options.stop);
  take(words, "rtol", options.rtol);
  take(words, "atol", options.atol);
  take(words, "output_interval", options.output_interval);
  std::optional<Numbers> list;
  take(words, "t_eval", list);
  if (list) {
    const auto times = row_of(*list, "t_eval");
    if (times.empty())  // which to the options is no list at all
      throw InvalidOption("bad-option", "/experiment/output_times", "t_eval: expected at least one time");
    options.output_times.assign(times.begin(), times.end());
  }
  take(words, "max_seconds", options.max_seconds);
  take(words, "max_events", options.max_events);
  take(words, "max_candidates", options.max_candidates);
  take(words, "sliding", options.sliding);
  take(words, "remember", options.remember);
  take(words, "dense", options.dense);
  take(words, "explain", options.explain);
  std::string integrator = "auto", linear_solver = "auto";
  take(words, "integrator", integrator);
  take(words, "linear_solver", linear_solver);
  options.integrator = integrator_of(integrator);
  options.linear_solver = linear_solver_of(linear_solver);
  options.warn = [](const std::string&) {};
  return options;
}

std::vector<std::string> sensitivities_of(const py::dict& words) {
  std::vector<std::string> names;
  take(words, "sensitivities", names);
  return names;
}

}  // namespace mti::python
