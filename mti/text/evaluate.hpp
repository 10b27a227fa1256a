#pragma once

#include <optional>
#include <vector>

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

}  // namespace mti::text
