#pragma once

#include <Eigen/Core>

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/model/signal_rows.hpp"
#include "solvers/derivatives/restart_derivative.hpp"
#include "solvers/events/run_state.hpp"
#include "solvers/sensitivities/linearised_mode.hpp"
#include "solvers/sensitivities/start_derivatives.hpp"
#include "solvers/sensitivities/variational_equations.hpp"
#include "solvers/switching/successor.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Derivatives s(t) = ∂(x, y)/∂p of a run that goes on beside them; the run itself does not know of them.
///
/// Within a mode they follow the linearised equations (VariationalEquations) along the integrator's dense output. At an event
/// whose time a constraint g_l = 0 defines
///
///     τ = ∂t*/∂p = −(∂g_l/∂v · s⁻ + g_l,p)/Dg_l⁻                     Dg_l⁻ along the motion that ends
///     s⁺ = R_x (s⁻ + ẋ⁻ τ) + R_p − ẋ⁺ τ                               R the restart (differentiate_restart)
///
/// and at the breakpoint of an input τ = ∂t_b/∂p. Where a derivative does not exist, or is not known to, the column of the
/// parameter is undefined from there on:
///
///     Dg_l⁻ = 0 within its error: the boundary is only touched
///     two constraints arrive at once and their times move apart with p, or a constraint and a breakpoint of an input
///     a constraint stays exactly on its boundary, and leaves it with p: that of a valve that closes at g = 0 without a flow
///     another mode of the same distance is admissible
///     infinitely many switches accumulate
///
/// Source: [galan1999]; docs/sensitivities.md.
class RunSensitivities {
 public:
  /// All outlive it. `start_is_given`: the start time does not depend on parameters.
  RunSensitivities(const Model& model, const Accuracy& accuracy, const Outputs& outputs,
                   const SuccessorSearch& search, std::span<const ParameterDerivative> parameters,
                   bool start_is_given);

  /// The table that rows of this run go into, without rows.
  [[nodiscard]] SensitivityTable table() const;

  /// Initial equations have found the start of `here` in a mode.
  void take_start(const std::shared_ptr<const ModeSystem>& system, const Instant& here);
  /// A segment begins with the motion of `state`.
  void begin_segment(const RunState& state);
  /// Goes on to t on the integrator's last step. `may_choose`: its dense output gives all derivatives of all signals.
  void advance(double t, const MotionAt& motion, bool may_choose);
  /// Derivatives at t on the integrator's last step, which reaches to `reach`, as in SensitivityTable::row.
  [[nodiscard]] std::span<const double> row(double t, double reach, const MotionAt& motion, bool may_choose);
  /// The instant of `state` is reached from the left; what follows is not decided yet.
  void arrive(const RunState& state, EventKind kind, const MotionAt& motion, bool may_choose);
  /// It is decided: `state` is at the right. `event` takes ∂t/∂p and what is undefined; null if nothing has happened.
  void depart(const RunState& state, const std::vector<RestartStep>& steps, Event* event);
  /// Nothing is known from here on.
  void undefine(const std::string& reason);

  /// Derivatives at the time that has been reached, as in SensitivityTable::row; at an instant those from the right.
  [[nodiscard]] std::span<const double> row(double t);
  /// At the instant from the left.
  [[nodiscard]] std::span<const double> left_row() const { return left_row_; }
  /// What has become undefined since the last event.
  [[nodiscard]] std::vector<std::string> take_news();

 private:
  using MatrixXd = Eigen::MatrixXd;
  /// What may define the time of an instant.
  struct Arrival {
    std::string name;
    std::vector<double> tau, noise;    ///< by parameter: ∂t/∂p, and how well it is known
    std::vector<std::string> failure;  ///< by parameter: why there is none
  };
  /// A derivative of a constraint, and what of it is noise.
  struct Change {
    Eigen::RowVectorXd value, noise;
  };
  [[nodiscard]] Change change_of(const ModeSystem& system, int row, std::span<const double> v,
                                 const MatrixXd& of_v, const MatrixXd& size) const;
  LinearisedMode& mode_of(const std::shared_ptr<const ModeSystem>& system);
  void undefine(int parameter, const std::string& reason);
  void undefine_beyond(const std::vector<double>& misfit, const std::string& reason);
  void fill_row(std::vector<double>& row) const;
  void fill_row(const MatrixXd& w_p, std::vector<double>& row) const;
  void go_back(double t);
  void choose_anew(const MotionAt& motion);
  void enter(const std::shared_ptr<const ModeSystem>& system, Motion& motion, const Instant& here,
             std::span<const double> v);
  void begin_at_start(const RunState& state);
  void find_times(const RunState& state);
  [[nodiscard]] Arrival arrival_of(const Admissibility& verdict, int row) const;
  void examine_start(double t);
  void add_breakpoints(double t, std::vector<Arrival>& arrivals) const;
  void add_rates(Motion& motion, MatrixXd& of_v);
  void pass_steps(const RunState& state, const std::vector<RestartStep>& steps);
  void examine_boundaries(const RunState& state);
  void examine_resting(const MotionAt& motion);
  [[nodiscard]] bool passes_smoothly(Motion& motion, int row, Eigen::Index p, std::span<const double> v,
                                     const MatrixXd& of_v, const MatrixXd& size);
  [[nodiscard]] bool is_smooth_across(int row, Eigen::Index p, std::span<const double> v,
                                      const MatrixXd& of_v, const MatrixXd& size, int order);
  [[nodiscard]] bool vanishes_beside(const RowMap& map, int row, std::span<const int> binaries,
                                     Eigen::Index p, std::span<const double> v, const MatrixXd& of_v,
                                     const MatrixXd& size, int order) const;
  void examine_beginning(const RunState& state);
  [[nodiscard]] MatrixXd size_of_rows(int first, int rows) const;

  const Model& model_;
  const Signature& signature_;
  const Accuracy accuracy_;  ///< that of the run, whatever counts as zero at one instant
  const Outputs& outputs_;
  const SuccessorSearch& search_;
  std::span<const ParameterDerivative> parameters_;
  bool start_is_given_;
  Eigen::Index count_;
  std::vector<int> rows_;  ///< of S, of what the table shows
  std::vector<std::string> names_;
  VariationalEquations equations_;
  std::unordered_map<const ModeSystem*, std::unique_ptr<LinearisedMode>> modes_;
  LinearisedMode* mode_ = nullptr;  ///< of the present segment
  double time_ = -std::numeric_limits<double>::infinity();
  double back_ = std::numeric_limits<double>::infinity();  ///< where the step that reaches to time_ has begun
  MatrixXd back_w_p_;
  double read_at_ = 0.0;  ///< the same, as the integrator's last step knows it
  double segment_begin_ = 0.0;
  MatrixXd w_p_;   ///< unknowns of the segment × parameters
  MatrixXd of_v_;  ///< rows of v × parameters, at instants
  bool at_instant_ = false;
  std::optional<StartDerivatives> start_;  ///< of a start that was solved for
  std::vector<double> nominal_;            ///< by row of S
  std::vector<char> undefined_;            ///< by parameter
  bool live_ = true;
  std::vector<UndefinedSensitivity> news_;  ///< since the last event
  std::shared_ptr<const Motion> entered_;   ///< with which the present mode was entered
  std::optional<SignalRows> unfrozen_;      ///< rows of the model, once they are asked for
  std::vector<int> resting_;                ///< constraints on whose boundaries the segment began and stays
  // The instant.
  EventKind kind_ = EventKind::initial;
  std::string time_is_unknown_;        ///< why nothing defines its time
  std::vector<std::string> failures_;  ///< by parameter: why its time has no derivative
  MatrixXd size_;                      ///< of what derivatives at the instant were added up from
  MatrixXd total_;  ///< of x⁻, y⁻ … at the instant that moves, rows of v × parameters
  Eigen::RowVectorXd tau_;
  std::vector<double> row_, left_row_, w_, wp_;
};

}  // namespace mti
