#include <optional>
#include <sstream>
#include <string>

#include "io/analysis/mode_text.hpp"
#include "io/analysis/write_all_modes.hpp"
#include "io/analysis/write_analysis.hpp"
#include "io/files/files.hpp"
#include "io/model/read_model.hpp"
#include "io/report/report.hpp"
#include "mti/build/boolean_text.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/motion/system_jacobian_rank.hpp"
#include "solvers/multimode/multimode_analysis.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace mti {
namespace {

/// The formula given with an option; none: all modes.
BooleanFormula formula_of(const Model& model, const std::string& option,
                          const std::optional<std::string>& text) {
  if (!text) return {};
  try {
    return parse_formula(model, *text);
  } catch (const InvalidOption& refused) {
    throw InvalidOption("bad-formula", "",
                        option + " \"" + *text + "\": " + refused.faults().front().message);
  }
}

ExitStatus run_all_modes(const Model& model, const AnalyzeArguments& arguments, const InputFiles& inputs,
                         CommandLimit& limit) {
  const BooleanFormula before = formula_of(model, "--from", arguments.before);
  const BooleanFormula after = formula_of(model, "--to", arguments.after);
  if (arguments.directory) {
    inputs.keep_from(std::filesystem::path(*arguments.directory) / "report.html");
    prepare_directory(*arguments.directory);
  }
  const MultimodeAnalysis analysis = analyze_all_modes(model, before, after);
  std::ostringstream report;
  if (arguments.directory)
    write_structure_report(report, model, analyze_structure(model), {.analysis = &analysis});
  const std::string text = arguments.json ? all_modes_json(model, analysis) : all_modes_text(model, analysis);
  limit.results_are_there();
  if (arguments.directory) write_files(*arguments.directory, {{"report.html", report.view()}});
  print(text);
  return ExitStatus::done;
}

}  // namespace

ExitStatus run(const AnalyzeArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.max_seconds, arguments.model, interrupt.token());
  InputFiles inputs;
  const Model model = read_model(arguments.model, {}, arguments.reach, &inputs);
  limit.reading_is_done();
  if (arguments.all_modes) return run_all_modes(model, arguments, inputs, limit);
  std::string text;
  if (arguments.mode) {
    const Mode mode = parse_mode(model, *arguments.mode);
    const ModeStructure structure = analyze_mode(model, mode);
    const std::optional<SystemJacobianRank> rank = examine_rank(model, mode);
    text = arguments.json ? mode_json(model, mode, structure, rank) : mode_text(model, mode, structure, rank);
  } else {
    const Structure structure = analyze_structure(model);
    text = arguments.json ? structure_json(model, structure) : structure_text(model, structure);
  }
  limit.results_are_there();
  print(text);
  return ExitStatus::done;
}

}  // namespace mti
