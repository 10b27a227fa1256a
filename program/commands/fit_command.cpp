#include <array>
#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/fitting/fit_plan.hpp"
#include "io/fitting/write_fit.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/console/progress.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"

namespace mti {
namespace {

/// What of the result is not as one would like it to be.
std::vector<Fault> warnings_of(const Fit& fit) {
  std::vector<Fault> warnings;
  for (const UndeterminedDirection& direction : fit.undetermined)
    warnings.push_back({"warning", "", direction_text(direction)});
  for (const UndefinedData& data : fit.undefined) warnings.push_back({"warning", "", undefined_text(data)});
  return warnings;
}

/// How a search ended that has not come to a minimum.
Fault early_end(const Fit& fit) {
  if (fit.end == FitEnd::no_start)
    return {"no-fit", "", "the data cannot be computed where the search begins: " + fit.message};
  if (fit.end == FitEnd::interrupted || fit.end == FitEnd::time_budget)
    return {to_string(fit.end), "",
            fit.estimates.empty() ? "the search has not come to its first point"
                                  : "the search was not finished; estimates are those of its best point"};
  return {"not-converged", "",
          "estimates are those of the best point: " +
              (fit.end == FitEnd::iteration_limit ? "the limit of iterations is reached" : fit.message)};
}

}  // namespace

ExitStatus run(const FitArguments& arguments) {
  static const std::array<std::string, 2> names = {"fit.json", "residuals.csv"};
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.max_seconds, arguments.plan, interrupt.token());
  const FitPlan plan = read_fit_plan_file(arguments.plan, arguments.reach);
  plan.inputs.keep_from(arguments.directory, names);
  limit.results_are_there();  // those of the search are kept from here on
  FitOptions options = plan.options;
  if (arguments.starts) options.starts = *arguments.starts;
  if (arguments.seed) options.seed = *arguments.seed;
  if (arguments.iterations) options.most_iterations = *arguments.iterations;
  options.max_seconds = arguments.max_seconds > 0.0 ? limit.seconds_left() : arguments.max_seconds;
  options.stop_token = interrupt.token();
  if (auto faults = options.validate(plan.problem); !faults.empty()) throw InvalidOption(std::move(faults));
  prepare_directory(arguments.directory, names);
  Fit found;
  {
    Progress progress(0.0, options.starts, !arguments.quiet, "start");
    options.progress = [&progress](int done, int) { progress.show(done); };
    found = fit(plan.problem, options);
  }
  if (!found.estimates.empty()) {
    const std::string json = fit_json(plan.name, found, options), table = residuals_csv(found);
    write_files(arguments.directory, {{names[0], json}, {names[1], table}});
    if (arguments.json)
      print(json);
    else if (!arguments.quiet)
      print((plan.name.empty() ? "" : plan.name + ": ") + fit_text(found, options) + "results in " +
            arguments.directory + "\n");
    print_faults(arguments.plan, warnings_of(found));
  }
  if (found.end == FitEnd::converged) return ExitStatus::done;
  print_faults(arguments.plan, {early_end(found)});
  return ExitStatus::ended_early;
}

}  // namespace mti
