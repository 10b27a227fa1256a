#pragma once

#include "program/arguments/arguments.hpp"
#include "program/console/exit_status.hpp"

namespace mti {

/// Runs a command and prints its faults. What was thrown says by its type how the program ends.
[[nodiscard]] ExitStatus run_command(const Arguments& arguments);

}  // namespace mti
