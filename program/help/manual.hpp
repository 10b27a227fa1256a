#pragma once

#include <string>

#include "program/arguments/command_tree.hpp"

namespace mti {

/// The page mti(1) of a program, or mti-simulate(1) of one of its commands, in the macros of man(7).
[[nodiscard]] std::string manual_page(const CommandTree& program, const CommandTree& command);

/// All commands in one page of Markdown.
[[nodiscard]] std::string manual_markdown(const CommandTree& program);

}  // namespace mti
