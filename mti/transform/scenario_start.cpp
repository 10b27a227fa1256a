#include "mti/transform/scenario_start.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/source/declarations.hpp"

namespace mti {

Model with_scenario(Model model, std::string_view name) {
  std::vector<std::string> names;
  Scenario* chosen = nullptr;
  for (Scenario& scenario : model.scenarios) {
    if (scenario.is_initial) continue;
    names.push_back(scenario.name);
    if (scenario.name == name) chosen = &scenario;
  }
  if (chosen == nullptr)
    throw InvalidOption(
        "unknown-scenario", "/scenarios",
        names.empty() ? "the model has no scenarios, found " + std::string(name)
                      : "there is no scenario " + std::string(name) + did_you_mean(std::string(name), names));
  if (model.is_discrete())
    throw InvalidModel("initial-in-discrete-model", "/scenarios",
                       "a model of discrete time begins with its start values: expected no scenario");
  for (const Input& input : model.inputs)
    if (const auto* past = std::get_if<DelayedInput>(&input.form()); past != nullptr && past->before_is_start)
      throw InvalidModel(
          "missing-key", "/scenarios",
          "the scenario determines where " + past->of +
              " begins, and its past is delayed: expected the value before the run, as h in delay(" +
              past->of + ", T, h)");
  Scenario start = *chosen;
  start.is_initial = true;
  start.equation_names = start.equation_texts;
  model.fix_start();
  std::erase_if(model.scenarios, [&](const Scenario& scenario) { return scenario.name == name; });
  model.scenarios.push_back(std::move(start));
  model.x_free.assign(at(model.signature.n()), 1);
  return model;
}

DifferentiatedModel with_scenario(DifferentiatedModel differentiated, std::string_view name) {
  const std::vector<Scenario> before = differentiated.model.scenarios;
  differentiated.model = with_scenario(std::move(differentiated.model), name);
  for (ParameterDerivative& parameter : differentiated.derivatives) {
    std::vector<CpMap> scenarios, chosen;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!before[i].is_initial)
        (before[i].name == name ? chosen : scenarios).push_back(std::move(parameter.scenarios[i]));
    scenarios.insert(scenarios.end(), chosen.begin(), chosen.end());
    parameter.scenarios = std::move(scenarios);
  }
  return differentiated;
}

}  // namespace mti
