#include "mti/printing/scenario_source.hpp"

#include <utility>

#include "mti/common/at.hpp"
#include "mti/source/declarations.hpp"

namespace mti {

void add_scenario(const Scenario& scenario, const std::function<std::string(int)>& left_side,
                  Source& source) {
  ScenarioSource written{.name = scenario.name, .modes = scenario.modes.text};
  for (int row = 0; row < scenario.equations.rows(); ++row) {
    std::string text = left_side(row) + " = 0";
    if (!scenario.is_initial) {
      written.equations.push_back(std::move(text));
      continue;
    }
    const std::string& name = scenario.equation_names[at(row)];
    if (name == "initial" + std::to_string(row + 1) || !is_name(name))
      source.initial.emplace_back(std::move(text));
    else
      source.initial.emplace_back(name, std::move(text));
  }
  if (!scenario.is_initial) source.scenarios.push_back(std::move(written));
}

}  // namespace mti
