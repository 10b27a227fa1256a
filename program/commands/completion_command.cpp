#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/help/completion.hpp"

namespace mti {

ExitStatus run(const CompletionArguments& arguments) {
  print(arguments.shell == "bash"  ? bash_completion(arguments.tree)
        : arguments.shell == "zsh" ? zsh_completion(arguments.tree)
                                   : fish_completion(arguments.tree));
  return ExitStatus::done;
}

}  // namespace mti
