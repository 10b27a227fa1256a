#include <optional>

#include "io/read_model.hpp"
#include "io/write_analysis.hpp"
#include "program/commands.hpp"
#include "program/messages.hpp"
#include "program/mode_text.hpp"
#include "solvers/mode_rank.hpp"
#include "solvers/mode_structure.hpp"
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
  if (arguments.mode) {
    const Mode mode = parse_mode(model, *arguments.mode);
    const ModeStructure structure = analyze_mode(model, mode);
    const std::optional<ModeRank> rank = examine_rank(model, mode);
    print(arguments.json ? mode_json(model, mode, structure, rank) : mode_text(model, mode, structure, rank));
    return ExitStatus::done;
  }
  const Structure structure = analyze_structure(model);
  print(arguments.json ? structure_json(model, structure) : structure_text(model, structure));
  return ExitStatus::done;
}

}  // namespace mti
