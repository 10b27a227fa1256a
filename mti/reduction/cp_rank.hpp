#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// Frobenius norm of the tensor a CP map stands for: the root of the sum of the squares of all coefficients
/// after multiplying out,
///
///     ‖T‖² = Σ_j Σ_kl Φ_jk Φ_jl Π_i (a_ik · a_il),    a_ik = (1 − |S_ik|, S_ik)
///
/// taken row by row from triangular factors of the Gram matrices of the columns, so that a small difference
/// of large columns keeps its digits (relative to the columns' norms about 1e-15; 1e-9 for rows of more than
/// 64 columns, whose Gram matrices are summed). The tensor itself, of 2^N entries a row, is never formed.
[[nodiscard]] double frobenius_norm(const CpMap& map);

/// ‖T_a − T_b‖; equal columns cancel before. Both maps have the same signals and rows.
[[nodiscard]] double frobenius_distance(const CpMap& a, const CpMap& b);

struct RankReductionOptions {
  /// Largest ‖T_after − T_before‖/‖T_before‖, at least 0 and below 1. With 0 only columns are merged that
  /// merge exactly, up to rounding.
  double tolerance = 1e-8;
  std::uint64_t seed = 1;  ///< of the start values
};

/// What a reduction has done.
struct RankReduction {
  CpMap map;
  int columns_before = 0;
  int columns_merged = 0;       ///< columns left after the exact merging alone
  double relative_error = 0.0;  ///< ‖T_after − T_before‖/‖T_before‖, measured on the result
};

/// Writes a CP map with fewer columns, within a tolerance.
///
/// 1. Columns that agree in all signals but one are a matrix 2 × rows; it is replaced by as many columns as
///    its rank (at most 2), again and again: exact.
/// 2. Columns that have coefficients in the same rows (and the same factors of `kept_signals`) are fitted by
///    fewer ones: least squares for all factors at once (damped Gauss–Newton method on the normal equations,
///    which come from Gram matrices), from several starts. Alternating least squares solve the same problem
///    but stall where columns are nearly parallel. Ranks below the numerical rank of any unfolding into two
///    groups of signals are not tried, for none of them fits (Eckart, Young 1936).
///
/// A row gets no signal that it did not hold, so structure stays as it is. The error is measured at the end;
/// if it is above the tolerance (or above rounding, 1e-13, where that is larger) the fits are given up and
/// the exact result is returned. Step 2 works on groups of at most 24 columns and is a heuristic: a map may
/// have a smaller rank than what is found. Source: Kolda, Bader, SIAM Review 51 (2009) 455–500, section 3.4;
/// Tomasi, Bro, Computational Statistics & Data Analysis 50 (2006) 1700–1734.
///
/// Errors: InvalidOption, id `bad-tolerance`.
[[nodiscard]] RankReduction reduce_rank(const CpMap& map, const RankReductionOptions& options = {},
                                        const std::vector<int>& kept_signals = {});

/// The same for a model's f and g together, whose binaries, pre(z) and binary inputs are kept.
struct ModelRankReduction {
  Model model;
  int columns_before = 0;
  int columns_merged = 0;
  double relative_error = 0.0;
};
[[nodiscard]] ModelRankReduction reduce_rank(const Model& model, const RankReductionOptions& options = {});

}  // namespace mti
