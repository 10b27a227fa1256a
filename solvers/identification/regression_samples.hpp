#pragma once

#include <map>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "solvers/identification/cp_factors.hpp"
#include "solvers/identification/identification.hpp"

namespace mti {

/// All samples of a mode as rows of a regression in the units of the data, w = (x, u).
struct RegressionSamples {
  std::map<std::vector<int>, RegressionData> of_mode = {};
  std::vector<LocalPolynomial> polynomials = {};
  double sample_time = 0.0;
  int left_out = 0;
};

/// In continuous time ẋ is taken from polynomials over samples that no jump (equal times), change of mode or end of an experiment
/// lies between; in discrete time next(x) is the next sample of the experiment. Errors: UnusableFile, id `uneven-samples`.
[[nodiscard]] RegressionSamples regression_samples(const IdentificationData& data,
                                                   const IdentificationOptions& options);

/// What keeps F from being determined in a mode: columns that do not vary or that others tell, and fewer equations
/// T n than the (N + n) r numbers of the largest rank; `training` is the number of samples in the smallest part of a
/// cross-validation. Ids `constant-column`, `collinear-columns`, `too-few-samples`.
[[nodiscard]] std::vector<Fault> undetermined_columns(const RegressionData& samples,
                                                      const std::vector<std::string>& names,
                                                      const std::string& where);

/// w ↦ (w − centre)/size and y ↦ y/scale.
struct SignalScaling {
  Eigen::VectorXd centre, size, scale;
};
[[nodiscard]] SignalScaling scaling_of(const RegressionData& samples, Signs signs);
[[nodiscard]] RegressionData scaled(const RegressionData& samples, const SignalScaling& scaling);

/// S and Φ in the units of the data, for factors in scaled ones; non-negative where the factors are.
void in_units_of_data(const CpFactors& factors, const SignalScaling& scaling, Eigen::MatrixXd& S,
                      Eigen::MatrixXd& Phi);

}  // namespace mti
