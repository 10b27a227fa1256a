#pragma once

#include <string>

namespace mti {

/// What a return value < 0 of IDA means for a run, and what to do about it: "no step, however short, …".
/// `call` names the function for those that are defects of the program. Source: the user documentation of
/// IDA, "IDASolve".
[[nodiscard]] std::string ida_failure(int flag, const std::string& call);

}  // namespace mti
