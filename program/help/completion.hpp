#pragma once

#include <string>

#include "program/arguments/command_tree.hpp"

namespace mti {

// Scripts that complete commands, options and what follows them: words where only some are taken, directories
// and files by the kind of value (DIR, FILE), nothing for numbers and texts.
[[nodiscard]] std::string bash_completion(const CommandTree& program);
[[nodiscard]] std::string zsh_completion(const CommandTree& program);
[[nodiscard]] std::string fish_completion(const CommandTree& program);

}  // namespace mti
