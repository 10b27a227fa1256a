#pragma once

#include <set>
#include <string>

#include "mti/source/source.hpp"

namespace mti {

/// Of a law that replaces equations and sets `states`: what an impulse of the replaced rows acts on is these states alone. A
/// reset knows of no others, which would have to jump, too.
/// Throws InvalidModel at `pointer` (id `modelica-unwritable`) where the impulse of a signal stands in other equations.
void require_own_impulse(const Source& source, const TransitionSource& law,
                         const std::set<std::string>& states, const std::string& pointer);

}  // namespace mti
