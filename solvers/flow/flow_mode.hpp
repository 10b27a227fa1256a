#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/flow/affine_mode.hpp"
#include "solvers/flow/flow_ladder.hpp"
#include "solvers/flow/quadruple.hpp"

namespace mti {

/// What the exact flow keeps of a mode: its matrices, the ladder of their exponentials, and the steps of the last
/// segment in it.
class FlowMode {
 public:
  /// Nothing if the mode is not affine, or has too many states for dense matrices. `duration`: of the run.
  [[nodiscard]] static std::unique_ptr<FlowMode> of(const Model& model, const ModeSystem& system,
                                                    const std::shared_ptr<const SeriesProgram>& program,
                                                    double duration);

  /// Takes v, by rows of S, for what is constant in the mode; matrices and ladder stay as they are if it was the same
  /// before. Where constraints are watched a mode is split at once if its fast states have at least the rate `least_rate`;
  /// they relax at once if they have the rate `at_once`. False if the mode's equations cannot be solved.
  [[nodiscard]] bool begin_segment(std::span<const double> v, double least_rate, double at_once);

  /// From here on in the coordinates of SlowManifold, in which small differences of states keep their digits. False, and
  /// nothing changed, if they are in use, or the mode has no fast states.
  [[nodiscard]] bool split();
  /// Puts d = x_e − Q w_s in the place of x_e where the mode is split; what that rounds is added to `rounding`.
  void enter_coordinates(std::span<double> w, Eigen::VectorXd& rounding) const;
  /// Where fast state number `index` relaxes to, Σ_i Q_i w_i: the value, its error by that of Q, what summing rounds, and the
  /// row of Q.
  struct Relaxed {
    Quadruple x;
    double error, rounding;
    Eigen::RowVectorXd weights;
  };
  [[nodiscard]] Relaxed relaxed(std::size_t index, const std::vector<Quadruple>& w) const;
  /// Another number whenever matrices or coordinates have become others.
  [[nodiscard]] int revision() const noexcept { return revision_; }
  /// The same of errors |Δw|: |Δx_e| + |Q| |Δw_s|.
  void enter_errors(Eigen::VectorXd& errors) const;
  /// What a step of the rung leaves of errors of d.
  void decay(int level, Eigen::VectorXd& errors);
  /// The same, and what it leaves of errors of the slow states where they become smaller: as a whole they never are larger
  /// than a tolerance.
  void contract(int level, Eigen::VectorXd& errors);
  /// States that are given by d.
  [[nodiscard]] const std::vector<int>& fast() const noexcept { return fast_; }
  [[nodiscard]] bool is_split() const noexcept { return !fast_.empty(); }
  /// It is not, and has not been found to have no fast states.
  [[nodiscard]] bool may_split() const noexcept { return fast_.empty() && !cannot_split_; }
  /// It is since the segment began, and all fast states have at least the rate that begin_segment was given for that.
  [[nodiscard]] bool relaxes_at_once() const noexcept { return relaxes_at_once_; }

  /// |M| of the states in balanced units, in the maximum norm: no eigenvalue of theirs is larger.
  [[nodiscard]] double size_of_M() const noexcept { return size_of_M_; }

  [[nodiscard]] const AffineMode& affine() const noexcept { return affine_; }
  [[nodiscard]] FlowLadder& ladder() noexcept { return *ladder_; }
  /// s = C w; behind the slots a row for every coordinate that is not one of them, and then for every affine one of
  /// the mode's constraints.
  [[nodiscard]] const Eigen::MatrixXd& C() const noexcept { return C_; }
  /// How far C is off, at most; empty if that is no matter of concern.
  [[nodiscard]] const Eigen::MatrixXd& C_error() const noexcept { return C_error_; }
  /// The row of C that gives the state's coordinate in w.
  [[nodiscard]] int row_of(int state) const { return rows_[at(state)]; }
  /// The constraint in row `index` of the program as numbers by slot, with its constant part behind them; empty if it
  /// is not affine.
  [[nodiscard]] const Eigen::VectorXd& constraint(std::size_t index) const { return constraints_[index]; }

  /// The row of C that gives the constraint; −1: it is made of the signals.
  [[nodiscard]] int row_of_constraint(std::size_t index) const { return constraint_rows_[index]; }

  /// The rung that step `step` of the last segment in this mode stood on; −1: not known.
  [[nodiscard]] int remembered_level(std::size_t step) const {
    return step < levels_.size() ? levels_[step] : -1;
  }
  void remember_level(std::size_t step, int level);

 private:
  FlowMode(AffineMode affine, double duration) : affine_(std::move(affine)), duration_(duration) {}
  void weigh_constraints(std::span<const double> v);
  void list_rows();
  void split_on_suspicion(double least_rate, double at_once);
  /// The least rate of the fast states; 0: it is not split.
  [[nodiscard]] double split_beyond(double least_rate, double least_gap);

  AffineMode affine_;
  double duration_;
  std::vector<double> constants_;
  std::vector<double> v_;  ///< by rows of S, where the matrices were made
  Eigen::MatrixXd M_;
  double size_of_M_ = 0.0;
  Eigen::MatrixXd C_, C_error_;
  std::vector<int> fast_;
  double tried_rate_ = 0.0;  ///< none has been found from this one on
  bool relaxes_at_once_ = false;
  int revision_ = 0;
  bool cannot_split_ = false;
  AffineMode::Matrix<Quadruple> Q_;
  Eigen::MatrixXd Q_error_;
  std::vector<int> rows_;
  std::vector<Eigen::VectorXd> constraints_;
  std::vector<int> constraint_rows_;
  std::optional<FlowLadder> ladder_;
  std::vector<int> levels_;
};

}  // namespace mti
