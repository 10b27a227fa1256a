#include "tests/solvers/laplace_coefficient.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace mti::test {
namespace {

using Real = long double;
using Complex = std::complex<Real>;
using ComplexMatrix = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic>;
using ComplexVector = Eigen::Matrix<Complex, Eigen::Dynamic, 1>;

}  // namespace

Eigen::VectorXd laplace_coefficient(const RandomPencil& pencil, int power, long double radius) {
  constexpr int points = 64;  // aliases fall with (largest eigenvalue/radius)^points
  const Eigen::Index n = pencil.E.rows();
  ComplexVector sum = ComplexVector::Zero(n);
  for (int k = 0; k < points; ++k) {
    const Complex s = std::polar(radius, 2 * std::numbers::pi_v<Real> * (k + Real(0.5)) / points);
    const ComplexMatrix E = pencil.E.cast<Complex>(), A = pencil.A.cast<Complex>();
    ComplexVector right = E * pencil.x_minus.cast<Complex>();
    Complex factor = Real(1) / s;
    for (const Eigen::VectorXd& b : pencil.b) {
      right += factor * b.cast<Complex>();
      factor /= s;
    }
    const ComplexMatrix M = s * E + A;
    sum += M.fullPivLu().solve(right) * std::pow(s, -power);
  }
  return (sum / Real(points)).real().cast<double>();
}

}  // namespace mti::test
