#pragma once

#include <Eigen/Core>

namespace mti {

/// A multilinear function of CP rank r with one number for each factor:
///
///     F_j(w) = Σ_k Φ_jk Π_i (cos θ_ik + sin θ_ik w_i),    i = 1 … N, j = 1 … n, k = 1 … r
///
/// Every affine factor a + b w is a multiple of such a one, and the multiple belongs to Φ: no direction of (θ, Φ) leaves
/// F unchanged for the scale of a factor alone. θ is (N × r), Φ is (n × r). θ and θ + π are the same up to the sign of Φ.
struct CpFactors {
  Eigen::MatrixXd angle, Phi;

  [[nodiscard]] Eigen::Index rank() const { return angle.cols(); }
};

/// Samples of w and of what F is to be there: W is (T × N), Y is (T × n).
struct RegressionData {
  Eigen::MatrixXd W, Y;
};

/// P_tk = Π_i (cos θ_ik + sin θ_ik W_ti), (T × r).
[[nodiscard]] Eigen::MatrixXd column_products(const Eigen::MatrixXd& angle, const Eigen::MatrixXd& W);

/// F at the rows of W, (T × n).
[[nodiscard]] Eigen::MatrixXd values_of(const CpFactors& factors, const Eigen::MatrixXd& W);

/// The slopes of the products for a block of samples:
///
///     D_t,(k N + i) = ∂P_tk/∂θ_ik = (−sin θ_ik + cos θ_ik W_ti) Π_{l≠i} (cos θ_lk + sin θ_lk W_tl)
///
/// from products before and behind i: nothing is divided by. `slopes` is (rows × N r).
void product_slopes(const Eigen::MatrixXd& angle, const Eigen::Ref<const Eigen::MatrixXd>& W,
                    Eigen::MatrixXd& slopes);

/// The slopes of all samples are looked at in blocks of so many rows, which stay in the cache.
inline constexpr Eigen::Index slope_block = 256;

}  // namespace mti
