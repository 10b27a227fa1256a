#pragma once

#include "mti/model/model.hpp"

namespace mti {

/// Both replace the same rows, by equations that are the same column for column.
[[nodiscard]] bool same_law(const Transition& a, const Transition& b);

}  // namespace mti
