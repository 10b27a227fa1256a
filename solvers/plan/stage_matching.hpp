#pragma once

#include <span>

#include "mti/common/index.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/structure/incidence.hpp"
#include "solvers/structure/matching.hpp"

namespace mti {

/// Rows without products keep their pivots whatever the point; what is left over, as a condition, is rather
/// one with products: of x̂ = x and x·x̂ + y·ŷ = 1 the second. Before these come functions, which give their results: of
/// s = sin a, c = sin b, s + c = 0 the last is the condition. So do quotients: of q·b = a and v = w·(1 + q) the second, for w may be
/// 0 and b is not. Of other rows with products those come first that hold the unknown alone: of a + a·b = c and v = w·(1 + a) again
/// the second is the condition.
[[nodiscard]] Matching match_linear_rows_first(const Incidence& pattern,
                                               IndexedSpan<PatternRow, int> equations,
                                               IndexedSpan<PatternColumn, int> unknowns, const RowMap& f,
                                               std::span<const Divisor> divisors);

}  // namespace mti
