#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/files/input_files.hpp"
#include "io/model/read_model.hpp"
#include "io/orbits/branch_page.hpp"
#include "io/orbits/write_branch.hpp"
#include "io/orbits/write_orbit.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/orbits/orbit.hpp"
#include "solvers/orbits/orbit_branch.hpp"

namespace mti {
namespace {

ExitStatus follow(const OrbitArguments& arguments, const FollowedParameter& parameter) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.options.simulation.max_seconds, arguments.model, interrupt.token());
  InputFiles inputs;
  const ReadModel read = ReadModel::of_file(arguments.model, arguments.reach, &inputs);
  const ModelOfParameter model_at = [&](double value) {
    return read.with_derivatives({parameter.name},
                                 with_value(arguments.settings, overridden_name(parameter.name), value));
  };
  const std::vector<std::string> names = {branch_table_name, branch_page_name};
  inputs.keep_from(arguments.directory, names);
  const Model model = model_at(parameter.from).model;
  prepare_directory(arguments.directory, names);
  limit.reading_is_done();
  BranchOptions options{
      .orbit = arguments.options, .from = parameter.from, .to = parameter.to, .steps = arguments.steps};
  options.orbit.simulation.stop_token = interrupt.token();
  options.orbit.simulation.max_seconds = limit.seconds_left();
  const OrbitBranch branch = follow_orbit(model_at, options);
  limit.results_are_there();
  if (!branch.points.empty()) {
    write_files(arguments.directory, {{branch_table_name, branch_csv(model, branch)},
                                      {branch_page_name, branch_page(model, branch)}});
  }
  if (arguments.json)
    print(branch_json(model, branch));
  else if (!branch.points.empty())
    print(branch_text(model, branch));
  if (branch.complete) return ExitStatus::done;
  print_faults(arguments.model, {{branch.points.empty() ? "no-orbit" : "branch-ends", "", branch.message}});
  return ExitStatus::ended_early;
}

}  // namespace

ExitStatus run(const OrbitArguments& arguments) {
  if (arguments.follow) return follow(arguments, *arguments.follow);
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.options.simulation.max_seconds, arguments.model, interrupt.token());
  const Model model = read_model(arguments.model, arguments.settings, arguments.reach);
  limit.reading_is_done();
  OrbitOptions options = arguments.options;
  options.simulation.stop_token = interrupt.token();
  options.simulation.max_seconds = limit.seconds_left();
  const Orbit orbit = find_orbit(model, options);
  std::string text;
  if (arguments.json)
    text = orbit_json(model, orbit);
  else if (orbit.found)
    text = orbit_text(model, orbit);
  limit.results_are_there();
  print(text);
  if (!orbit.found) print_faults(arguments.model, {{"no-orbit", "", orbit.message}});
  return orbit.found ? ExitStatus::done : ExitStatus::ended_early;
}

}  // namespace mti
