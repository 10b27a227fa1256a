#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solvers/orbits/branch_corrector.hpp"

namespace mti {

/// What happens between two orbits of one sequence of events, a and b = orbit_at(length): in the order along the branch.
struct BranchPassage {
  BranchPoint::Kind kind = BranchPoint::Kind::regular;
  double place = 0.0;  ///< 0 … length
  BranchOrbit orbit;
};

/// A passage is where a test function is zero, located by the secant and by halves:
///
///     fold, branching   τ_p, or Π (μ_i − 1) where the branch does not turn
///     period doubling   Π (μ_i + 1)
///     torus             Π_{i<j} (μ_i μ_j − 1)
///
/// and the numbers of multipliers right of 1, left of −1 and in pairs outside of the unit circle say which of these to look at. A fold at which no multiplier passes 1 has the kind `rest`:
/// the branch runs into itself, as at a point of rest.
///
/// Nothing where b is too far from a for an answer: a test function changes its sign and is not found to be small, as where the step has gone across a bend.
/// Source: [seydel2010], ch. 5.
[[nodiscard]] std::optional<std::vector<BranchPassage>> passages_between(
    const BranchOrbit& a, const BranchOrbit& b, double length,
    const std::function<BranchOrbit(double)>& orbit_at);

}  // namespace mti
