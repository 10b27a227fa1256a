#pragma once

#include "program/arguments/arguments.hpp"
#include "program/console/exit_status.hpp"

namespace mti {

// One per command; what is refused leaves as a FaultError, whose type main makes an exit status of.
[[nodiscard]] ExitStatus run(const SimulateArguments& arguments);
[[nodiscard]] ExitStatus run(const ResumeArguments& arguments);
[[nodiscard]] ExitStatus run(const CheckArguments& arguments);
[[nodiscard]] ExitStatus run(const AnalyzeArguments& arguments);
[[nodiscard]] ExitStatus run(const LinearizeArguments& arguments);
[[nodiscard]] ExitStatus run(const EquilibriumArguments& arguments);
[[nodiscard]] ExitStatus run(const ConvertArguments& arguments);
[[nodiscard]] ExitStatus run(const ExportArguments& arguments);
[[nodiscard]] ExitStatus run(const PrintArguments& arguments);
[[nodiscard]] ExitStatus run(const ReportArguments& arguments);
[[nodiscard]] ExitStatus run(const StudyArguments& arguments);
[[nodiscard]] ExitStatus run(const FitArguments& arguments);
[[nodiscard]] ExitStatus run(const IdentifyArguments& arguments);
[[nodiscard]] ExitStatus run(const OrbitArguments& arguments);
[[nodiscard]] ExitStatus run(const CompletionArguments& arguments);
[[nodiscard]] ExitStatus run(const ManualArguments& arguments);

}  // namespace mti
