#pragma once

#include "io/json/object_reader.hpp"
#include "mti/source/overrides.hpp"

namespace mti::json {

/// The member "set" of a plan, or of a part of it: plain numbers by the names of what they replace, {"k": 2, "tank.x": 0}.
[[nodiscard]] Overrides read_plan_values(ObjectReader& owner);

}  // namespace mti::json
