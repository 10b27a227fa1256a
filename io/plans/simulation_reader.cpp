#include "io/plans/simulation_reader.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "io/json/object_reader.hpp"

namespace mti::json {

SimulationOptions read_simulation(const Value& value, const std::string& pointer,
                                  std::vector<Fault>& faults) {
  static constexpr std::array<std::pair<std::string_view, IntegratorChoice>, 4> words = {
      {{"auto", IntegratorChoice::automatic},
       {"series", IntegratorChoice::series},
       {"flow", IntegratorChoice::flow},
       {"ida", IntegratorChoice::ida}}};
  SimulationOptions options;
  ObjectReader simulation(value, pointer, faults);
  if (!simulation.is_object()) return options;
  options.start = simulation.plain_number("start");
  options.stop = simulation.plain_number("stop");
  options.rtol = simulation.plain_number("rtol");
  options.atol = simulation.plain_number("atol");
  options.output_interval = simulation.plain_number("output_interval");
  if (const auto seconds = simulation.plain_number("max_seconds")) options.max_seconds = *seconds;
  if (const auto events = simulation.index("max_events")) options.max_events = *events;
  options.sliding = simulation.boolean("sliding").value_or(true);
  if (const auto word = simulation.string("integrator")) {
    const auto found = std::ranges::find(words, *word, [](const auto& entry) { return entry.first; });
    if (found == words.end())
      simulation.fault("bad-option", simulation.pointer_to("integrator"),
                       "found " + in_quotes(*word) + ", expected auto, series, flow or ida");
    else
      options.integrator = found->second;
  }
  simulation.finish();
  return options;
}

}  // namespace mti::json
