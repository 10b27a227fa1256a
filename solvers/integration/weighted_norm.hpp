#pragma once

#include <span>

namespace mti {

/// The norm of local errors and of Newton's changes,
///
///     √( Σ_i (v_i w_i)² / n ) ,
///
/// for v and w of the same size n. Its terms are added up in eight sums, none of which waits for another.
[[nodiscard]] double weighted_norm(std::span<const double> v, std::span<const double> w);

}  // namespace mti
