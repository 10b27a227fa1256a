// The command line program mti.
#include <variant>

#include "program/commands/run_command.hpp"
#include "program/console/messages.hpp"
#include "program/guard/guarded_run.hpp"
#include "program/guard/launcher.hpp"

int main(int argc, char** argv) {
  const auto parsed = mti::parse_arguments(argc, argv);
  const auto* const nothing_left = std::get_if<mti::ExitStatus>(&parsed);
  const auto* const arguments = std::get_if<mti::Arguments>(&parsed);
  const mti::ExitStatus status = arguments == nullptr               ? *nothing_left
                                 : mti::belongs_to_team(*arguments) ? mti::join_team(argc, argv)
                                                                    : mti::run_command(*arguments);
  return mti::status_of_process(static_cast<int>(mti::finished(status)));
}
