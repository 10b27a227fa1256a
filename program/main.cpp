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
        else
          return command.model;
      },
      arguments);
}

/// What is wrong with --set, --mode, --from or --to is a matter of the command line, not of the model.
bool is_usage(const InvalidModel& invalid) {
  return std::ranges::all_of(invalid.faults(), [](const Fault& fault) {
    return fault.id == "unknown-override" || fault.id == "override-of-function" || fault.id == "bad-mode" ||
           fault.id == "bad-formula";
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
  if (const auto* status = std::get_if<mti::ExitStatus>(&parsed)) return static_cast<int>(*status);
  return static_cast<int>(mti::run_command(std::get<mti::Arguments>(parsed)));
}
