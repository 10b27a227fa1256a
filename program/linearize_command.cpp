#include "io/read_model.hpp"
#include "io/write_linearization.hpp"
#include "program/commands.hpp"
#include "program/messages.hpp"
#include "solvers/linearize.hpp"

namespace mti {

ExitStatus run(const LinearizeArguments& arguments) {
  const Model model = read_model(arguments.model, arguments.settings);
  const double time = arguments.time.value_or(model.experiment.start);
  if (time < model.experiment.start) {
    print_faults(arguments.model, {{"bad-option", "/experiment/start", "--at lies before the start time"}});
    return ExitStatus::wrong_usage;
  }
  const Linearization linearization = linearize(model, time);
  print(arguments.json ? linearization_json(model, linearization) : linearization_text(model, linearization));
  return ExitStatus::done;
}

}  // namespace mti
