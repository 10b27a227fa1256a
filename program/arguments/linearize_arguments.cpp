#include "program/arguments/linearize_arguments.hpp"

#include <CLI/CLI.hpp>

#include "program/arguments/setting_arguments.hpp"

namespace mti {

void add_linearize(CLI::App& app, LinearizeArguments& arguments, std::vector<std::string>& settings) {
  CLI::App& command = *app.add_subcommand(
      "linearize", "Print E, A, B, C, D and the finite eigenvalues at a point of the model's run");
  add_model(command, arguments.model, arguments.reach);
  command.add_option("--at", arguments.times, "Time of the point (default: the start); may be repeated")
      ->type_name("TIME")
      ->allow_extra_args(false);
  CLI::Option* events = command.add_flag(
      "--events", arguments.events, "Also both sides of every event up to the last --at, or the stop time");
  CLI::Option* mode =
      command
          .add_option("--mode", arguments.mode,
                      "In this mode; states and inputs are those of the start or of the run at --at")
          ->type_name("z1=1,z2=0,...")
          ->excludes(events);
  command
      .add_flag("--as-given", arguments.as_given,
                "With --mode: take derivatives and algebraic signals as they are, do not solve for them")
      ->needs(mode);
  command.add_flag("--state-space", arguments.state_space,
                   "Also x' = A x + B u, y = C x + D u without algebraic signals");
  command
      .add_option("--eigenvalues", arguments.count, "Only so many finite eigenvalues; 0: none (default: all)")
      ->check(check_not_negative)
      ->type_name("COUNT");
  command
      .add_option("--near", arguments.near, "With --eigenvalues: those nearest to this value (default: 0)")
      ->needs("--eigenvalues")
      ->type_name("VALUE, such as -1 or 0.5+2i");
  command.add_flag("--participation", arguments.participation,
                   "Also the shares of the unknowns in each eigenvalue");
  command
      .add_option("-o,--out", arguments.directory,
                  "Write linearization.json and the matrices as Matrix Market files there")
      ->type_name("DIR");
  add_set(command, settings);
  add_max_seconds(command, arguments.max_seconds);
  command.add_flag("--json", arguments.json, "Print JSON");
}

}  // namespace mti
