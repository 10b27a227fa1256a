#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/source/source.hpp"
#include "solvers/identification/projected_fit.hpp"
#include "solvers/identification/sample_derivatives.hpp"

namespace mti {

/// Samples of one experiment: T times that do not fall, and what was there.
struct SampledExperiment {
  std::string name = {};  ///< of its file, for messages
  std::vector<double> time = {};
  Eigen::MatrixXd states = {}, inputs = {};  ///< (T × n), (T × m)
  Eigen::MatrixXd targets = {};              ///< (T × n) ẋ or next(x) as measured; empty: from the states
  std::vector<std::vector<int>> modes =
      {};  ///< of each sample, one number for each mode column; empty: one mode
};

/// Experiments with the same signals.
struct IdentificationData {
  std::vector<std::string> states = {}, inputs = {}, mode_columns = {};
  std::vector<SampledExperiment> experiments = {};
};

struct IdentificationOptions {
  bool discrete = false;        ///< next(x) = F(x, u) instead of ẋ = F(x, u)
  std::vector<int> ranks = {};  ///< ascending, 1 … 100
  Signs signs = Signs::any;     ///< of all entries of S and Φ
  std::uint64_t seed = 1;
  int starts = 300;  ///< at most, for each rank
  int folds = 5;     ///< of the cross-validation; 0: none, with a single rank only
  std::optional<LocalPolynomial> polynomial = {};  ///< of derivatives; default: chosen for each state
  double max_seconds = std::numeric_limits<double>::infinity();
  std::stop_token stop_token = {};
  std::function<void(int done, int all)> progress = {};  ///< ranks, over all modes

  /// Every fault of these options (ids `bad-option`), empty if there is none.
  [[nodiscard]] std::vector<Fault> validate() const;
};

/// What was found for a rank; errors are root mean squares over all outputs, each in units of its deviation.
struct RankReport {
  int rank = 0;
  double error = 0.0;                           ///< of the fit to all samples
  std::optional<double> validation_error = {};  ///< on samples that a fit has not seen
  double standard_error = 0.0;                  ///< of the square of that
  int unsure_folds = 0;                         ///< ValidationError::unsure_folds
  int starts = 0, times_best = 0;               ///< RankFit
  bool unsure = false;                          ///< likewise
};

/// How well F_j tells an output.
struct OutputFit {
  std::string name = {};
  double error = 0.0;      ///< root mean square of y − F, in the units of y
  double largest = 0.0;    ///< |y − F|
  double deviation = 0.0;  ///< standard deviation of y
};

/// F in one mode, with the factors of the model file:
///
///     F_j(w) = Σ_k Φ_jk Π_i (1 − |S_ik| + S_ik w_i),    w = (x, u)
///
struct IdentifiedFunction {
  std::vector<int> mode = {};
  int samples = 0;
  Eigen::MatrixXd S, Phi;  ///< (n + m) × r, n × r
  std::vector<RankReport> ranks = {};
  std::vector<OutputFit> outputs = {};
  double condition = 1.0;  ///< Identifiability
  std::vector<std::vector<std::pair<int, int>>> free_directions = {};
};

struct Identification {
  std::vector<IdentifiedFunction> functions = {};  ///< one for each mode, ascending
  std::vector<LocalPolynomial> polynomials =
      {};                    ///< of derivatives, for each state; empty: given, or discrete time
  double sample_time = 0.0;  ///< of discrete time
  int samples_left_out = 0;  ///< that have no derivative or no next sample
  Source model = {};         ///< runs the first experiment that lasts again
};

/// Multilinear models ẋ = F(x, u) or next(x) = F(x, u) of CP rank r from samples, by least squares on all entries of S and Φ:
///
///     min Σ_t Σ_j ((y_tj − F_j(x_t, u_t))/s_j)²,    s_j the deviation of output j,  y = ẋ or next(x)
///
/// from several starts (search_rank()), the rank by cross-validation (chosen_rank()). Where samples have modes there is one F for
/// each of them; what makes a mode change is not identified. Signals are brought to [−1, 1] and put in the order of their
/// names first: neither units nor the order of columns matter. With Signs::nonnegative signals keep their zero, which the
/// bound a, b ≥ 0 is about, and only their unit is changed.
///
/// Errors: InvalidOption; UnusableFile with the name of the experiment, ids `constant-column`, `collinear-columns` (F cannot be
/// told from other functions), `too-few-samples`, `uneven-samples` (of discrete time); NotReached, ids
/// `interrupted`, `time_budget`.
[[nodiscard]] Identification identify(const IdentificationData& data, const IdentificationOptions& options);

/// A mode in words: "on=1, stage=2".
[[nodiscard]] std::string mode_text(const std::vector<std::string>& columns, const std::vector<int>& mode);

}  // namespace mti
