#include "tests/fmi/importer_parts.hpp"

#include <stdexcept>

namespace mti::test {

void note_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message) {
  static_cast<std::vector<std::string>*>(environment)
      ->push_back(std::to_string(static_cast<int>(status)) + " " + category + " " + message);
}

DiscreteUpdate update_discrete_states(const UnpackedFmu& fmu, fmi3Instance instance) {
  constexpr int most_rounds = 100;
  DiscreteUpdate update;
  bool again = true;
  for (int rounds = 0; again && !update.ended; ++rounds) {
    if (rounds == most_rounds) throw std::runtime_error("the discrete states change for ever");
    bool states = false, nominals = false, defined = false;
    double next = 0.0;
    update.status = MTI_FMU_CALL(fmu, fmi3UpdateDiscreteStates)(instance, &again, &update.ended, &nominals,
                                                                &states, &defined, &next);
    if (update.status != fmi3OK) return update;
    update.states_changed = update.states_changed || states;
    update.nominals_changed = update.nominals_changed || nominals;
    update.next_event = defined ? next : std::numeric_limits<double>::infinity();
  }
  return update;
}

}  // namespace mti::test
