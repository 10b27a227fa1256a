// The command line program mti.
#include <variant>

#include "program/commands/run_command.hpp"
#include "program/console/messages.hpp"
#include "program/guard/launcher.hpp"

int main(int argc, char** argv) {
  const auto parsed = mti::parse_arguments(argc, argv);
  const auto* nothing_left = std::get_if<mti::ExitStatus>(&parsed);
  mti::ExitStatus status = mti::ExitStatus::done;
  if (nothing_left != nullptr) {
    status = *nothing_left;
  } else if (const auto& arguments = std::get<mti::Arguments>(parsed); mti::belongs_to_team(arguments)) {
    status = mti::join_team(argc, argv);
  } else {
    status = mti::run_command(arguments);
  }
  return static_cast<int>(mti::finished(status));
}
