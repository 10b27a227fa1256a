#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fmi/interface/fmi3.hpp"
#include "tests/fmi/unpacked_fmu.hpp"

namespace mti::test {

/// What the importers of these tests have in common.

/// Adds "status category message" to the log, a std::vector<std::string> that `environment` leads to.
void note_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message);

/// What fmi3UpdateDiscreteStates has come to, called as long as it asks for.
struct DiscreteUpdate {
  fmi3Status status = fmi3OK;
  bool ended = false, states_changed = false, nominals_changed = false;
  double next_event = std::numeric_limits<double>::infinity();
};
/// Throws std::runtime_error where it asks for ever.
DiscreteUpdate update_discrete_states(const UnpackedFmu& fmu, fmi3Instance instance);

}  // namespace mti::test
