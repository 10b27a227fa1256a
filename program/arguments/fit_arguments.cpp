#include "program/arguments/fit_arguments.hpp"

#include <CLI/CLI.hpp>

#include "program/arguments/arguments.hpp"
#include "program/arguments/setting_arguments.hpp"

namespace mti {

void add_fit(CLI::App& app, FitArguments& arguments) {
  CLI::App& command = *app.add_subcommand(
      "fit",
      "Estimate parameters of a model from measured signals and event times; write fit.json and "
      "residuals.csv");
  add_required(command, "PLAN", arguments.plan, "Plan of the fit, or - for standard input", "FILE");
  command.add_flag_callback(
      "--confine", [&arguments] { arguments.reach = Reach::own_folder; },
      "Refuse models and csv files that do not lie below the folder of the plan");
  command.add_option("-o,--out", arguments.directory, "Directory of the results (default: out)")
      ->type_name("DIR");
  command
      .add_option("--starts", arguments.starts, "Starts of the search (default: what the plan says, or 1)")
      ->type_name("COUNT");
  command.add_option("--seed", arguments.seed, "Chooses these starts")->type_name("NUMBER");
  command.add_option("--iterations", arguments.iterations, "Steps of each start at most (default: 100)")
      ->type_name("COUNT");
  command
      .add_option("--max-seconds", arguments.max_seconds,
                  "Stop after so many seconds; the results are those of the best point so far")
      ->type_name("SECONDS");
  command.add_flag("--json", arguments.json, "Print fit.json in place of tables");
  command.add_flag("--quiet", arguments.quiet, "Print errors only");
}

}  // namespace mti
