#pragma once

#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// Which of these rows of the unfrozen f are left out, and none of them is missed in any mode: of each sum with numbers u_i
///
///     f_p = Σ_i u_i f_i,      for all ẋ, x, u, y, z
///
/// one row, that with the most columns; of equals the last. So a copy of a row is found, a multiple, and a balance of what
/// other rows balance part by part. Ascending. Not seen are sums with functions of signals, those that vanish by more than
/// numbers u_i, and those of some modes only (solvers/solvability/redundant_rows.hpp).
[[nodiscard]] std::vector<int> redundant_in_every_mode(const Model& model, const RowMap& f,
                                                       std::span<const int> rows);

}  // namespace mti
