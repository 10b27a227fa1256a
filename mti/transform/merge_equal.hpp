#pragma once

#include "mti/transform/recovery.hpp"

namespace mti {

/// Merges what stands twice in a model, f and g unchanged:
///
///     columns    S_·k = S_·l up to the sign of factors ±v_i: one column, Φ_·k ± Φ_·l
///     equations  f_i = c · f_j exactly, c ≠ 0: the one declared first stays
///     constraints  g_i = c · g_j exactly, c > 0: the one declared first stays
///
/// and leaves out columns in no row and equations 0 = 0. "Exactly" is decided on products without rounding.
/// Two equations are one only where the same transition laws put them out of force; of two constraints that
/// of a `reach` law stays, and where both are such, both stay. Texts of laws and scenarios are kept as they
/// are. Cost: O(non-zeros of S and Φ).
[[nodiscard]] Transformed merge_equal(const Model& model);

}  // namespace mti
