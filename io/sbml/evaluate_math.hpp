#pragma once

#include <functional>
#include <optional>
#include <string>

#include "io/sbml/document.hpp"

namespace mti::sbml {

/// The number that stands for a name, or nothing.
using Lookup = std::function<std::optional<double>(const std::string&)>;

/// The value of a formula in double precision, conditions being 0 and 1; nothing where a name has none, or for what is no
/// function of numbers (delay, rateOf). `time` is 0, for values are asked for at the start.
[[nodiscard]] std::optional<double> evaluate(const Math& math, const Lookup& lookup);

/// Functions that step from value to value: floor, ceiling, factorial, quotient, rem.
[[nodiscard]] bool is_stepwise(const std::string& op);
/// Whether a formula is a condition: a comparison, logic, or pieces that are conditions.
[[nodiscard]] bool is_condition(const Math& math);
/// Whether a condition stands in it at any depth.
[[nodiscard]] bool holds_condition(const Math& math);
/// Whether the symbol of time stands in it, by no name.
[[nodiscard]] bool holds_time(const Math& math);
/// A piecewise without otherwise of which one condition always holds, as its last one is true or the opposite of one before, with
/// its last piece as otherwise; nothing if that is not seen.
[[nodiscard]] std::optional<Math> with_otherwise(const Math& piecewise);
/// Calls visit(name) for every name in a formula.
void visit_names(const Math& math, const std::function<void(const std::string&)>& visit);

}  // namespace mti::sbml
