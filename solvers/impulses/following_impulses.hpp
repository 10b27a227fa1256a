#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/impulses/impulsive_part.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// The impulses of a block of sums of impulses that are known,
///
///     Σ_j a_ij Y_j + Σ_k b_ik W_k h^(−o_k) = 0,     Y_j ∼ h^(−o)
///
/// with o the largest of the orders for which Y_j does not vanish. a_ij and b_ik are taken at v. `known` are the parts of
/// ẋ and y that grow, those of ẋ by its row of S. Nothing where terms of the same order cancel, for then the order is that of
/// terms that are not known, where the matrix is singular, and where a column holds two signals that grow. Parts ascend by row; what does not grow has none.
[[nodiscard]] std::optional<std::vector<ImpulsivePart>> following_impulses(
    const RowMap& f, const SolutionBlock& block, std::span<const double> v,
    std::span<const ImpulsivePart> known);

}  // namespace mti
