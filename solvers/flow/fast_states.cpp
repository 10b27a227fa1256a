#include "solvers/flow/fast_states.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/flow/balance.hpp"

namespace mti {
namespace {

struct Gap {
  int fast = 0;  ///< eigenvalues beyond it
  double above = 0.0, below = 0.0;
};

/// Eigenvalues below this part of the fastest are rounding.
constexpr double no_rate = 1e-12;

/// The widest gap between −Re λ of the eigenvalues of B and the magnitude of those below it, which `slowest` is one of.
std::optional<Gap> widest_gap(const Eigen::MatrixXd& B, double slowest, double least_rate, double least_gap) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(B, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  std::vector<std::complex<double>> lambda(solver.eigenvalues().begin(), solver.eigenvalues().end());
  std::ranges::sort(lambda, {}, [](std::complex<double> value) { return value.real(); });
  std::vector<double> below(lambda.size());  // largest magnitude from here on
  double largest = lambda.empty() ? slowest : std::max(slowest, no_rate * std::abs(lambda.front()));
  for (std::size_t i = lambda.size(); i-- > 0; largest = std::max(largest, std::abs(lambda[i])))
    below[i] = largest;
  std::optional<Gap> widest;
  double width = least_gap;
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    const double above = -lambda[i].real();
    const double ratio = above / below[i];
    if (!(ratio >= width) || !(above >= least_rate) || !(above > 0.0)) continue;
    width = ratio;
    widest = Gap{static_cast<int>(i) + 1, above, below[i]};
  }
  return widest;
}

/// sign(X) by X ← (μX + (μX)⁻¹)/2; nothing if that does not converge.
std::optional<Eigen::MatrixXd> sign_of(Eigen::MatrixXd X) {
  constexpr int most_iterations = 100;
  constexpr double converged = 1e-9, unscaled_from = 1e-2;
  double change = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    check_budget();
    const Eigen::MatrixXd inverse = X.inverse();
    if (!inverse.allFinite()) return std::nullopt;
    const double mu = change < unscaled_from ? 1.0 : std::sqrt(inverse.norm() / X.norm());
    const Eigen::MatrixXd next = 0.5 * (mu * X + inverse / mu);
    if (!next.allFinite()) return std::nullopt;
    change = (next - X).norm() / next.norm();
    X = next;
    if (change <= converged) return X;
  }
  return std::nullopt;
}

}  // namespace

FastStates fast_states(const Eigen::MatrixXd& M, int states, double least_rate, double least_gap,
                       double slowest) {
  const Eigen::VectorXd scale = balance(M.cwiseAbs(), states).head(states);
  const Eigen::MatrixXd B =
      scale.cwiseInverse().asDiagonal() * M.topLeftCorner(states, states) * scale.asDiagonal();
  // No eigenvalue is larger than the norm.
  if (!B.allFinite() || !(B.cwiseAbs().colwise().sum().maxCoeff() >= least_rate)) return {};
  for (Eigen::Index g = states; g + 1 < M.rows(); ++g)
    slowest = std::max(slowest, std::sqrt(std::abs(M(g, g + 1) * M(g + 1, g))));
  const std::optional<Gap> gap = widest_gap(B, slowest, least_rate, least_gap);
  if (!gap) return {};
  // Where nothing slow moves, any line below the fast ones will do.
  const double sigma = std::sqrt(gap->above * std::max(gap->below, gap->above / (least_gap * least_gap)));
  const auto identity = Eigen::MatrixXd::Identity(states, states);
  const auto sign = sign_of(B + sigma * identity);
  if (!sign) return {};
  const Eigen::MatrixXd P = 0.5 * (identity - *sign);
  constexpr double of_a_count = 0.1;
  if (!(std::abs(P.trace() - gap->fast) <= of_a_count)) return {};
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposition(P);
  const auto& pivots = decomposition.colsPermutation().indices();
  std::vector<int> chosen(pivots.begin(), pivots.begin() + gap->fast);
  std::ranges::sort(chosen);
  return {std::move(chosen), gap->above};
}

}  // namespace mti
