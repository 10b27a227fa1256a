#pragma once

#include <Eigen/Dense>

#include <optional>
#include <vector>

namespace mti::test {

/// Quasi-Weierstrass form of a regular pencil, after E ẋ + A x = b:
///
///     S E T = diag(I, N),   S A T = diag(J, I),   N nilpotent of the index ν,   T = [V, W]
///
/// V and W span the limits of the Wong sequences
///
///     V₀ = Rⁿ, V_{i+1} = A⁻¹(E V_i),    W₀ = {0}, W_{i+1} = E⁻¹(A W_i)
///
/// with preimages, and S = [E V, A W]⁻¹. With x = V w₁ + W w₂ and S b = (b₁, b₂): ẇ₁ + J w₁ = b₁ and
/// N ẇ₂ + w₂ = b₂.
/// Source: Berger, Ilchmann, Trenn, The quasi-Weierstrass form for regular matrix pencils, Linear Algebra
/// Appl. 436 (2012) 4052. Ranks are decided by singular values.
struct WongForm {
  Eigen::MatrixXd V, W;  ///< orthonormal columns, n × n₁ and n × n₂
  Eigen::MatrixXd S, T_inverse;
  Eigen::MatrixXd J, N;
  int index = 0;           ///< ν, 0 where W is empty
  double clearance = 1.0;  ///< smallest singular value that counted, relative to the largest of its matrix
  double doubt = 0.0;      ///< largest singular value that did not count, likewise
  /// ‖T⁻¹‖‖T‖ and ‖S‖‖S⁻¹‖, the larger: what an error in E, A or b is multiplied by.
  double condition = 1.0;

  [[nodiscard]] Eigen::Index size() const { return V.rows(); }
};

/// Nothing if the pencil is singular: det(s E + A) = 0 for all s.
[[nodiscard]] std::optional<WongForm> wong_form(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A);

/// What x becomes at t = 0 when it starts from any x⁻, with b smooth on t ≥ 0.
struct LinearRestart {
  Eigen::VectorXd x_plus;
  /// Column m: coefficients of the m-th derivative of the Dirac impulse, order m + 1 in 1/h; ν − 1 columns.
  Eigen::MatrixXd impulses;

  /// The highest column in which signal i is more than `threshold`, plus one; 0 without an impulse.
  [[nodiscard]] int order(Eigen::Index i, double threshold) const;
};

/// x⁺ = V w₁⁻ + W w₂⁺ with w₂⁺ = Σ_k (−N)^k b₂^(k)(0) and impulses W (−N)^{m+1} (w₂⁺ − w₂⁻) δ^(m).
/// `b_derivatives` holds b, ḃ, … at 0+; derivatives beyond its end are zero.
[[nodiscard]] LinearRestart restart(const WongForm& form, const Eigen::VectorXd& x_minus,
                                    const std::vector<Eigen::VectorXd>& b_derivatives);

/// x, ẋ, … up to `orders` derivatives at 0+ of the motion that starts at a consistent x.
[[nodiscard]] std::vector<Eigen::VectorXd> derivatives(const WongForm& form, const Eigen::VectorXd& x,
                                                       const std::vector<Eigen::VectorXd>& b_derivatives,
                                                       int orders);

}  // namespace mti::test
