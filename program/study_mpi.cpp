// The program mti-study-mpi: mti study with the processes that an MPI launcher has started. It takes the arguments of mti
// study, and is what mti study becomes under a launcher.
#include <string>
#include <variant>
#include <vector>

#include "program/commands/run_command.hpp"
#include "program/console/messages.hpp"
#include "program/guard/guarded_run.hpp"
#include "program/guard/launcher.hpp"
#include "program/mpi/mpi_team.hpp"

namespace mti {
namespace {

/// One process of the team. The others print errors only.
ExitStatus take_part(const std::variant<Arguments, ExitStatus>& parsed, const StudyTeam& team) {
  if (const auto* nothing_left = std::get_if<ExitStatus>(&parsed)) return *nothing_left;
  StudyArguments arguments = std::get<StudyArguments>(std::get<Arguments>(parsed));
  const bool leads = team.rank == 0;
  if (team.ranks == 1 && launched_processes() > 1) {  // each would take itself for the only one
    print_faults(arguments.plan,
                 {{"no-mpi", "",
                   "a launcher has started " + std::to_string(launched_processes()) +
                       " processes, but it is not that of the MPI that mti-study-mpi is built with"}});
    return ExitStatus::not_valid;
  }
  if (!arguments.parts.empty()) return leads ? run_command(arguments) : ExitStatus::done;
  arguments.options.team = &team;
  if (!leads) arguments.quiet = true;
  try {
    return run_command(arguments);
  } catch (const TeamLeft&) {
    return ExitStatus::done;  // another process has said why, and has the status
  }
}

}  // namespace
}  // namespace mti

int main(int argc, char** argv) {
  mti::MpiTeam mpi(argc, argv);
  std::vector<char*> words(argv, argv + argc);
  char study[] = "study";
  words.insert(words.begin() + 1, study);
  words.push_back(nullptr);
  const auto parsed = mti::parse_arguments(argc + 1, words.data());
  return mti::status_of_process(static_cast<int>(mpi.end(mti::finished(mti::take_part(parsed, mpi.team())))));
}
