#pragma once

#include <functional>
#include <string>

#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// Adds a scenario to a source, or the initial equations: those with names that build() would not give again by themselves.
/// `left_side(row)` writes row `row` of its equations, without " = 0".
void add_scenario(const Scenario& scenario, const std::function<std::string(int)>& left_side, Source& source);

}  // namespace mti
