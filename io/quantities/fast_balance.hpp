#pragma once

#include <map>
#include <optional>
#include <string>

#include "io/quantities/quantities.hpp"

namespace mti::sbml {

/// By how much fast reactions move the amounts of species from the start to their balance, by species, if their laws may have
/// several balances: Nξ at the end of
///
///     dξ/dτ = law(S + Nξ),    ξ(0) = 0,
///
/// N the stoichiometries of the species that they change, with conversion factors. The sign of a law says in which direction its
/// reaction runs, and so which of several balances it comes to: of k·A·B = 0 that where A is used up if k > 0, and B if k < 0.
///
/// Nothing moves where all laws are affine in ξ: then there is one balance, whatever the start, and equations find it. Null: none
/// was found.
[[nodiscard]] std::optional<std::map<std::string, double>> moved_to_balance(const Quantities& quantities);

}  // namespace mti::sbml
