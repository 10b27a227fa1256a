#include "program/commands.hpp"
#include "program/completion.hpp"
#include "program/messages.hpp"

namespace mti {

ExitStatus run(const CompletionArguments& arguments) {
  print(arguments.shell == "bash"  ? bash_completion(arguments.tree)
        : arguments.shell == "zsh" ? zsh_completion(arguments.tree)
                                   : fish_completion(arguments.tree));
  return ExitStatus::done;
}

}  // namespace mti
