#pragma once

#include <string>
#include <vector>

#include "mti/fault.hpp"

namespace mti {

/// Prints one line per fault to standard error: `FILE:/json/pointer: error-id: message`, with
/// the file of the component where the fault is in one.
void print_faults(const std::string& file, const std::vector<Fault>& faults);

/// Prints to standard output; a closed pipe is not an error.
void print(const std::string& text);

}  // namespace mti
