#include <chrono>
#include <cmath>
#include <string>

#include "io/studies/study.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/console/progress.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"

namespace mti {
ExitStatus run(const StudyArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.options.max_seconds, arguments.plan, interrupt.token());
  const StudyTeam* const team = arguments.options.team;
  // What all would find wrong is found by the first.
  if (team != nullptr && team->rank != 0) team->meet();
  if (team != nullptr && team->ranks > 1 && arguments.plan == "-")
    throw InvalidOption(
        "bad-option", "",
        "a launcher gives standard input to one of the processes: expected a file that all can read");
  const StudyPlan plan = read_study_plan_file(arguments.plan, arguments.reach);
  if (team != nullptr && team->rank == 0) team->meet();
  limit.results_are_there();  // those of runs are kept from here on
  const auto begun = std::chrono::steady_clock::now();
  StudyEnd end;
  StudyOptions options = arguments.options;
  if (!arguments.parts.empty()) {
    const std::vector<std::filesystem::path> parts(arguments.parts.begin(), arguments.parts.end());
    end = merge_studies(plan, parts, arguments.directory, arguments.options.page);
  } else {
    Progress progress(0.0, static_cast<double>(plan.runs), !arguments.quiet, "run");
    if (options.max_seconds > 0.0) options.max_seconds = limit.seconds_left();
    options.stop_token = interrupt.token();
    options.progress = [&](long done, long runs) {
      progress.show(static_cast<double>(plan.runs - runs + done));
    };
    end = run_study(plan, arguments.directory, options);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  if (!arguments.quiet)
    print((plan.name.empty() ? "" : plan.name + ": ") + how_runs_ended(end) + "\n" +
          text::format_number(taken.count(), 3) + " s\nresults in " + arguments.directory + "\n");
  if (end.is_complete()) return ExitStatus::done;
  const bool interrupted = interrupt.token().stop_requested();
  const char* const why = !arguments.parts.empty()                       ? "incomplete"
                          : interrupted                                  ? "interrupted"
                          : std::isfinite(arguments.options.max_seconds) ? "time_budget"
                                                                         : "incomplete";
  print_faults(arguments.plan,
               {{why, "",
                 counted(end.runs - end.done, "run") + (end.runs - end.done == 1 ? " is" : " are") +
                     " missing; mti study " + arguments.plan + " --resume --out " + arguments.directory +
                     " makes " + (end.runs - end.done == 1 ? "it" : "them")}});
  return ExitStatus::ended_early;
}

}  // namespace mti
