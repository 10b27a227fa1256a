#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// Share of an unknown in an eigenvalue.
struct Participation {
  int unknown = -1;  ///< column of E and A
  double share = 0.0;
};

/// A finite generalised eigenvalue λ with (A − λE) r = 0, l* (A − λE) = 0.
struct Eigenvalue {
  std::complex<double> value;
  /// ‖(A − λE) r‖ / ((‖A‖ + |λ|‖E‖) ‖r‖) in the block of the pencil that λ belongs to, in the scaling in
  /// which it was solved; not a number where vectors were not asked for.
  double residual = 0.0;
  /// Σ_k |(l* E)_k r_k| / |Σ_k (l* E)_k r_k| ≥ 1: how many times more than by its own size λ can move with
  /// its entries. Infinite for a defective eigenvalue, whose shares then mean little. Scaling signals or
  /// equations does not change it. Not a number where vectors were not asked for.
  double condition = 0.0;
  /// Shares |(l* E)_k r_k|, in all 1, the largest first; those below 1e-6 are left out. Empty where vectors
  /// were not asked for.
  std::vector<Participation> participation = {};
};

struct EigenvalueOptions {
  /// Only so many, the nearest to `near` (complex pairs count as two and stay together); default: all.
  std::optional<int> count = {};
  std::complex<double> near = 0.0;
  bool participation = false;
  int largest_dense = 1500;  ///< unknowns with dynamics in one block whose eigenvalues are all computed
};

struct PencilSpectrum {
  bool computed = false;
  std::string note = {};                ///< why not: not square, singular pencil, a block too large
  std::vector<Eigenvalue> values = {};  ///< ascending by real part, then by imaginary part
  int blocks = 0;                       ///< of the block triangular form
  int largest_block = 0;                ///< its unknowns
};

/// The finite eigenvalues of the pencil λE − A, block by block.
///
///     det(λE − A) = ± Π_b det(λE_bb − A_bb)
///
/// The blocks are those of the block triangular form of the pattern of E and A together, so that the
/// eigenvalues of any number of small blocks are found in near-linear time. In a block the infinite
/// eigenvalues are taken off first: with U* E = (E₁; 0) and U* A = (A₁; A₂), the finite ones are those of
/// (E₁, A₁) on the null space of A₂; repeated while E₁ loses rank there, once for every index of the block
/// (Wong sequences). In blocks of index 1 with sparse rows this is one sparse factorisation. With `count`,
/// blocks with more than a few hundred dynamic unknowns are searched around `near` by the Krylov–Schur
/// method (Stewart, SIAM J. Matrix Anal. Appl. 23 (2002) 601-614) on (A_bb − σE_bb)⁻¹ E_bb, whose zero
/// eigenvalues are the infinite ones. A left vector of λ is zero in the blocks after its own, a right one
/// in those before: shares come from the block alone.
[[nodiscard]] PencilSpectrum finite_eigenvalues(const SparseColumns& E, const SparseColumns& A,
                                                const EigenvalueOptions& options = {});

}  // namespace mti
