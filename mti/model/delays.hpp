#pragma once

#include <string>

#include "mti/model/model.hpp"

namespace mti {

/// Some input is the past of a signal that follows from the run.
[[nodiscard]] bool has_delays(const Model& model);

/// Throws InvalidOption (id `delayed-signals`) for a model with such inputs, of which `what` ("periodic orbits") know nothing.
void require_no_delayed_signals(const Model& model, const std::string& what);
/// The same also for inputs that are the past of other inputs.
void require_no_delays(const Model& model, const std::string& what);

/// The model with a past of its own to be filled, for one run.
[[nodiscard]] Model with_own_history(Model model);

}  // namespace mti
