#pragma once

#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// The binaries of conditions, with their rows, that the model still has where it was changed to one with other rows or signals.
[[nodiscard]] std::vector<SignBinary> known_signs(const Model& model);

}  // namespace mti
