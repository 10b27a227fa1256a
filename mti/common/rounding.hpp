#pragma once

#include <limits>

namespace mti {

/// The distance from 1 to the next double.
inline constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

/// Of an equilibrated matrix, what pivoting leaves below this part of its largest pivot counts as zero.
inline constexpr double rank_tolerance = 1e-12;

}  // namespace mti
