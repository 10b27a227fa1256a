#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mti/cp_map.hpp"
#include "mti/row_map.hpp"
#include "mti/signature.hpp"

namespace mti {

/// Equations that are solved together for as many unknowns out of (ẋ, y, ζ).
///
/// Equation i counts differentiated c_i times, unknown j with its e_j-th derivative; where both lists are
/// empty all of them are 0. In Taylor coefficients: order c_i of the equation gives order e_j of the unknown.
struct SolutionBlock {
  std::vector<int> equations;
  std::vector<int> unknowns;  ///< rows of S
  std::vector<int> c = {}, e = {};
  bool linear = true;  ///< no column of its equations holds two unknowns of order 0

  [[nodiscard]] bool differentiated() const noexcept { return !c.empty(); }
};

/// The way from known x, u to (ẋ, y, ζ) and all their derivatives, by structure alone.
///
/// Without differentiation: the block lower triangular form of f against (ẋ, y, ζ). Otherwise Pryce's
/// Σ-method [BIT Numer. Math. 41 (2001) 364-394] with offsets c, d: first the `early` stages k = −max c … −1,
/// which find what lower derivatives fix, with conditions left that x must fulfil; then the blocks, stage 0
/// and, with the same matrices, every stage above.
struct SolutionPlan {
  struct Condition {
    int equation = -1;
    int order = 0;  ///< this Taylor coefficient of the equation must vanish
  };
  struct Stage {
    std::vector<SolutionBlock> blocks;
    std::vector<Condition> conditions;
  };

  std::vector<Stage> early;
  std::vector<SolutionBlock> blocks;  ///< block lower triangular order
  std::vector<int> over_determined;   ///< equations left when all unknowns are matched
  std::vector<int> under_determined;  ///< unknowns of the under-determined part
  std::vector<int> unmatched;         ///< unknowns that no equation is left for
  int depth = 0;                      ///< largest order beyond the stage that occurs in it

  [[nodiscard]] bool differentiated() const noexcept { return !early.empty(); }
};

/// Plan without differentiation for the rows `equations` of f and `unknowns` of S.
[[nodiscard]] SolutionPlan plan_solution(const CpMap& f, const RowMap& rows, const Signature& signature,
                                         std::span<const int> equations, std::span<const int> unknowns);

/// Plan with as much differentiation as structure asks for. Where it cannot help, what plan_solution says.
/// An unknown is ẋ_i, y_i or a sliding binary by its row of S.
[[nodiscard]] SolutionPlan plan_with_differentiation(const CpMap& f, const RowMap& rows,
                                                     const Signature& signature,
                                                     std::span<const int> equations,
                                                     std::span<const int> unknowns);

}  // namespace mti
