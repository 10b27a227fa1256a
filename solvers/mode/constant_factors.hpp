#pragma once

#include <cstddef>
#include <unordered_map>

#include "mti/multilinear/row_map.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// The factors of blocks whose matrix is the same at every instant of one mode: no column of their equations holds two
/// signals, so that ∂f_i/∂v_j are numbers of the mode. They are factorised once. A mode of a linear network consists of
/// such blocks.
class ConstantFactors {
 public:
  /// Null if the block has none, or none has been kept.
  [[nodiscard]] const LuFactor* find(const SolutionBlock& block) const;
  /// Keeps the factor if the matrix is constant and there is room for it. The block is known by its place, which it keeps
  /// as long as the mode's plan lives; f is the mode's.
  void keep(const RowMap& f, const SolutionBlock& block, const LuFactor& factor);

  /// Σ size² ≤ most_entries: with the inverse's magnitude that each factor holds, no more than 256 kB for a mode.
  static constexpr std::size_t most_entries = 16'384;

 private:
  std::unordered_map<const SolutionBlock*, LuFactor> factors_;
  std::size_t entries_ = 0;
};

}  // namespace mti
