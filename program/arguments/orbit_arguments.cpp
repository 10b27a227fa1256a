#include "program/arguments/orbit_arguments.hpp"

#include <CLI/CLI.hpp>

#include "program/arguments/arguments.hpp"
#include "program/arguments/setting_arguments.hpp"

namespace mti {

void add_orbit(CLI::App& app, OrbitArguments& arguments, std::vector<std::string>& settings) {
  CLI::App& command = *app.add_subcommand(
      "orbit", "Find a periodic orbit of a model through all its events, with its Floquet multipliers");
  add_model(command, arguments.model, arguments.reach);
  OrbitOptions& options = arguments.options;
  command
      .add_option("--period-guess", options.period_guess,
                  "About the period; where inputs vary the period itself")
      ->required()
      ->type_name("TIME");
  command.add_option("--section", options.section, "Begin shortly after this constraint has arrived")
      ->type_name("CONSTRAINT");
  command.add_option("--settle", options.settle, "Run so long before the first guess (default: 5 periods)")
      ->type_name("TIME");
  command.add_option("--rtol", options.simulation.rtol, "Relative tolerance")->type_name("NUMBER");
  command
      .add_option("--atol", options.simulation.atol,
                  "Absolute tolerance, in units of each signal's nominal value")
      ->type_name("NUMBER");
  add_max_seconds(command, options.simulation.max_seconds);
  add_set(command, settings);
  command.add_flag("--json", arguments.json, "Print JSON");
}

}  // namespace mti
