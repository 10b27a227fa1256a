#pragma once

#include <Eigen/Dense>

#include "tests/solvers/random_pencil.hpp"

namespace mti::test {

/// Coefficient of s^power of X(s) = (s E + A)⁻¹ (E x⁻ + Σ_k b_k s^−(k+1)) around infinity, by the trapezoidal
/// rule on a circle: power −1 is x⁺, power m ≥ 0 the weight of the m-th derivative of the Dirac impulse.
Eigen::VectorXd laplace_coefficient(const RandomPencil& pencil, int power, long double radius);

}  // namespace mti::test
