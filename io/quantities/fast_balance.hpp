#pragma once

#include <map>
#include <optional>
#include <string>

#include "io/quantities/quantities.hpp"

namespace mti::sbml {

/// Where fast reactions come to balance from the start, if their laws may have several balances: the end of
///
///     dξ/dτ = law(S + Nξ),    ξ(0) = 0,
///
/// N the stoichiometries of the species that they change. The sign of a law says in which direction its reaction runs, and so
/// which of several balances it comes to: of k·A·B = 0 that where A is used up if k > 0, and B if k < 0.
struct FastBalance {
  /// In their own measures. Empty where all laws are affine in ξ: then there is one balance, whatever the start, and equations
  /// find it. Null: none was found.
  std::optional<std::map<std::string, double>> species = std::map<std::string, double>();
};
[[nodiscard]] FastBalance balance_at_start(const Quantities& quantities);

}  // namespace mti::sbml
