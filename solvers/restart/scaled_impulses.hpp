#pragma once

#include <span>
#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// The Dirac balance of blocks that multiply impulses with each other: the limit h → 0 of
///
///     f((x⁺ − x⁻)/h, x⁺, y) = 0,    y = h^(−o) ŷ
///
/// with the orders o of solvers/impulses/impulse_orders.hpp. The leading terms of each row determine the jumps Δx and
/// the scaled ŷ. `blocks` are of stage −1 (Δx, weights and values of order 0); `restart` receives Δx and
/// weights, those of orders other than 1 among its `others`, and what was balanced as `leading`: whether a
/// leading term is multiplied by what jumps is looked at when right limits are known
/// (solvers/restart/impulse_coefficients.hpp). Everything outside of the blocks is known.
/// Refused (product_of_impulses) if no order or no real solution exists, or more than one.
void balance_by_orders(const RestartPlace& place, std::span<const SolutionBlock* const> blocks,
                       Restart& restart);

/// Enters what a block of sums of the `known` impulses has got by them (solvers/impulses/following_impulses.hpp).
void enter_followers(const RestartPlace& place, const SolutionBlock& block,
                     std::span<const ImpulsivePart> known, const std::vector<ImpulsivePart>& parts,
                     Restart& restart);

}  // namespace mti
