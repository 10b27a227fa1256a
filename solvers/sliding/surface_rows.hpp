#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"

namespace mti {

/// A surface by one of the rows that vanish on it.
struct SurfaceRow {
  std::shared_ptr<const ModeSystem> system;  ///< in whose g it stands
  int constraint = -1;
};

/// The rows of g in which a decider of A occurs: among them are the surfaces that it can slide on, and by them a mode
/// lies on one side of a surface or the other.
class SurfaceRows {
 public:
  /// `deciders` is ascending.
  SurfaceRows(const SwitchingProblem& problem, std::span<const int> deciders);

  /// The row holds a decider of A.
  [[nodiscard]] bool contains(int row) const;
  /// It does, and in this mode signals as well, so that it is zero on a surface.
  [[nodiscard]] bool may_be_surface(const ModeSystem& system, int row) const;
  /// 1 if the row of the mode vanishes on the surface with the sign of the surface's own row, −1 with the opposite
  /// one, 0 if it does not (solvers/mode/surface.hpp).
  [[nodiscard]] int sign_on(const SurfaceRow& surface, const ModeSystem& system, int row) const;

  struct SignedRow {
    int row = -1, sign = 0;
  };
  /// The mode's rows that vanish on the surface, ascending.
  [[nodiscard]] std::vector<SignedRow> rows_on(const SurfaceRow& surface, const ModeSystem& system) const;
  /// The first of them; −1 if there is none.
  [[nodiscard]] int first_row_on(const SurfaceRow& surface, const ModeSystem& system) const;

 private:
  std::vector<int> constraints_;  ///< ascending
  std::vector<double> scale_;     ///< what an entry of v is large against; 1 where nothing is known
  const std::vector<double>& v_;
};

/// Where a mode with these rows lies: −1 below the surface, 1 above it, 0 if the rows do not say. A row s ≤ 0 holds
/// below, −s ≤ 0 above; a mode with both, or with none, is on no side.
[[nodiscard]] int side_of(std::span<const SurfaceRows::SignedRow> rows);

}  // namespace mti
