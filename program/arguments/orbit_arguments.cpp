#include "program/arguments/orbit_arguments.hpp"

#include <CLI/CLI.hpp>

#include <cmath>

#include "program/arguments/arguments.hpp"
#include "program/arguments/setting_arguments.hpp"

namespace mti {
namespace {

/// "NAME=FROM:TO" with two numbers that differ; throws CLI::ValidationError.
FollowedParameter parse_followed(const std::string& text) {
  const std::size_t sign = text.rfind('='), colon = text.find(':', sign == std::string::npos ? 0 : sign);
  if (sign != std::string::npos && sign > 0 && colon != std::string::npos) {
    FollowedParameter parameter{text.substr(0, sign), number_in(text.substr(sign + 1, colon - sign - 1)),
                                number_in(text.substr(colon + 1))};
    if (std::isfinite(parameter.from) && std::isfinite(parameter.to) && parameter.from != parameter.to)
      return parameter;
  }
  throw CLI::ValidationError("--follow",
                             "found \"" + text + "\", expected NAME=FROM:TO with two numbers that differ");
}

}  // namespace

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
  command
      .add_option("--settle", options.settle,
                  "Run so long before the first guess (default: 5 periods, then 50)")
      ->type_name("TIME");
  command.add_option("--rtol", options.simulation.rtol, "Relative tolerance")->type_name("NUMBER");
  command
      .add_option("--atol", options.simulation.atol,
                  "Absolute tolerance, in units of each signal's nominal value")
      ->type_name("NUMBER");
  CLI::Option* follow =
      command
          .add_option_function<std::string>(
              "--follow", [&arguments](const std::string& text) { arguments.follow = parse_followed(text); },
              "Follow the orbit while this parameter varies; write branch.csv and branch.html")
          ->type_name("NAME=FROM:TO");
  command.add_option("--steps", arguments.steps, "At least so many from one end to the other (default: 40)")
      ->check(CLI::Range(1, 100000))
      ->needs(follow)
      ->type_name("COUNT");
  command
      .add_option("-o,--out", arguments.directory, "Directory of branch.csv and branch.html (default: out)")
      ->needs(follow)
      ->type_name("DIR");
  add_max_seconds(command, options.simulation.max_seconds);
  add_set(command, settings);
  command.add_flag("--json", arguments.json, "Print JSON");
}

}  // namespace mti
