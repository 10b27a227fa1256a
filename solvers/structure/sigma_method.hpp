#pragma once

#include <vector>

#include "solvers/structure/block_triangular.hpp"
#include "solvers/structure/incidence.hpp"

namespace mti {

/// How often each signal (column) is differentiated in each equation (row): σ_ij ≥ 0, or −∞ where absent.
struct SigmaMatrix {
  Incidence pattern;                            ///< where σ_ij is finite
  Indexed<PatternRow, std::vector<int>> order;  ///< order[i][e] = σ_ij of the e-th column j of pattern.row(i)
};

/// Offsets of a structurally regular system: equation i is to be differentiated c_i times, signal j occurs
/// up to its d_j-th derivative then,
///
///     d_j − c_i ≥ σ_ij,  equality on a perfect matching,  c ≥ 0, and c, d the smallest with that.
struct Offsets {
  Indexed<PatternRow, int> c;     ///< one per equation
  Indexed<PatternColumn, int> d;  ///< one per signal
  std::vector<Block> blocks;  ///< block lower triangular form of the leading system, where d_j − c_i = σ_ij

  [[nodiscard]] int degrees_of_freedom() const;  ///< Σ d_j − Σ c_i
  [[nodiscard]] int largest_c() const;           ///< 0 for an empty system
};

/// Pryce's Σ-method [BIT Numer. Math. 41 (2001) 364-394]. `sigma` must have a perfect matching; then the
/// result exists and is unique.
///
/// Starts from c = 0, d_j = max_i σ_ij. While the pattern of equality has an over-determined part, every
/// solution must differentiate all of its equations further: their c rises by the least slack. Each round
/// is one matching, warm started; there are at most as many rounds as values of c are met on the way.
[[nodiscard]] Offsets smallest_offsets(const SigmaMatrix& sigma);

}  // namespace mti
