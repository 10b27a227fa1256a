#pragma once

#include <vector>

#include "mti/common/fault.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// What of the experiment of a model file cannot be run, whatever the options: id `bad-experiment`, where an option that says
/// the same is a `bad-option`.
[[nodiscard]] std::vector<Fault> experiment_faults(const Model& model);

}  // namespace mti
