#include "io/analysis/mode_text.hpp"
#include "io/analysis/write_equilibria.hpp"
#include "io/model/read_model.hpp"
#include "program/commands.hpp"
#include "program/interrupt.hpp"
#include "program/messages.hpp"
#include "solvers/equilibria/equilibrium.hpp"

namespace mti {

ExitStatus run(const EquilibriumArguments& arguments) {
  const Model model = read_model(arguments.model, arguments.settings, arguments.reach);
  const InterruptWatch interrupt;
  EquilibriumOptions options{.time = arguments.time, .all = arguments.all, .stop_token = interrupt.token()};
  if (arguments.mode) options.mode = parse_mode(model, *arguments.mode);
  const EquilibriumSearch search = find_equilibria(model, options);
  if (arguments.json)
    print(equilibria_json(model, search));
  else if (!search.equilibria.empty())
    print(equilibria_text(model, search));
  if (!search.equilibria.empty()) return ExitStatus::done;
  print_faults(arguments.model, {{"no_equilibrium", "", search.message}});
  return ExitStatus::ended_early;
}

}  // namespace mti
