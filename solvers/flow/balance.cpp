#include "solvers/flow/balance.hpp"

#include <cmath>

namespace mti {

Eigen::VectorXd balance(const Eigen::MatrixXd& M, int states) {
  constexpr int most_sweeps = 100;
  constexpr double enough = 0.95;
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(M.rows());
  Eigen::MatrixXd B = M.topLeftCorner(states, states).cwiseAbs();
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (int i = 0; i < states; ++i) {
      const double row = B.row(i).sum(), column = B.col(i).sum();
      if (!(row > 0.0) || !(column > 0.0)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (factor == 1.0 || !(row / factor + column * factor < enough * (row + column))) continue;
      scale[i] *= factor;
      B.row(i) /= factor;
      B.col(i) *= factor;
      changed = true;
    }
  }
  return scale;
}

}  // namespace mti
