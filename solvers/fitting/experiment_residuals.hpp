#pragma once

#include <Eigen/Core>

#include <limits>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "mti/derivatives/asked_quantities.hpp"
#include "solvers/fitting/bounded_least_squares.hpp"
#include "solvers/fitting/fit_problem.hpp"
#include "solvers/trajectory/named_events.hpp"

namespace mti {

/// Residuals of an experiment and their derivatives, from one run with sensitivities:
///
///     r = (y(t_k; p) − y_k)/σ     J = ∂y/∂p/σ        signals, one after the other,
///     r = (t_k*(p) − t_k)/σ       J = ∂t_k*/∂p/σ     then events: τ of run_sensitivities.hpp
///
/// y(t_k) is the value after what happens at t_k. Where the run ends before a datum, or has fewer events than were measured, there are
/// no residuals.
class ExperimentResiduals {
 public:
  /// `quantities` by which residuals are differentiated. `experiment` outlives it. Errors: InvalidOption, as of with_parameters().
  ExperimentResiduals(const FitExperiment& experiment, std::vector<std::string> quantities,
                      SimulationOptions simulation);

  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] long runs() const noexcept { return runs_; }
  /// The model with these values, differentiated. Errors: those of build_with_derivatives().
  [[nodiscard]] DifferentiatedModel model_at(const Eigen::VectorXd& values) const;
  /// What a run of this model is asked for.
  [[nodiscard]] SimulationOptions options_of(const Model& model) const;

  struct Limits {
    double seconds = std::numeric_limits<double>::infinity();
    std::stop_token stop = {};
  };
  /// `ended` where the limits did not let the run come to its end.
  [[nodiscard]] ResidualEvaluation at(const Eigen::VectorXd& values, const Limits& limits);

 private:
  [[nodiscard]] ResidualEvaluation residuals_of(const Model& model, const Trajectory& run,
                                                const Eigen::VectorXd& values) const;
  /// Why there is no datum of a run.
  [[nodiscard]] ResidualEvaluation refused(std::string reason) const;

  const FitExperiment& experiment_;
  std::vector<std::string> quantities_;
  SimulationOptions simulation_;
  AskedQuantities asked_;
  int size_ = 0;
  long runs_ = 0;
};

}  // namespace mti
