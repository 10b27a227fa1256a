#pragma once

#include <Eigen/Dense>

#include <cmath>
#include <optional>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/motion/motion.hpp"

namespace mti::test {

/// The motion of a mode computed in the plainest way, as an oracle: all of S and Φ at once, unfrozen,
/// unordered and dense, with f differentiated by differences of step 1 (exact for multilinear functions).
///
/// The first n + p equations must determine (ẋ, y); those behind them are conditions on binaries.
class MotionOracle {
 public:
  using Series = std::vector<std::vector<double>>;  ///< Taylor coefficients of every row of S

  MotionOracle(const Model& model, const Mode& mode, const Instant& instant)
      : model_(model), instant_(instant), series_(instant.v.size()) {
    std::vector<double> v = instant.v;
    write_mode(model.signature, mode, v);
    for (std::size_t i = 0; i < v.size(); ++i) series_[i] = {v[i]};
    for (int i = 0; i < model.signature.m(); ++i)
      if (!model.signature.inputs()[at(i)].binary)
        at_row(model.signature.input_row(i)) = {instant.pieces[at(i)].value(instant.t)};
    for (int i = 0; i < model.signature.n(); ++i) unknowns_.push_back(model.signature.derivative_row(i));
    for (int i = 0; i < model.signature.p(); ++i) unknowns_.push_back(model.signature.algebraic_row(i));
    solved_ = solve();
  }

  [[nodiscard]] bool solved() const { return solved_; }
  [[nodiscard]] double signal(int row, int k) {
    extend(k);
    return series_[at(row)][at(k)];
  }
  [[nodiscard]] double constraint(int row, int k) {
    extend(k);
    return coefficient(model_.Phi_ineq, row, k);
  }
  /// f_j at order k, for any equation.
  [[nodiscard]] double equation(int row, int k) {
    extend(k);
    return coefficient(model_.Phi_eq, row, k);
  }

 private:
  std::vector<double>& at_row(int row) { return series_[at(row)]; }

  /// Coefficient k of Σ_c Φ_jc Π_i (1 − |S_ic| + S_ic v_i(τ)) by multiplying polynomials.
  [[nodiscard]] double coefficient(const SparseColumns& Phi, int row, int k) const {
    double sum = 0.0;
    for (int c = 0; c < model_.columns(); ++c) {
      const double weight = Phi.coeff(row, c);
      if (weight == 0.0) continue;
      std::vector<double> product(at(k) + 1, 0.0);
      product[0] = 1.0;
      for (SparseColumns::InnerIterator factor(model_.S, c); factor; ++factor) {
        std::vector<double> next(product.size(), 0.0);
        const std::vector<double>& v = series_[at(static_cast<int>(factor.row()))];
        for (std::size_t a = 0; a < product.size(); ++a)
          for (std::size_t b = 0; a + b < product.size(); ++b) {
            const double part = factor.value() * (b < v.size() ? v[b] : 0.0);
            next[a + b] += product[a] * (b == 0 ? 1.0 - std::abs(factor.value()) + part : part);
          }
        product = next;
      }
      sum += weight * product[at(k)];
    }
    return sum;
  }

  [[nodiscard]] Eigen::VectorXd residual(int k) const {
    Eigen::VectorXd r(static_cast<Eigen::Index>(unknowns_.size()));
    for (Eigen::Index j = 0; j < r.size(); ++j) r[j] = coefficient(model_.Phi_eq, static_cast<int>(j), k);
    return r;
  }

  [[nodiscard]] Eigen::MatrixXd jacobian() {
    const auto size = static_cast<Eigen::Index>(unknowns_.size());
    Eigen::MatrixXd J(size, size);
    const Eigen::VectorXd here = residual(0);
    for (Eigen::Index i = 0; i < size; ++i) {
      double& w = at_row(unknowns_[at(i)])[0];
      w += 1.0;
      J.col(i) = residual(0) - here;
      w -= 1.0;
    }
    return J;
  }

  bool solve() {
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::VectorXd r = residual(0);
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(jacobian());
      if (lu.rank() < r.size()) return false;
      const Eigen::VectorXd step = lu.solve(r);
      for (Eigen::Index i = 0; i < step.size(); ++i) at_row(unknowns_[at(i)])[0] -= step[i];
      if (step.size() == 0 || step.cwiseAbs().maxCoeff() < 1e-13) return true;
    }
    return false;
  }

  void extend(int last) {
    for (int k = orders_; k <= last; ++k) {
      const Signature& signature = model_.signature;
      double factorial = 1.0;
      for (int i = 2; i <= k; ++i) factorial *= i;
      for (std::vector<double>& coefficients : series_) coefficients.resize(at(k) + 1, 0.0);
      for (int i = 0; i < signature.n(); ++i)
        at_row(signature.state_row(i))[at(k)] = at_row(signature.derivative_row(i))[at(k - 1)] / k;
      for (int i = 0; i < signature.m(); ++i)
        if (!signature.inputs()[at(i)].binary)
          at_row(signature.input_row(i))[at(k)] =
              instant_.pieces[at(i)].derivative(instant_.t, k) / factorial;
      // The unknowns' coefficients k enter f's coefficient k linearly, with the Jacobian.
      const Eigen::VectorXd step = jacobian().fullPivLu().solve(residual(k));
      for (Eigen::Index i = 0; i < step.size(); ++i) at_row(unknowns_[at(i)])[at(k)] = -step[i];
      orders_ = k + 1;
    }
  }

  const Model& model_;
  const Instant& instant_;
  Series series_;
  std::vector<int> unknowns_;
  int orders_ = 1;
  bool solved_ = false;
};

/// An instant at t with states x; inputs at t, guesses from the model's start values.
inline Instant instant_of(const Model& model, double t, const std::vector<double>& x) {
  Instant instant;
  instant.t = t;
  instant.v.assign(at(model.signature.size()), 0.0);
  std::copy(x.begin(), x.end(), instant.v.begin() + model.signature.state_row(0));
  std::copy(model.y_start.begin(), model.y_start.end(), instant.v.begin() + model.signature.algebraic_row(0));
  instant.guess = instant.v;
  std::vector<InputPiece> pieces;
  for (const Input& input : model.inputs) pieces.push_back(input.piece(t));
  instant.pieces = pieces;
  return instant;
}

}  // namespace mti::test
