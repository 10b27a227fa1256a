#pragma once

#include <memory>

#include "solvers/search/constraint_propagation.hpp"

namespace mti {

/// The rows of a local problem as linear inequalities with binaries in [0, 1]; a product w = p·v of two
/// variables in [p₋, p₊] and [v₋, v₊] is kept between McCormick's planes
///
///     w ≥ p₋v + v₋p − p₋v₋,   w ≥ p₊v + v₊p − p₊v₊,   w ≤ p₊v + v₋p − p₊v₋,   w ≤ p₋v + v₊p − p₋v₊
///
/// as far as the bounds are finite, and is exact where a binary factor is decided.
///
/// Errors of the coefficients become slack; every row, scaled to 1, has 10⁻⁷ more. What the programme's dual
/// solution proves is computed anew from it, so that its own tolerances do not matter.
/// Source: McCormick 1976 (10.1007/BF01580665); Neumaier and Shcherbina 2004 (10.1007/s10107-003-0433-3).
class LinearRelaxation {
 public:
  /// `state` is what holds for all assignments that will be asked for.
  LinearRelaxation(const ConstraintProblem& problem, const ProblemState& state);
  ~LinearRelaxation();
  LinearRelaxation(const LinearRelaxation&) = delete;
  LinearRelaxation& operator=(const LinearRelaxation&) = delete;

  struct Bound {
    bool possible = true;  ///< false: it is proved that no assignment agrees with the state
    int flips = 0;         ///< at least so many binaries differ from z⁻
  };
  [[nodiscard]] Bound bound(const ProblemState& state);

  /// Bounds of an unknown signal over all assignments that agree with the state.
  [[nodiscard]] Interval range(const ProblemState& state, int unknown);

 private:
  class Programme;
  std::unique_ptr<Programme> programme_;
};

}  // namespace mti
