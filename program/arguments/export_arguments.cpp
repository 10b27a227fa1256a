#include "program/arguments/export_arguments.hpp"

#include <CLI/CLI.hpp>

#include "program/arguments/arguments.hpp"
#include "program/arguments/setting_arguments.hpp"

namespace mti {

void add_export(CLI::App& app, ExportArguments& arguments) {
  CLI::App& command = *app.add_subcommand("export", "Write a model as an FMU, for other simulators");
  add_model(command, arguments.in, arguments.reach);
  add_required(command, "OUT", arguments.out, "FMU to write", "FILE");
  command
      .add_option_function<std::string>(
          "--fmi",
          [&arguments](const std::string& version) {
            arguments.options.version = version == "2" ? fmi::FmiVersion::two : fmi::FmiVersion::three;
          },
          "Version of the standard: 3 (default) or 2")
      ->check(CLI::IsMember({"3", "2"}));
  command
      .add_option("--interfaces", arguments.interfaces,
                  "cs (default), Co-Simulation, and me, Model Exchange, of models that allow it")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command
      .add_option_function<std::vector<std::string>>(
          "--outputs",
          [&arguments](const std::vector<std::string>& patterns) { arguments.options.outputs = patterns; },
          "Outputs, as in 'x*,y1' (default: algebraic signals; without any, states)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command.add_flag_callback(
      "--free-inputs", [&arguments] { arguments.options.free_inputs = fmi::FreeInputs::yes; },
      "Inputs that are functions of time become inputs of the FMU too");
  command.add_flag_callback(
      "--dae", [&arguments] { arguments.options.dae = fmi::Dae::yes; },
      "Model Exchange whose importer may solve the equations itself (draft fmi-ls-dae, experimental)");
}

}  // namespace mti
