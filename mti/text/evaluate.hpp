#pragma once

#include <functional>
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

/// Does `work` on a branch that is not chosen, for its faults: that it has no value is none, for that is what a
/// condition is for. `failed` is the mark of whoever works.
void look_at_unused(std::vector<TextFault>& faults, bool& failed, const std::function<void()>& work);

/// What is wrong where "R decides" something that has no derivative, and where a value has none.
[[nodiscard]] std::string decides(const std::string& directions, const std::string& what);
[[nodiscard]] std::string not_differentiable(const std::string& directions, const std::string& what);

}  // namespace mti::text
