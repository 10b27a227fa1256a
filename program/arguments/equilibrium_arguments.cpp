#include "program/arguments/equilibrium_arguments.hpp"

#include <CLI/CLI.hpp>

#include "program/arguments/arguments.hpp"
#include "program/arguments/setting_arguments.hpp"

namespace mti {

void add_equilibrium(CLI::App& app, EquilibriumArguments& arguments, std::vector<std::string>& settings) {
  CLI::App& command = *app.add_subcommand(
      "equilibrium",
      "Find a point at which the model rests, der(x) = 0, with its linearisation and stability");
  add_model(command, arguments.model, arguments.reach);
  command.add_option("--at", arguments.time, "Time at which the inputs stand still (default: the start)")
      ->type_name("TIME");
  CLI::Option* mode =
      command.add_option("--mode", arguments.mode, "Only in this mode")->type_name("z1=1,z2=0,...");
  command.add_flag("--all", arguments.all, "One in each mode that has one, up to 12 binaries")
      ->excludes(mode);
  add_set(command, settings);
  add_max_seconds(command, arguments.max_seconds);
  command.add_flag("--json", arguments.json, "Print JSON");
}

}  // namespace mti
