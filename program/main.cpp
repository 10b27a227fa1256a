// The command line program mti.
#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "program/commands.hpp"
#include "program/messages.hpp"

namespace mti {
namespace {

const std::string& model_file(const Arguments& arguments) {
  return std::visit(
      [](const auto& command) -> const std::string& {
        if constexpr (requires { command.in; })
          return command.in;
        else if constexpr (requires { command.first; })
          return command.first;
        else
          return command.model;
      },
      arguments);
}

/// What is wrong with --set, --mode, --from, --to or the name of a file to write is a matter of the command
/// line, not of the model.
bool is_usage(const InvalidModel& invalid) {
  return std::ranges::all_of(invalid.faults(), [](const Fault& fault) {
    return fault.id == "unknown-override" || fault.id == "override-of-function" || fault.id == "bad-mode" ||
           fault.id == "bad-formula" || fault.id == "output-is-input";
  });
}

/// The run to the point of a linearisation did not get there.
bool ended_early(const InvalidModel& invalid) { return invalid.faults().front().id == "not-reached"; }

ExitStatus run_command(const Arguments& arguments) {
  try {
    return std::visit([](const auto& command) { return run(command); }, arguments);
  } catch (const InvalidModel& invalid) {
    print_faults(model_file(arguments), invalid.faults());
    if (is_usage(invalid)) return ExitStatus::wrong_usage;
    return ended_early(invalid) ? ExitStatus::ended_early : ExitStatus::not_valid;
  } catch (const std::bad_alloc&) {
    print_faults(model_file(arguments),
                 {{"out-of-memory", "", "the memory does not suffice for this model"}});
  } catch (const std::exception& error) {
    print_faults(model_file(arguments), {{"internal-error", "", error.what()}});
  }
  return ExitStatus::not_valid;
}

}  // namespace
}  // namespace mti

int main(int argc, char** argv) {
  const auto parsed = mti::parse_arguments(argc, argv);
  const auto* nothing_left = std::get_if<mti::ExitStatus>(&parsed);
  const mti::ExitStatus status =
      nothing_left != nullptr ? *nothing_left : mti::run_command(std::get<mti::Arguments>(parsed));
  return static_cast<int>(mti::finished(status));
}
