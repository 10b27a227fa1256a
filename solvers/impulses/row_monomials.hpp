#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "mti/multilinear/row_map.hpp"

namespace mti {

/// Coefficients of products of unknowns, by the rows of S of their factors, ascending; none: the constant.
using Monomials = std::map<std::vector<int>, Ball>;

/// A row without functions as Σ coefficient · Π of unknowns,
///
///     Φ Π_b (1 − |S_b| + S_b v_b) = Φ Σ_U Π_{b ∉ U} (1 − |S_b| + …) Π_{b ∈ U} S_b v_b,    U ⊆ unknown factors
///
/// with equal products added up, and those left out whose coefficient is 0. A column with k unknown factors has up to
/// 2^k of them. Nothing if there are more than `most`.
///
/// `unknown` is by row of S, `value` the value of a factor of something known, with its error. Ends with the budget of
/// the run.
[[nodiscard]] std::optional<Monomials> monomials_of(const RowMap& f, int row,
                                                    const std::vector<char>& unknown,
                                                    const std::function<Ball(const RowMap::Factor&)>& value,
                                                    std::size_t most);

}  // namespace mti
