#include <string>
#include <vector>

#include "io/read_model.hpp"
#include "io/write_diagnosis.hpp"
#include "program/commands.hpp"
#include "program/messages.hpp"
#include "solvers/diagnosis.hpp"

namespace mti {
namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

/// "NAME: valid, 2 warnings, 4 equations, 6 constraints, 6 binaries".
std::string summary(const std::string& name, const Model& model, std::size_t errors, std::size_t warnings) {
  std::string text = name + (errors == 0 ? ": valid" : ": not valid, " + counted(errors, "error", "errors"));
  if (warnings > 0) text += ", " + counted(warnings, "warning", "warnings");
  return text + ", " + counted(static_cast<std::size_t>(model.equations()), "equation", "equations") + ", " +
         counted(static_cast<std::size_t>(model.constraints()), "constraint", "constraints") + ", " +
         counted(static_cast<std::size_t>(model.signature.q()), "binary", "binaries") + "\n";
}

ExitStatus report(const CheckArguments& arguments, const Model& model) {
  const Diagnosis diagnosis = diagnose(model);
  const std::size_t errors = diagnosis.errors(), warnings = diagnosis.remarks.size() - errors;
  if (arguments.json) {
    print(diagnosis_json(model, diagnosis));
  } else {
    std::vector<Fault> faults;
    for (const Remark& remark : diagnosis.remarks)
      faults.push_back({(remark.is_error ? "" : "warning: ") + remark.id, "", remark.message});
    print_faults(arguments.model, faults);
    print(summary(model.name.empty() ? arguments.model : model.name, model, errors, warnings));
  }
  return errors == 0 ? ExitStatus::done : ExitStatus::not_valid;
}

}  // namespace

ExitStatus run(const CheckArguments& arguments) {
  if (!arguments.json) return report(arguments, read_model(arguments.model, {}, arguments.reach));
  try {
    return report(arguments, read_model(arguments.model, {}, arguments.reach));
  } catch (const InvalidModel& invalid) {
    print(faults_json(invalid.faults()));
    return ExitStatus::not_valid;
  }
}

}  // namespace mti
