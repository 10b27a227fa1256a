#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/analysis/fault_places.hpp"
#include "io/analysis/write_diagnosis.hpp"
#include "io/files/files.hpp"
#include "io/model/read_model.hpp"
#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "program/commands/commands.hpp"
#include "program/commands/experiment_faults.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/diagnosis/diagnosis.hpp"

namespace mti {
namespace {

/// "NAME: valid, 2 warnings, 4 equations, 6 constraints, 6 binaries".
std::string summary(const std::string& name, const Model& model, std::size_t errors, std::size_t warnings) {
  std::string text =
      name + (errors == 0 ? ": valid" : ": not valid, " + counted(static_cast<long>(errors), "error"));
  if (warnings > 0) text += ", " + counted(static_cast<long>(warnings), "warning");
  return text + ", " + counted(model.equations(), "equation") + ", " +
         counted(model.constraints(), "constraint") + ", " + counted(model.signature.q(), "binary") + "\n";
}

/// `input`: what standard input says, if it is the model.
ExitStatus report(const CheckArguments& arguments, const std::optional<std::string>& input,
                  CommandLimit& limit) {
  const Model model = input ? read_model_text(*input, {}, {}, arguments.reach)
                            : read_model(arguments.model, {}, arguments.reach);
  limit.reading_is_done();
  if (std::vector<Fault> faults = experiment_faults(model); !faults.empty())
    throw InvalidModel(std::move(faults));
  const Diagnosis diagnosis = diagnose(model);
  limit.results_are_there();
  const std::size_t errors = diagnosis.errors(), warnings = diagnosis.remarks.size() - errors;
  if (arguments.json) {
    FaultPlaces places(arguments.model, input);
    print(diagnosis_json(model, diagnosis, &places));
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
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.max_seconds, arguments.model, interrupt.token());
  std::optional<std::string> input;
  const auto read_and_report = [&] {
    if (arguments.model == "-") input = read_file("-");  // where places are looked for later
    return report(arguments, input, limit);
  };
  if (!arguments.json) return read_and_report();
  try {
    return read_and_report();
  } catch (const FaultError& refused) {
    FaultPlaces places(arguments.model, input);
    const std::string text = faults_json(refused.faults(), &places);
    limit.results_are_there();
    print(text);
    return ExitStatus::not_valid;
  }
}

}  // namespace mti
