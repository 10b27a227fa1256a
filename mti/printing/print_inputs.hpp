#pragma once

#include <vector>

#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// The inputs of a model as they are written in a file.
[[nodiscard]] std::vector<InputSource> printed_inputs(const Model& model);

}  // namespace mti
