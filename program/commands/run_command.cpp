#include "program/commands/run_command.hpp"

#include <exception>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "mti/common/fault.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "solvers/mode_sets/mode_set.hpp"

namespace mti {
namespace {

/// What faults are about that have no file of their own.
const std::string& model_file(const Arguments& arguments) {
  return std::visit(
      [](const auto& command) -> const std::string& {
        if constexpr (requires { command.in; })
          return command.in;
        else if constexpr (requires { command.first; })
          return command.first;
        else if constexpr (requires { command.plan; })
          return command.plan;
        else if constexpr (requires { command.files; })
          return command.files.front();
        else if constexpr (requires { command.model; })
          return command.model;
        else if constexpr (requires { command.run.model; })
          return command.run.model;
        else if constexpr (requires { command.shell; })
          return command.shell;
        else
          return command.directory;
      },
      arguments);
}

}  // namespace

ExitStatus run_command(const Arguments& arguments) {
  const auto end = [&](ExitStatus status, const std::vector<Fault>& faults) {
    print_faults(model_file(arguments), faults);
    return status;
  };
  try {
    return std::visit([](const auto& command) { return run(command); }, arguments);
  } catch (const InvalidOption& refused) {
    return end(ExitStatus::wrong_usage, refused.faults());
  } catch (const NotReached& refused) {
    return end(ExitStatus::ended_early, refused.faults());
  } catch (const ModeSetTooLarge& error) {
    return end(ExitStatus::ended_early, {{"modes-too-large", "", error.what()}});
  } catch (const FaultError& refused) {
    return end(ExitStatus::not_valid, refused.faults());
  } catch (const std::bad_alloc&) {
    return end(ExitStatus::not_valid, {{"out-of-memory", "", "the memory does not suffice for this model"}});
  } catch (const std::exception& error) {
    return end(ExitStatus::not_valid, {{"internal-error", "", error.what()}});
  }
}

}  // namespace mti
