#pragma once

#include <memory>
#include <span>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/linearization/linearize.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/stepping/saved_run.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// What ends an advance of a run.
enum class StepEnd {
  reached,  ///< the time that was asked for
  event,    ///< an instant at which something happened; the run stands there, at its right limits
  ended,    ///< the run: outcome() says why
};

/// A run that is advanced from outside: by a controller, another simulator, or somebody who looks at it.
///
///     Run run(model, {.stop = 10.0});
///     while (run.advance(run.time() + Ts) != StepEnd::ended) run.set_input(0, control(run.v()));
///
/// Where the run is left and taken up again changes nothing: with advances alone it is simulate() of the same model
/// and options, bit for bit. What is known at a time is what `v` says: x and u there, and ẋ, y, z of the motion that goes
/// on (right limits).
///
/// The wall clock of SimulationOptions::max_seconds counts what passes in these functions. A Run is used by one thread at
/// a time; runs of one model do not know of each other.
class Run {
 public:
  /// The run stands at its consistent start; where there is none it has ended. Throws InvalidOption as simulate() does.
  explicit Run(const Model& model, SimulationOptions options = {});
  /// Goes on where `saved` was, with the same options, in the same model or one with other coefficients, as set_parameters() of the
  /// saved run may have given it: what no longer fits then is decided as at an event, when the run goes on. Rows and events are those from there on. Throws
  /// InvalidOption (id `bad-saved-run`) if it is of a model with other signals or other numbers of constraints, or beyond
  /// the stop time.
  Run(const Model& model, SimulationOptions options, const SavedRun& saved);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  /// Goes on to t, to the first event before it, or to the end of the run, which is its stop time at the latest. An event
  /// at t itself is met. Throws InvalidOption if t is less than time() or no number. What a function of the options
  /// throws comes out as it is: of `progress` once all is decided up to where the run stands then, and it can be advanced
  /// again; of the others at once, which is the end of the run.
  StepEnd advance(double t);

  [[nodiscard]] bool ended() const noexcept;
  /// Of an ended run; `reached_stop` as long as it goes on.
  [[nodiscard]] const Outcome& outcome() const noexcept;
  [[nodiscard]] double time() const noexcept;
  /// v = (ẋ, x, u, y, z) at time(), one entry per row of S; until the next call of a member that is not const.
  [[nodiscard]] std::span<const double> v();
  /// (ẋ, y) that follow from f(ẋ, x, u, y, z) = 0 in the mode the run is in: n rates, then the declared algebraic signals
  /// (auxiliary ones of powers are left out), until the next call of a member that is not const.
  ///
  /// Without arguments at time() and x there, to rounding: those of v() are known to the tolerance of the run. Else at any
  /// (t, x), with the inputs as they are then, n numbers x; in a mode of higher index these are first put on what constrains
  /// them, from anywhere where that is linear, else from within the tolerances of the run. Nothing of the run is changed. Inputs and parameters count as they were set, in the mode that is: settle() decides
  /// whether it is still the right one.
  ///
  /// Throws InvalidModel (id `inconsistent-mode`) where they do not follow; InvalidOption (`bad-option`) in discrete time,
  /// for a run that has no start, and for an x of another size or with entries that are no numbers.
  [[nodiscard]] std::span<const double> derivative();
  [[nodiscard]] std::span<const double> derivative(double t, std::span<const double> x);
  /// ∂(ẋ, y)/∂(x, u) at time(), rows as derivative(), columns x and then the inputs that are not binary: exact, from the
  /// factors of the blocks. Errors: those of derivative() and of state_space().
  [[nodiscard]] SparseColumns derivative_jacobian();
  /// Descriptor form E, A, B, C, D of the motion at time(), in the mode of the run. Errors: those of derivative().
  [[nodiscard]] Linearization linearize(const LinearizationOptions& options = {});
  [[nodiscard]] const Mode& mode() const noexcept;
  /// What ended the last advance; null if that was no event.
  [[nodiscard]] const Event* event() const noexcept;
  /// Rows and events up to time(); a sink of the options may have taken some away.
  [[nodiscard]] const Trajectory& trajectory() const noexcept;
  /// With inputs as they were set last; rows hold what they were.
  [[nodiscard]] const Model& model() const noexcept;

  /// u_i(t) = value + slope·(t − time()) from here on, in place of what the model says of input i = 0 … m − 1; binary
  /// inputs are 0 or 1, with slope 0. A value that jumps may change the mode: that is decided, once for all inputs and in
  /// whatever order they are set, when the run goes on; until then `v` is what it was. An input that goes on as it is leaves
  /// the run as it is, bit for bit. In discrete time inputs count from the next sample on: the one at time() has been
  /// solved. Throws InvalidOption if there is no such input or the value does not fit.
  void set_input(int i, double value, double slope = 0.0);
  /// From here on the run is one of `bound`: the same model with other values of parameters, as build() gives it with
  /// overrides, which may change coefficients of f and g, laws, and inputs. Signals keep where they are, inputs that were
  /// set what they were set to, and the run its experiment. What no longer fits is decided as where inputs jump: when the run
  /// goes on. Throws InvalidOption if `bound` has other signals, constraints or sample time, or inputs that are the past of
  /// signals.
  void set_parameters(const Model& bound);
  /// Decides now what follows from inputs and parameters that were set: `event` if something does.
  StepEnd settle();

  /// Writes down where the run stands. It begins anew here itself, so that it and what goes on from `saved` are one, bit for
  /// bit. What follows at once, as from new inputs, is decided before; the next advance() of this run tells of it.
  [[nodiscard]] SavedRun save();

  /// The run is over, wherever it is: all that it has found, with a row where it stands (outcome `interrupted`, unless it has
  /// ended by itself).
  [[nodiscard]] Trajectory finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace mti
