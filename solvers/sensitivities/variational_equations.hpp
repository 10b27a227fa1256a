#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseLU>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "solvers/sensitivities/linearised_mode.hpp"
#include "solvers/sensitivities/unknown_derivatives.hpp"

namespace mti {

/// w and ẇ of a motion at t, in the order of the unknowns. What other unknowns than the integrator's are is known only where
/// it is not IDA that has the mode.
using MotionAt = std::function<void(const SegmentUnknowns& unknowns, double t, std::vector<double>& w,
                                    std::vector<double>& wp)>;

/// Integrates E(t) ẇ_p + A(t) w_p + B(t) = 0 along a motion by the collocation method of Radau IIA with s = 5 stages,
///
///     w_p(t_0 + c_i h) = W_i,    E_i Σ_j d_ij W_j/h + A_i W_i + B_i = 0,    i = 1 … s,   d_i0 for W_0 = w_p(t_0)
///
/// of order 2s − 1 = 9, stiffly accurate (c_s = 1: the equations hold at the end of each step), all parameters with one
/// factorisation. A step of length h is compared with two of h/2, of which the result is taken; where steps are much
/// shorter than the error allows, as between output times, only some are compared. Where E and A are constant the
/// factors of a length are kept.
/// Source: [hairer1996], sec. IV.5 and VI.1.
class VariationalEquations {
 public:
  /// Local errors are kept below a twentieth of rtol·|w_p| + floor; floor is rows of v × parameters, negative where nothing is
  /// asked for. Of what is not integrated, rtol of the largest |w_p| does: its rounding grows as steps become shorter.
  VariationalEquations(double rtol, Eigen::MatrixXd floor) : rtol_(rtol), floor_(std::move(floor)) {}

  /// A segment begins.
  void begin();
  /// From t0 to t1 on a motion; false if they could not be solved.
  [[nodiscard]] bool advance(LinearisedMode& mode, const MotionAt& motion, double t0, double t1,
                             Eigen::MatrixXd& w_p);
  /// One step from t, no farther than `reach`, within which w_p can be read as well: from the polynomials through the stages
  /// of its halves, whose error in between is bounded like that at the end, from what that of the whole step is off in its
  /// middle. t and w_p are those of its end on return.
  [[nodiscard]] bool go_on(LinearisedMode& mode, const MotionAt& motion, double& t, double reach,
                           Eigen::MatrixXd& w_p);
  /// w_p within the step that go_on() has made last.
  [[nodiscard]] Eigen::MatrixXd at_time(double t) const;

  /// Of the steps of advance().
  [[nodiscard]] double length() const { return length_; }

 private:
  struct Factor {
    double h = 0.0;
    Eigen::VectorXd scale;
    std::shared_ptr<Eigen::PartialPivLU<Eigen::MatrixXd>> dense;
    std::shared_ptr<Eigen::SparseLU<Eigen::SparseMatrix<double>>> sparse;
  };
  [[nodiscard]] bool step(LinearisedMode& mode, const MotionAt& motion, double t, double h,
                          const Eigen::MatrixXd& from, Eigen::MatrixXd& to);
  [[nodiscard]] std::shared_ptr<const Factor> factorise(const LinearisedMode& mode, double h);
  struct Error {
    double integrated = 0.0, others = 0.0;
  };
  [[nodiscard]] Error error(const LinearisedMode& mode, const Eigen::MatrixXd& from,
                            const Eigen::MatrixXd& coarse, const Eigen::MatrixXd& fine, bool noisy) const;

  double rtol_;
  Eigen::MatrixXd floor_;
  double length_ = std::numeric_limits<double>::infinity();  ///< of a step that is compared
  double trusted_until_ = -std::numeric_limits<double>::infinity();
  /// Up to here what is not integrated is not tested, and the rest to rounding of the largest derivative.
  double noisy_until_ = -std::numeric_limits<double>::infinity();
  std::vector<LinearPoint> points_;
  std::vector<std::shared_ptr<const Factor>> kept_;  ///< of a constant mode
  LinearPoint constant_;                             ///< E and A of a constant mode
  bool has_constant_ = false;
  double readable_length_ = std::numeric_limits<double>::infinity();  ///< of a step of go_on()
  /// W_0 … W_s one below the other.
  struct Piece {
    double begin = 0.0, length = 0.0;
    Eigen::MatrixXd values;
  };
  [[nodiscard]] Piece piece(double t, double h, const Eigen::MatrixXd& from) const;
  [[nodiscard]] static Eigen::MatrixXd value_of(const Piece& piece, double t);
  Eigen::MatrixXd stages_;  ///< W_1 … W_s of the last step
  Piece first_, second_;    ///< halves of the last step of go_on()
  std::vector<double> w_, wp_;
};

}  // namespace mti
