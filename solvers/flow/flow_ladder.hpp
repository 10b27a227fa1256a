#pragma once

#include <Eigen/Core>

#include <array>
#include <deque>
#include <span>
#include <vector>

namespace mti {

/// E_j = exp(M h_j) for h_j = h_0·2^j, as F_j = E_j − I:
///
///     F_0 = M h_0 (I + M h_0/2 (I + M h_0/3 (…))),    ‖M h_0‖ ≤ 2⁻⁸,    F_{j+1} = 2 F_j + F_j² .
///
/// M is balanced first, by powers of two, and entries of F that belong to slow motions keep their own digits, which
/// those of E_j would lose beside 1. Squaring may lose digits all the same: as many as the slow motions of M depend on
/// its last digits. So the ladder is made in long double from M, and three times in double from M(1 ± ε), and
///
///     R_j = 8 max |F_j − F_j(double)| ε_long/ε + ε |F_j|
///
/// is what F_j is taken to be off: one difference alone may be small by chance. Rungs are made when first
/// asked for. Source: N. J. Higham, SIAM J. Matrix Anal. Appl. 26 (2005) 1179-1193 (scaling and squaring).
class FlowLadder {
 public:
  template <class Scalar>
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  struct Rung {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> F;
    Eigen::MatrixXf R;    ///< of the balanced matrix: |D⁻¹ ΔF D|
    bool is_good = true;  ///< finite, and three digits of the ladder in double are right
  };

  /// `first_generator`: the entries of w from here on drive those before and are driven by none of them. `duration` > 0
  /// bounds h_0 where M does not. `coarse` is M in double.
  FlowLadder(const Matrix<long double>& M, const Matrix<double>& coarse, int first_generator,
             double duration);

  /// M is finite, and so large or small a number as h_0 can be told from 0.
  [[nodiscard]] bool is_usable() const;
  [[nodiscard]] double h(int level) const;
  [[nodiscard]] const Rung& rung(int level);
  /// w + F_level·w, with F as the rung has it.
  void advance(int level, std::span<const double> w, std::span<double> result);
  /// R_level·|w|: what rounding makes of that.
  void rounding(int level, std::span<const double> w, std::span<double> result);

 private:
  void extend();

  Eigen::VectorXd scale_;  ///< w = D w_balanced
  double h_0_ = 0.0;
  Matrix<long double> fine_;
  std::array<Matrix<double>, 3> coarse_;
  std::deque<Rung> rungs_;
};

}  // namespace mti
