#pragma once

#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// States (0 … n − 1) that occur in rows of g.
[[nodiscard]] std::vector<int> states_in(const RowMap& g, std::span<const int> rows,
                                         std::span<const double> v, const Signature& signature);

/// Puts the states in v on the surfaces g_l = 0 of `rows`, by the smallest move in the metric of `weights`.
/// Rows whose gradient is zero there, or that hold algebraic signals, are left as they are.
void put_on_surfaces(const RowMap& g, std::span<const int> rows, const Signature& signature,
                     std::span<const double> weights, std::span<double> v);

}  // namespace mti
