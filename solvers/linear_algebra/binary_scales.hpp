#pragma once

#include <vector>

namespace mti {

/// An entry a ≠ 0 of a sparse matrix.
struct SparseEntry {
  int row = 0, column = 0;
  double value = 0.0;
};

/// Powers of 2 that bring a matrix into units of its own: entries a_ij 2^(ρ_i + γ_j), as integers ρ and γ.
struct BinaryScales {
  std::vector<int> rows, columns;
};

/// The scales that minimise
///
///     Σ (log₂|a_ij| + ρ_i + γ_j)²          over the entries a_ij ≠ 0
///
/// rounded to integers, then rows and at last columns with a largest entry in [1, 2). Entries stand at different
/// places, nonzero and finite.
///
/// Nothing is rounded by them, and they do not depend on units: where rows and columns of a are multiplied by
/// powers of 2, the very same scaled matrix comes out. For a first choice, entries of a spanning forest, which
/// the pattern alone selects, are brought to [1, 2); what is left is the same whatever the units, and conjugate
/// gradients start from it.
/// Source: Curtis, Reid, On the automatic scaling of matrices for Gaussian elimination, J. Inst. Maths
/// Applics 10 (1972) 118-124.
[[nodiscard]] BinaryScales binary_scales(int rows, int columns, const std::vector<SparseEntry>& entries);

}  // namespace mti
