#pragma once

#include <optional>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/structure/mode_structure.hpp"

namespace mti {

/// Numerical rank of the system Jacobian of a mode at a point,
///
///     J_ij = ∂f_i^(c_i)/∂(signal j)^(d_j) = ∂f_i/∂(highest derivative of signal j in f_i)
///     where d_j − c_i = σ_ij, and 0 elsewhere,
///
/// with the offsets c, d of the mode's structure. Full rank: the leading system gives all highest
/// derivatives, and what structure says about the mode holds (Pryce; see ModeStructure).
struct SystemJacobianRank {
  int size = 0;
  /// Of the whole matrix if it has at most 200 rows; otherwise of its diagonal blocks, added up, which may be
  /// less. Pivots below 1e-12 of the largest count as zero, after rows and columns are scaled to one another.
  int rank = 0;
  bool rank_is_bound = false;  ///< a singular block is too large to be examined: the rank is at most this
  ModePart null_vectors;       ///< equations that depend on each other, signals that they do not determine

  /// A motion begins at the start values, and the point is where: right limits, after jumps if there are any.
  /// Otherwise the point is the start values themselves, with (ẋ, y) from those blocks that have a solution
  /// there if nothing is differentiated.
  bool consistent = false;

  /// A constraint is violated at the point whatever signals are that are not known there: no motion of the mode
  /// passes through it, and a rank that is lost there says nothing about the mode.
  bool excluded = false;

  [[nodiscard]] bool full() const noexcept { return rank == size; }
};

/// The rank at the model's start values and start time. Nothing where there is no system Jacobian:
/// structurally singular modes and modes that slide.
[[nodiscard]] std::optional<SystemJacobianRank> examine_rank(const Model& model, const Mode& mode);

}  // namespace mti
