#pragma once

#include <optional>
#include <vector>

#include "io/study_plans/study_plan.hpp"
#include "solvers/sampling/unit_design.hpp"

namespace mti {

/// Which values the factors have in run i = 0 … runs − 1: they depend on the plan and on i alone.
///
///     grid     level ⌊i / (L_(j+1) ⋯ L_d)⌋ mod L_j of factor j, which has L_j
///     list     level i
///     others   x = F_j⁻¹(u_ij) of a factor with distribution F_j, level ⌊u_ij L_j⌋ of one with levels
///
/// In a design of Saltelli's run i = b (d + 2) + k has u_ij = A_bj for k = 0, B_bj for k = d + 1, and between them A_bj but for the k-th factor, which has
/// B_bk; A and B are the halves of points of Sobol's sequence in 2d dimensions.
class StudyPoints {
 public:
  /// The plan outlives it. Threads may share it.
  explicit StudyPoints(const StudyPlan& plan);

  /// Not of factors with a distribution.
  [[nodiscard]] std::size_t level(long run, std::size_t factor) const;
  /// Not of tables.
  [[nodiscard]] double value(long run, std::size_t factor) const;

 private:
  [[nodiscard]] double coordinate(long run, std::size_t factor) const;

  const StudyPlan& plan_;
  std::vector<long> strides_;  ///< of a grid
  std::optional<UnitDesign> spread_;
};

}  // namespace mti
