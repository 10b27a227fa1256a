#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mti::test {

/// What the program is asked to do with a mutant, the file model.json of the working directory.
struct ProgramCommand {
  std::string name;
  std::vector<std::string> words;
};

/// simulate (with a budget of some tenths of a second), check, analyze --all-modes, linearize, convert.
[[nodiscard]] const std::vector<ProgramCommand>& program_commands();

/// Runs the program in this process, in the working directory; what it prints goes to the files "out" and
/// "err". Returns its exit status. A run whose time is over while it is in the middle of something long, or
/// before it has begun, ends the process with status 3 instead.
[[nodiscard]] int run_in_this_process(const ProgramCommand& command);

/// What is wrong with what a command left in the working directory; empty if nothing is.
///
/// Its exit status is 0 to 3; a run has a whole trajectory without NaN and infinity, events and a summary, or
/// no results at all; what it printed as JSON can be read; a converted file is there if and only if it was
/// converted, and can be read; no file is left that the program did not announce.
[[nodiscard]] std::string fault_of(const ProgramCommand& command, int status);

/// Removes what a command left.
void clean_up();

}  // namespace mti::test
