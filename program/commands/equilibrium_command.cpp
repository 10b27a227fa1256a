#include <string>

#include "io/analysis/mode_text.hpp"
#include "io/analysis/write_equilibria.hpp"
#include "io/model/read_model.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/equilibria/equilibrium.hpp"

namespace mti {

ExitStatus run(const EquilibriumArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.max_seconds, arguments.model, interrupt.token());
  const Model model = read_model(arguments.model, arguments.settings, arguments.reach);
  limit.reading_is_done();
  EquilibriumOptions options{.time = arguments.time, .all = arguments.all, .stop_token = interrupt.token()};
  if (arguments.mode) options.mode = parse_mode(model, *arguments.mode);
  const EquilibriumSearch search = find_equilibria(model, options);
  std::string text;
  if (arguments.json)
    text = equilibria_json(model, search);
  else if (!search.equilibria.empty())
    text = equilibria_text(model, search);
  limit.results_are_there();
  print(text);
  if (!search.equilibria.empty()) return ExitStatus::done;
  print_faults(arguments.model, {{"no_equilibrium", "", search.message}});
  return ExitStatus::ended_early;
}

}  // namespace mti
