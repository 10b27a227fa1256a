#pragma once

#include "program/arguments.hpp"
#include "program/exit_status.hpp"

namespace mti {

// One per command; a model or file that is not valid leaves as InvalidModel.
[[nodiscard]] ExitStatus run(const SimulateArguments& arguments);
[[nodiscard]] ExitStatus run(const CheckArguments& arguments);
[[nodiscard]] ExitStatus run(const AnalyzeArguments& arguments);
[[nodiscard]] ExitStatus run(const LinearizeArguments& arguments);
[[nodiscard]] ExitStatus run(const ConvertArguments& arguments);
[[nodiscard]] ExitStatus run(const PrintArguments& arguments);
[[nodiscard]] ExitStatus run(const ReportArguments& arguments);

}  // namespace mti
