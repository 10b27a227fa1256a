#pragma once

#include "io/sbml/document.hpp"

namespace mti::sbml {

/// Writes the symbol delay(E, T) as E of what was T ago: of time t − T, of a variable x that no formula determines "past"
/// (x, T), of one that a rule or a law determines that formula T ago, which holds before the start, too.
/// What has no such form, as a rate of change, stays as it is.
void write_past_values(Document& document);

}  // namespace mti::sbml
