#pragma once

#include <string>

#include "mti/model/model.hpp"

namespace mti {

[[nodiscard]] bool has_delays(const Model& model);

/// Throws InvalidOption (id `delayed-signals`) for a model with delayed signals, of which `what` ("periodic orbits") know nothing.
void require_no_delays(const Model& model, const std::string& what);

/// The model with a past of its own to be filled, for one run.
[[nodiscard]] Model with_own_history(Model model);

}  // namespace mti
