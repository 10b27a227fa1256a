#pragma once

#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/integration/linear_solver.hpp"
#include "solvers/series/integrator_choice.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

struct RunMemory;

/// Where a run keeps what it has so far, for another thread that can no longer wait for it: a run ends by
/// itself soon after it is asked to, but not in the middle of one large factorisation. Who holds `guard`
/// finds all rows and events up to the present one in `trajectory`; who never lets go of it keeps the run
/// from going on.
struct RunningTrajectory {
  std::mutex guard;
  Trajectory trajectory;
  bool taken = false;  ///< the run has ended: it returns what was here
};

/// What a run is asked for. Unset values come from the model's experiment (resolve).
struct SimulationOptions {
  std::optional<double> start = {}, stop = {};
  std::optional<double> rtol = {};  ///< local error per step ≤ rtol·|v| + atol·nominal
  std::optional<double> atol = {};
  std::optional<double> output_interval = {};
  std::vector<double> output_times =
      {};  ///< ascending, from start to stop; in place of an interval (not of samples)
  double max_seconds = std::numeric_limits<double>::infinity();  ///< wall clock; then outcome time_budget
  long max_events = 1'000'000;
  long max_candidates = 100'000;  ///< candidates judged at one event
  bool sliding = true;            ///< if not, a motion that could only slide is a dead end
  bool remember = true;           ///< transitions that come again; of no consequence but time
  bool rates = false;  ///< rows have columns for ẋ (for next(x) in discrete time), behind all others
  bool dense = false;  ///< keep the polynomials of all steps, for Trajectory::at; not of samples
  /// Parameters by which the run is differentiated, ∂(x, y)/∂p and ∂t/∂p of events (docs/sensitivities.md):
  ///
  ///     DifferentiatedModel d = build_with_derivatives(source, {"R", "start(x)"});
  ///     Trajectory run = simulate(d.model, {.sensitivities = d.derivatives});
  ///     run.sensitivities.row(i);    // signals × parameters at row i
  ///
  /// The run itself stays as it is. In continuous time, and not where it is advanced from outside (Run).
  std::vector<ParameterDerivative> sensitivities = {};
  bool explain = false;  ///< events and the outcome tell of every candidate why it was turned down
  IntegratorChoice integrator = IntegratorChoice::automatic;
  LinearSolver linear_solver = LinearSolver::automatic;  ///< of IDA
  std::stop_token stop_token = {};                       ///< stop requested: outcome interrupted
  std::function<void(double time)> progress = {};        ///< called now and then while the run goes on
  /// Called for every row of the trajectory with the mode there and all of v. A row of side 0 is void if the
  /// next one is of side -1 and the same time.
  std::function<void(double time, int side, const Mode& mode, std::span<const double> v)> observe = {};
  /// Takes rows and events from the run while it goes on, which then keeps neither: its memory does not grow with
  /// them. Each part is a Trajectory whose rows and events are those since the part before; the last one comes before
  /// simulate() returns. A sink that throws std::bad_alloc has taken nothing: the run ends (out_of_memory) and the part
  /// is offered again. It is called under the guard of `running`.
  std::function<void(const Trajectory& part)> sink = {};
  RunningTrajectory* running = nullptr;  ///< outlives the run; taken from there at its end
  /// Of runs before it, of one model with other numbers: of no consequence but time (solvers/run_options/run_memory.hpp). It
  /// outlives the run and has no other at a time.
  RunMemory* memory = nullptr;
  /// Told before the run what may end it, such as structurally singular modes; only looked for if set.
  std::function<void(const std::string& warning)> warn = {};

  /// Every fault of these options for `model` (ids `bad-option`), empty if there is none.
  [[nodiscard]] std::vector<Fault> validate(const Model& model) const;
};

/// What the options say and, where they say nothing, the model's experiment.
///
/// Without an output interval there are 500 of them from start to stop, where times can tell them apart; in discrete
/// time there is a row for each sample.
struct ResolvedOptions {
  double start = 0.0, stop = 0.0;
  double rtol = 0.0, atol = 0.0;
  double output_interval = 0.0;
};
[[nodiscard]] ResolvedOptions resolve(const Model& model, const SimulationOptions& options);

}  // namespace mti
