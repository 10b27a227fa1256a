#include "io/read_model.hpp"
#include "io/write_analysis.hpp"
#include "program/commands.hpp"
#include "program/messages.hpp"
#include "solvers/structure.hpp"

namespace mti {

ExitStatus run(const AnalyzeArguments& arguments) {
  if (arguments.all_modes) {
    print_faults(arguments.model, {{"not-available", "",
                                    "the analysis of all modes at once is not in this version; "
                                    "--mode analyses one mode"}});
    return ExitStatus::wrong_usage;
  }
  const Model model = read_model(arguments.model);
  const Structure structure = analyze_structure(model);
  print(arguments.json ? structure_json(model, structure) : structure_text(model, structure));
  return ExitStatus::done;
}

}  // namespace mti
