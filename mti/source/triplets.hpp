#pragma once

#include "mti/multilinear/cp_map.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// The entries of a matrix in the order of columns, then rows.
[[nodiscard]] TripletSource triplets_of(const SparseColumns& matrix);

}  // namespace mti
