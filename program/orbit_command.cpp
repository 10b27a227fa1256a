#include <complex>
#include <string>

#include "io/model/read_model.hpp"
#include "io/runs/write_orbit.hpp"
#include "program/commands.hpp"
#include "program/interrupt.hpp"
#include "program/messages.hpp"
#include "solvers/orbits/orbit.hpp"

namespace mti {

ExitStatus run(const OrbitArguments& arguments) {
  const Model model = read_model(arguments.model, arguments.settings, arguments.reach);
  OrbitOptions options = arguments.options;
  const InterruptWatch interrupt;
  options.simulation.stop_token = interrupt.token();
  const Orbit orbit = find_orbit(model, options);
  if (arguments.json)
    print(orbit_json(model, orbit));
  else if (orbit.found)
    print(orbit_text(model, orbit));
  if (!orbit.found) print_faults(arguments.model, {{"no-orbit", "", orbit.message}});
  return orbit.found ? ExitStatus::done : ExitStatus::ended_early;
}

}  // namespace mti
