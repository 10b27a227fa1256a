#include <complex>
#include <string>

#include "io/model/read_model.hpp"
#include "io/runs/write_orbit.hpp"
#include "program/commands/commands.hpp"
#include "program/console/messages.hpp"
#include "program/guard/command_limit.hpp"
#include "program/guard/interrupt.hpp"
#include "solvers/orbits/orbit.hpp"

namespace mti {

ExitStatus run(const OrbitArguments& arguments) {
  const InterruptWatch interrupt;
  CommandLimit limit(arguments.options.simulation.max_seconds, arguments.model, interrupt.token());
  const Model model = read_model(arguments.model, arguments.settings, arguments.reach);
  limit.reading_is_done();
  OrbitOptions options = arguments.options;
  options.simulation.stop_token = interrupt.token();
  options.simulation.max_seconds = limit.seconds_left();
  const Orbit orbit = find_orbit(model, options);
  std::string text;
  if (arguments.json)
    text = orbit_json(model, orbit);
  else if (orbit.found)
    text = orbit_text(model, orbit);
  limit.results_are_there();
  print(text);
  if (!orbit.found) print_faults(arguments.model, {{"no-orbit", "", orbit.message}});
  return orbit.found ? ExitStatus::done : ExitStatus::ended_early;
}

}  // namespace mti
