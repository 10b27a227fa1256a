#pragma once

#include <string>
#include <vector>

#include "io/quantities/quantities.hpp"
#include "io/sbml/refusals.hpp"

namespace mti::sbml {

/// Events that assign to `variable`, if it is a name, exactly the constant that it is compared with, by the values as they are set.
[[nodiscard]] std::vector<std::string> exact_assignments(const Quantities& quantities, const Math& variable,
                                                         const Math& threshold);

/// What is refused then: "compares x with exactly the number that E assigns to it: …".
[[nodiscard]] std::string exact_text(const Math& variable, const std::string& event);

/// `sbml-event` where a formula, outside of triggers, compares so what nothing moves but events: signals at a threshold keep the side
/// that they had, and no motion leads away from there.
void refuse_exact_assignments(const Quantities& quantities, Refusals& refusals);

}  // namespace mti::sbml
