#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/identification/read_experiments.hpp"
#include "io/identification/write_identification.hpp"
#include "io/model/write_model.hpp"
#include "mti/build/build.hpp"
#include "program/commands.hpp"
#include "program/interrupt.hpp"
#include "program/messages.hpp"
#include "program/progress.hpp"

namespace mti {
namespace {

/// The text of the model, which is built once to see that it runs.
std::string model_text(const Source& model) {
  static_cast<void>(build(model));
  return to_json(model);
}

}  // namespace

ExitStatus run(const IdentifyArguments& arguments) {
  const IdentificationData data =
      read_experiments({arguments.files.begin(), arguments.files.end()}, arguments.columns);
  for (const std::string& file : arguments.files)
    if (are_one_file(file, arguments.out))
      throw InvalidOption("bad-option", "", "--out: " + arguments.out + " is read, expected another file");
  if (arguments.json && arguments.out == "-")
    throw InvalidOption("bad-option", "",
                        "--json: standard output takes the model already, expected --out FILE");
  IdentificationOptions options = arguments.options;
  const InterruptWatch interrupt;
  options.stop_token = interrupt.token();
  std::optional<Identification> found;
  {
    Progress progress(0.0, 1.0, !arguments.quiet, "part done:");
    options.progress = [&progress](int done, int all) { progress.show(static_cast<double>(done) / all); };
    found = identify(data, options);
  }
  write_file(arguments.out, model_text(found->model));
  if (arguments.quiet) return ExitStatus::done;
  if (arguments.json)
    print(identification_json(data, *found, options.discrete));
  else if (arguments.out != "-")
    print(identification_text(data, *found, options.discrete) + "\nmodel in " + arguments.out + "\n");
  return ExitStatus::done;
}

}  // namespace mti
