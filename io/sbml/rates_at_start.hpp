#pragma once

#include "io/sbml/document.hpp"

namespace mti::sbml {

/// rateOf(x) in initial assignments as the formula that gives the rate at the start:
///
///     the rate rule of x;  0 of what nothing changes but events;
///     f·Σ ± n·R of a species in reactions, divided by the size of a constant compartment if it is a concentration
///
/// Others stay, and are refused where they are read.
void write_rates_at_start(Document& document);

}  // namespace mti::sbml
