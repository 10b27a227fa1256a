#pragma once

#include <span>
#include <vector>

#include "solvers/identification/rank_search.hpp"

namespace mti {

/// What is left of samples that a fit has not seen, in units in which each output has the mean square 1:
///
///     e_f = |Y_f − F_f(W_f)|² / (T_f n),   F_f fitted to all samples but those of fold f
///
struct ValidationError {
  double mean = 0.0;            ///< of e_f over the folds, weighted by T_f
  double standard_error = 0.0;  ///< of that mean, from the scatter of e_f
  int unsure_folds =
      0;  ///< whose fit is worse, on its own samples, than the function fitted to all: a local minimum
};

/// Cross-validation for ascending ranks on the same folds.
class CrossValidation {
 public:
  /// Blocks of `block` samples in a row go to `folds` folds at random, decided by the seed; folds differ by a block at most.
  /// `folds` is 2 at least, and not above the number of blocks.
  CrossValidation(const RegressionData& data, int folds, Eigen::Index block, const RankSearchOptions& search);

  /// The error of a rank; `all` is the function of that rank fitted to all samples, which says how good fits of parts are at
  /// least. Ranks ascend from call to call: fits of lower ranks are starts.
  [[nodiscard]] ValidationError error_of(int rank, const CpFactors& all);

  [[nodiscard]] Eigen::Index fewest_training_samples() const;

 private:
  struct Fold {
    RegressionData training, validation;
    std::optional<CpFactors> lower = {};
  };
  std::vector<Fold> folds_;
  RankSearchOptions search_;
  double signal_ = 1.0;  ///< mean square of Y
};

/// The place, in the list, of the rank that is taken: the first whose error is within one standard error of the smallest
/// one, or below the square of 1e-9, which is nothing.
[[nodiscard]] std::size_t chosen_rank(std::span<const ValidationError> errors);

/// A mean square, in those units, that counts as nothing.
inline constexpr double negligible_error = 1e-18;

}  // namespace mti
