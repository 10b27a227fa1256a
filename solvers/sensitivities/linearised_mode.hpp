#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>

#include <memory>
#include <span>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/derivatives/mode_derivatives.hpp"
#include "solvers/integration/segment_unknowns.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// The linearised equations of a mode at one point of its motion,
///
///     E ẇ_p + A w_p + B = 0,    E = ∂F/∂ẇ,   A = ∂F/∂w,   B = ∂F/∂p
///
/// one column of B for each parameter.
struct LinearPoint {
  std::vector<Eigen::Triplet<double>> E, A;
  Eigen::MatrixXd B;
};

/// The variational equations of one mode: its equations f_i, those of them that the plan differentiates once for each time
/// D^k f_i, 1 ≤ k ≤ c_i, ties between unknowns that are each other's derivative, and y_i = const for signals that keep
/// their values, linearised in the unknowns w of SegmentUnknowns. They have index 1, and constraints on x that
/// differentiation reveals are among them as they are, so that w_p does not drift from them.
class LinearisedMode {
 public:
  /// All outlive it.
  LinearisedMode(const Model& model, const Accuracy& accuracy, std::shared_ptr<const ModeSystem> system,
                 const Outputs& outputs, std::span<const ParameterDerivative> parameters);

  /// A segment begins at t and v: which derivatives are unknowns is chosen there, as SegmentDae does.
  void begin(double t, std::vector<InputPiece> pieces, std::span<const double> v);
  /// Derivatives of signals that keep their values in the segment, by the order of ModeSystem::undetermined.
  void hold(Eigen::MatrixXd held) { held_ = std::move(held); }

  [[nodiscard]] const SegmentUnknowns& unknowns() const noexcept { return unknowns_; }
  [[nodiscard]] const ModeSystem& system() const noexcept { return *system_; }
  [[nodiscard]] const ModeDerivatives& derivatives() const noexcept { return derivatives_; }
  [[nodiscard]] int size() const noexcept { return unknowns_.size(); }
  [[nodiscard]] int rows() const;
  /// ẇ_j occurs.
  [[nodiscard]] const std::vector<char>& differential() const noexcept { return differential_; }
  /// No entry of E and A depends on the point, but of columns of signals that neither vary nor depend on a parameter.
  [[nodiscard]] bool is_constant() const noexcept { return is_constant_; }
  /// What is known of the derivatives at the beginning of a segment decides it.
  void look_for_constants(const Eigen::MatrixXd& w_p);
  /// The choice of unknowns is ill-conditioned at the point that was loaded last, and another one has been made.
  [[nodiscard]] bool choose_anew();

  /// w and ẇ where a motion of the mode begins.
  void read_beginning(Motion& motion, std::vector<double>& w, std::vector<double>& wp) const;
  void evaluate(double t, std::span<const double> w, std::span<const double> wp, LinearPoint& point);
  /// B alone.
  void evaluate_known(double t, std::span<const double> w, std::span<const double> wp, LinearPoint& point);
  /// v of the model, with derivatives of inputs that f holds behind it.
  void load(double t, std::span<const double> w, std::span<const double> wp);
  [[nodiscard]] const std::vector<double>& v() const noexcept { return v_; }
  /// d^k/dt^k ∂u_i/∂p at t, and of u_i itself, on the pieces of the segment.
  [[nodiscard]] double input_derivative(std::size_t parameter, int input, double t, int k) const;
  [[nodiscard]] double input(int index, double t, int k) const { return pieces_[at(index)].derivative(t, k); }
  [[nodiscard]] const std::vector<InputPiece>& pieces() const noexcept { return pieces_; }
  /// The derivatives of all entries of v from those of w and ẇ: rows of v × parameters.
  [[nodiscard]] Eigen::MatrixXd of_signals(double t, const Eigen::MatrixXd& w_p,
                                           const Eigen::MatrixXd& wp_p) const;

 private:
  struct Equation {
    int row = 0, order = 0;
  };
  struct MovingInput {
    std::size_t parameter = 0;
    int input = 0;
    InputDerivativePiece piece;
  };
  void arrange();
  /// use(signal, order l, ∂D^k f_i/∂v_j^(l)) for every entry of v that the row holds.
  void for_slopes(const Equation& equation, const std::function<void(int, int, double)>& use) const;
  void add_row(const Equation& equation, int row, double t, LinearPoint& point) const;
  void add_known(const Equation& equation, int row, double t, LinearPoint& point) const;
  void fill_series(double t, std::span<const double> w, std::span<const double> wp);
  [[nodiscard]] bool slopes_are_constant(std::span<const char> constant) const;
  [[nodiscard]] std::vector<char> constant_signals() const;
  [[nodiscard]] std::vector<char> independent_signals() const;
  /// The input that a row of v stands for, by itself or by a derivative: its index and the order; −1: none.
  [[nodiscard]] std::pair<int, int> input_of(int signal) const;

  const Model& model_;
  const Signature& signature_;
  std::shared_ptr<const ModeSystem> system_;
  std::span<const ParameterDerivative> parameters_;
  ModeDerivatives derivatives_;
  std::vector<double> unit_;
  double duration_;  ///< of the run
  std::vector<double> v_;
  std::vector<InputPiece> pieces_;
  std::vector<MovingInput> moving_;
  SegmentUnknowns unknowns_;
  DummyDerivatives selection_;
  std::vector<Equation> equations_;
  std::vector<char> differential_;
  int highest_ = 0;
  TaylorSeries series_;
  Eigen::MatrixXd held_;
  bool arranged_ = false, is_constant_ = false;
  bool constant_inputs_suffice_ = false, constant_signals_suffice_ = false;
  std::vector<char> constant_;     ///< algebraic signals that are numbers of the mode
  std::vector<char> independent_;  ///< those of them that are the same numbers for all parameters
};

}  // namespace mti
