#pragma once

#include <optional>
#include <string>

#include "io/sbml/document.hpp"

namespace mti::sbml {

/// The formula that gives the rate of x at the start; nothing where there is none that is known:
///
///     the rate rule of x;  0 of what nothing changes but events;
///     f·Σ ± n·R of a species in reactions, divided by the size of a constant compartment if it is a concentration
///
[[nodiscard]] std::optional<Math> rate_at_start(const Document& document, const std::string& id);

/// rateOf(x) in initial assignments as that formula. Others stay, and are refused where they are read.
void write_rates_at_start(Document& document);

}  // namespace mti::sbml
