#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/identification/read_experiments.hpp"
#include "io/identification/write_identification.hpp"
#include "io/model/write_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/wording.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/console/progress.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"

namespace mti {
namespace {

/// The text of the model, which is built once to see that it runs.
std::string model_text(const Source& model) {
  static_cast<void>(build(model));
  return to_json(model);
}

/// Of functions that one start alone came to: it may have ended in a minimum that is not the lowest.
std::vector<Fault> warnings_of(const IdentificationData& data, const Identification& found) {
  std::vector<Fault> warnings;
  for (const IdentifiedFunction& function : found.functions)
    for (const RankReport& rank : function.ranks)
      if (rank.unsure && rank.rank == function.S.cols())
        warnings.push_back(
            {"warning", "",
             (function.mode.empty() ? "" : "mode " + mode_text(data.mode_columns, function.mode) + ": ") +
                 "rank " + std::to_string(rank.rank) + ": of " + counted(rank.starts, "start") +
                 " one alone came to this error, so that there may be a lower one: try more --starts or "
                 "another --seed"});
  return warnings;
}

}  // namespace

ExitStatus run(const IdentifyArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.options.max_seconds, arguments.files.front(), interrupt.token());
  const IdentificationData data =
      read_experiments({arguments.files.begin(), arguments.files.end()}, arguments.columns);
  InputFiles inputs;
  for (const std::string& file : arguments.files) inputs.add(file);
  inputs.keep_from(arguments.out);
  if (arguments.json && arguments.out == "-")
    throw InvalidOption("bad-option", "",
                        "--json: standard output takes the model already, expected --out FILE");
  limit.reading_is_done();
  IdentificationOptions options = arguments.options;
  options.stop_token = interrupt.token();
  options.max_seconds = limit.seconds_left();
  std::optional<Identification> found;
  {
    Progress progress(0.0, 1.0, !arguments.quiet, "part done:");
    options.progress = [&progress](int done, int all) { progress.show(static_cast<double>(done) / all); };
    found = identify(data, options);
  }
  const std::string model = model_text(found->model);
  limit.results_are_there();
  write_file(arguments.out, model);
  print_faults(arguments.out, warnings_of(data, *found));
  if (arguments.quiet) return ExitStatus::done;
  if (arguments.json)
    print(identification_json(data, *found, options.discrete));
  else if (arguments.out != "-")
    print(identification_text(data, *found, options.discrete) + "\nmodel in " + arguments.out + "\n");
  return ExitStatus::done;
}

}  // namespace mti
