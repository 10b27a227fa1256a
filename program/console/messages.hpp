#pragma once

#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "program/console/exit_status.hpp"

namespace mti {

/// Prints one line per fault to standard error: `FILE:/json/pointer: error-id: message`, with
/// the file of the component where the fault is in one.
void print_faults(const std::string& file, const std::vector<Fault>& faults);

/// Prints to standard output. Whether it has taken everything is seen at the end: finished().
void print(const std::string& text);

/// `status`, or not_valid with a message on standard error where standard output did not take all that was
/// printed.
[[nodiscard]] ExitStatus finished(ExitStatus status);

}  // namespace mti
