#pragma once

#include <Eigen/Core>

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

struct OrbitOptions {
  double period_guess = 0.0;                ///< > 0; of a model whose inputs vary the period itself
  std::optional<std::string> section = {};  ///< a constraint: the orbit begins shortly after it has arrived
  std::optional<double> settle = {};        ///< the run up to the first guess; default: 5 periods, then 50
  int most_iterations = 20;
  SimulationOptions simulation =
      {};  ///< tolerances (default: 1e-11) and limits of runs; `max_seconds` is that of the whole search
};

/// A periodic orbit x(T) = x(0), z(T) = z(0) of a run.
struct Orbit {
  bool found = false;
  std::string message;        ///< why not
  double period = 0.0;        ///< T
  std::vector<double> x;      ///< x(0), n
  std::vector<char> z;        ///< z(0), q
  Eigen::MatrixXd monodromy;  ///< ∂x(T)/∂x(0)
  /// Its eigenvalues (Floquet multipliers), the largest first; of an orbit whose period is not given by inputs one of them is 1.
  std::vector<std::complex<double>> multipliers;
  bool autonomous = true;
  bool stable = false;    ///< all others lie within the unit circle, by more than they may be wrong
  bool marginal = false;  ///< none lies outside of it by more than that, but some within that of it
  double residual = 0.0;  ///< largest |x(T) − x(0)| in units of nominal values
  int iterations = 0;
  Trajectory run;  ///< one period
};

/// Newton's method for a periodic orbit, with the monodromy matrix M = ∂x(T)/∂x(0) from the derivatives of the run by its start
/// (docs/sensitivities.md), through all events:
///
///     M δx − δx + ẋ(T) δT = x(0) − x(T),    ẋ(0)ᵀ δx = 0
///
/// From where the run has come after `settle`. Where inputs vary T is given, δT = 0, and they must repeat after it. No orbit is found
/// where derivatives do not exist on the way, or the mode at T is another one than at 0. Throws InvalidOption (ids `bad-option`,
/// `unknown-section`); NotReached (ids `interrupted`, `time_budget`).
/// Source: [seydel2010], ch. 7.
[[nodiscard]] Orbit find_orbit(const Model& model, const OrbitOptions& options);

}  // namespace mti
