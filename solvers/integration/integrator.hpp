#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "mti/multilinear/cp_kernel.hpp"
#include "solvers/integration/linear_solver.hpp"

namespace mti {

/// A smooth index-1 DAE as an integrator sees it:
///
///     F(t, w, w') = 0,    w = (x, y),    J = ∂F/∂w + α ∂F/∂w'
///
/// `pattern` holds the non-zeros of J column by column; `jacobian` fills their values in that order, and
/// `rounding`.
/// Both functions return false where F cannot be evaluated; the integrator then tries a smaller step.
struct DaeSystem {
  SparsePattern pattern;
  std::vector<double> absolute;  ///< local errors are kept below caution·(rtol·|w_i| + absolute_i)
  std::vector<double> rounding =
      {};  ///< of F, by row, beyond ε|J||w|: of inputs and of t in them; may be empty
  std::vector<char> differential = {};  ///< by unknown: w'_i occurs in F
  std::vector<double> relaxation =
      {};  ///< by unknown: the rate at which a small difference relaxes, or 0; may be empty
  double caution = 1.0;
  std::function<bool(double t, std::span<const double> w, std::span<const double> wp, std::span<double> F)>
      residual;
  std::function<bool(double t, double alpha, std::span<const double> w, std::span<const double> wp,
                     std::span<double> J)>
      jacobian;
};

/// What one step came to.
struct StepResult {
  bool ok = true;
  double t = 0.0;            ///< reached
  std::string message = {};  ///< why not, if not ok
};

/// Thrown where the integrator cannot begin or read a step; why a step fails stands in its StepResult.
struct IntegrationFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct IntegratorStatistics {
  long steps = 0;
  long series_steps = 0;  ///< of these, those of power series
  long flow_steps = 0;    ///< of these, those of exact flows
  long residual_evaluations = 0, jacobian_evaluations = 0, error_test_failures = 0;
};

/// The seam between the event loop and whatever integrates the smooth segments.
///
/// Contract: `start` sets a consistent point of a system of any size; each `step` advances once, never past
/// t_stop; between the previous and the present time `interpolate` gives w and its derivatives to the
/// accuracy of the step. No unknown is asked for more than rounding gives: its tolerance is at least some
/// multiple of
///
///     r = ε_machine · |J⁻¹| · |J| · |w|
///
/// [Skeel, J. ACM 26 (1979) 494-526], J being that of the iteration. Implemented by SUNDIALS IDA
/// (variable-order BDF); all of its C handles live in integrator_ida.cpp. Without unknowns (size 0) one step
/// reaches t_stop.
class Integrator {
 public:
  Integrator(double rtol, LinearSolver linear_solver);
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  Integrator(Integrator&&) noexcept;
  Integrator& operator=(Integrator&&) noexcept;
  ~Integrator();

  /// Begins a segment. `system` must outlive it. `first_step` ≤ 0: the integrator's own choice.
  void start(const DaeSystem& system, double t, std::span<const double> w, std::span<const double> wp,
             double first_step);
  [[nodiscard]] StepResult step(double t_stop);
  /// d^k w/dt^k at t within the last step.
  void interpolate(double t, int k, std::span<double> result) const;
  /// What rounding asks for, by unknown: local errors below that are not tested for.
  [[nodiscard]] std::span<const double> floor() const;
  /// What a small difference is tested with, an unknown that has a rate of relaxation; infinite of others.
  [[nodiscard]] double tolerance_of_small(int unknown, double value) const;
  /// Length and order of the last step: of what it interpolates with.
  [[nodiscard]] double last_step() const;
  [[nodiscard]] int last_order() const;
  [[nodiscard]] IntegratorStatistics statistics() const;

 private:
  void begin_anew();

  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace mti
