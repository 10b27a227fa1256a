#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "mti/common/dual.hpp"
#include "mti/source/declarations.hpp"
#include "mti/text/ast.hpp"

namespace mti::text {

/// Value of an expression of parameters, in double precision, left to right; it may be infinite or NaN.
/// Nothing if there are faults, or if a parameter in it has no value because of an earlier fault.
///
/// Faults (appended): `unknown-name`, `signal-as-number`, `parameter-order`, `unknown-function`,
/// `wrong-arguments`, `not-a-condition`, `division-by-zero`.
[[nodiscard]] std::optional<double> evaluate(const Node& node, const Declarations& names,
                                             std::vector<TextFault>& faults);
/// The same with derivatives in the directions of `names`. Faults are also `not-differentiable` and `parameter-decides`,
/// of conditions whose value depends on a direction.
[[nodiscard]] std::optional<Dual> evaluate_dual(const Node& node, const Declarations& names,
                                                std::vector<TextFault>& faults);

/// Takes away, from `first` on, what says no more than that a value does not exist, as of a branch that is not chosen. True if
/// nothing is left there.
bool drop_faults_of_value(std::vector<TextFault>& faults, std::size_t first);

/// What is wrong where "R decides" something that has no derivative, and where a value has none.
[[nodiscard]] std::string decides(const std::string& directions, const std::string& what);
[[nodiscard]] std::string not_differentiable(const std::string& directions, const std::string& what);

}  // namespace mti::text
