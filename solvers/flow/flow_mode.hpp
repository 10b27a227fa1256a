#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solvers/flow/affine_mode.hpp"
#include "solvers/flow/flow_ladder.hpp"

namespace mti {

/// What the exact flow keeps of a mode: its matrices, the ladder of their exponentials, and the steps of the last
/// segment in it.
class FlowMode {
 public:
  /// Nothing if the mode is not affine, or has too many states for dense matrices. `duration`: of the run.
  [[nodiscard]] static std::unique_ptr<FlowMode> of(const Model& model, const ModeSystem& system,
                                                    const SeriesProgram& program, double duration);

  /// Takes v, by rows of S, for what is constant in the mode; matrices and ladder stay as they are if it was the same
  /// before. False if the mode's equations cannot be solved.
  [[nodiscard]] bool begin_segment(std::span<const double> v);

  [[nodiscard]] const AffineMode& affine() const noexcept { return affine_; }
  [[nodiscard]] FlowLadder& ladder() noexcept { return *ladder_; }
  /// s = C w.
  [[nodiscard]] const Eigen::MatrixXd& C() const noexcept { return C_; }
  /// The constraint in row `index` of the program as numbers by slot, with its constant part behind them; empty if it
  /// is not affine.
  [[nodiscard]] const Eigen::VectorXd& constraint(std::size_t index) const { return constraints_[index]; }

  /// The rung that step `step` of the last segment in this mode stood on; −1: not known.
  [[nodiscard]] int remembered_level(std::size_t step) const {
    return step < levels_.size() ? levels_[step] : -1;
  }
  void remember_level(std::size_t step, int level);

 private:
  FlowMode(AffineMode affine, double duration) : affine_(std::move(affine)), duration_(duration) {}
  void weigh_constraints(std::span<const double> v);

  AffineMode affine_;
  double duration_;
  std::vector<double> constants_;
  Eigen::MatrixXd C_;
  std::vector<Eigen::VectorXd> constraints_;
  std::optional<FlowLadder> ladder_;
  std::vector<int> levels_;
};

}  // namespace mti
