#pragma once

#include <Eigen/Core>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solvers/blocks/instant.hpp"
#include "solvers/flow/chebyshev_grid.hpp"
#include "solvers/flow/exact_state.hpp"
#include "solvers/flow/flow_mode.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/integration/segment_unknowns.hpp"

namespace mti {

/// Integrates an affine mode by its exact flow w(t + h_j) = exp(M h_j) w(t), without local errors and without limits of
/// stability. Between both ends of a step the polynomial through exact values near Chebyshev nodes is the dense output,
/// and h_j is the largest on which it meets the exact values between the nodes, and at some points without a common multiple,
///
///     |p − s| ≤ 0.01·(rtol·|s| + atol·nominal)    for all states x, inputs and algebraic signals y .
///
/// The last step of a segment may reach beyond its end, up to where alone it is read. Where rounding of the states hides an
/// algebraic signal, the mode is split into slow and fast (SlowManifold).
class FlowIntegrator {
 public:
  explicit FlowIntegrator(const Accuracy& accuracy) : accuracy_(accuracy) {}
  FlowIntegrator(const FlowIntegrator&) = delete;
  FlowIntegrator& operator=(const FlowIntegrator&) = delete;
  ~FlowIntegrator() = default;

  /// The segment ends at t of the last step: the next one begins with all digits of the states there. To be called before
  /// the mode is given up.
  void leave(double t);
  /// What is known of where the next segment begins, if it is not the end of the last one.
  void arrive(std::optional<ExactState> state) { arrived_ = std::move(state); }
  /// Begins a segment at t and v (by rows of S). `mode` must outlive it. False if the mode's equations cannot be
  /// solved, or y is not what they give for x.
  [[nodiscard]] bool start(FlowMode& mode, double t, std::span<const double> v,
                           const std::vector<InputPiece>& pieces);
  /// Fails where rounding of the matrix exponential would exceed the tolerance.
  [[nodiscard]] StepResult step(double t_stop);
  /// d^k/dt^k of the signals that `unknowns` lists, at t within the last step.
  void interpolate(double t, int k, const SegmentUnknowns& unknowns, std::span<double> result) const;
  /// What the constraint `index` of the mode's program does not exceed in the last step, c_0 + Σ_{k≥1} |c_k| with its
  /// Chebyshev coefficients; infinite if it is not affine.
  [[nodiscard]] double constraint_bound(std::size_t index) const;
  /// What rounding has made of the signal in row `row` of S since the segment began, at most.
  [[nodiscard]] double floor(int row) const;
  /// How far the signal in row `row` of S may be off at t within the last step, `value` being what it is there: a signal
  /// that follows from quasi-steady states is known far better than these were at the start. Infinite where nothing is
  /// known but that it keeps to its tolerance.
  [[nodiscard]] double error(int row, double value, double t) const;
  /// d^k g/dt^k of the constraint `index` at t within the last step as a signal of its own, which has all its digits where it
  /// is a small difference of large ones, and the same of it as floor() and error() say. Nothing where it is not kept.
  struct OwnSignal {
    double value = 0.0, floor = 0.0, error = 0.0;
  };
  [[nodiscard]] std::optional<OwnSignal> constraint(std::size_t index, double t, int k) const;
  /// The mode is split into slow and fast: errors of fast states decay as these do.
  [[nodiscard]] bool is_split() const noexcept { return mode_ != nullptr && mode_->is_split(); }
  [[nodiscard]] bool has_arrived() const noexcept { return arrived_.has_value(); }
  /// It began with all digits of its fast states.
  [[nodiscard]] bool is_continued() const noexcept { return is_continued_; }
  [[nodiscard]] double last_step() const noexcept { return end_ - begin_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const noexcept { return statistics_; }

 private:
  /// Of what is allowed, for the polynomial.
  static constexpr double polynomials_part = 0.01;
  /// A step that is tried.
  struct Trial {
    int level = -1;
    double worst = 0.0;     ///< |p − s| over what is allowed
    Eigen::MatrixXd nodes;  ///< slots × nodes
    Eigen::VectorXd off;    ///< |p − s| by slot, at most
    std::vector<double> w_end;
  };
  [[nodiscard]] static Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& values) {
    return {values.data(), static_cast<Eigen::Index>(values.size())};
  }
  [[nodiscard]] bool try_level(int level);
  void leave_grid(int level);
  [[nodiscard]] double known_part(Eigen::Index i) const;
  void compare(const Eigen::MatrixXd& polynomial, const Eigen::MatrixXd& exact,
               const Eigen::VectorXd& rounding);
  [[nodiscard]] bool choose(int lowest, int highest);
  [[nodiscard]] bool choose_strictly(int lowest, int highest);
  [[nodiscard]] bool is_worth_doubling(bool remembered) const;
  [[nodiscard]] bool rounding_is_small();
  [[nodiscard]] bool rounds_what_is_watched() const;
  [[nodiscard]] bool hides_differences() const;
  [[nodiscard]] double error_in(Eigen::Index row_of_C, double value, double t) const;
  [[nodiscard]] StepResult try_step(double t_stop);
  void count_rounding();
  void vouch();
  void enter(const std::vector<double>& x);
  [[nodiscard]] bool is_its_flow(std::span<const double> v) const;
  void continue_exactly();
  void take(const std::vector<ExactState::Coordinate>& distances);
  void leave_out_transients();
  [[nodiscard]] int level_within(double duration) const;
  void decay(double duration, Eigen::VectorXd& errors) const;
  void contract_errors(double duration);
  void weigh_slow_errors();

  const Accuracy& accuracy_;
  FlowMode* mode_ = nullptr;
  std::vector<InputPiece> pieces_;
  std::vector<double> constants_;  ///< v at the start, for what does not vary
  std::vector<double> w_;          ///< at end_
  Trial trial_, best_;
  Eigen::MatrixXd C_magnitude_;  ///< |C|
  std::vector<double> added_;    ///< rounding of the step that is tried
  bool is_hidden_ = false;       ///< by it: a signal, in the step that was tried last
  /// What the polynomial of the step that is tried has to be as good as.
  enum class Strictness { tolerance, knowledge, rounding };
  Strictness strictness_ = Strictness::tolerance;
  Eigen::MatrixXd points_, between_, values_;
  Eigen::MatrixXd off_grid_;  ///< w at these points of the step, as parts of it:
  std::vector<double> off_grid_times_;
  Eigen::MatrixXd coefficients_;  ///< slots × Chebyshev coefficients
  Eigen::VectorXd rounding_;      ///< of w, since the segment began
  Eigen::VectorXd floor_;         ///< by slot
  Eigen::VectorXd state_error_;   ///< of w, where the mode is split: of d and x_s at begin_
  Eigen::VectorXd slow_error_;  ///< by slot, where the mode is split: what ε of the other states leave open
  std::optional<ExactState> arrived_;  ///< where the last segment ended
  bool is_continued_ = false;
  double begin_ = 0.0, end_ = 0.0;
  double length_ = 0.0;    ///< of the polynomial, which may reach beyond end_
  bool vouches_ = false;   ///< for what error() says: the last step that was tried has been made
  std::size_t steps_ = 0;  ///< in this segment
  /// How much worse a step twice as long was when last tried; 0: it has not been.
  double growth_ = 0.0;
  int untried_steps_ = 0;
  IntegratorStatistics statistics_;
};

}  // namespace mti
