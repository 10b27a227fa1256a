#include "solvers/identification/cp_gauss_newton.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/identification/normal_equations.hpp"

namespace mti {
namespace {

constexpr double right_angle = std::numbers::pi / 2.0;

/// Steps of the angles that are not held at a bound.
class DampedStep {
 public:
  DampedStep(const NormalEquations& equations, const Eigen::MatrixXd& angle, Signs signs) {
    for (Eigen::Index p = 0; p < angle.size(); ++p) {
      const double value = angle.data()[p], g = equations.g(p);
      const bool held =
          signs == Signs::nonnegative && ((value <= 0.0 && g <= 0.0) || (value >= right_angle && g >= 0.0));
      if (!held) free_.push_back(p);
    }
    const Eigen::MatrixXd full = equations.H.selfadjointView<Eigen::Lower>();
    H_ = full(free_, free_);
    g_ = equations.g(free_);
    // Directions of which the cost knows nothing are damped like those of which it knows little.
    constexpr double least = 1e-12;
    damping_ = H_.diagonal();
    if (damping_.size() > 0) damping_ = damping_.cwiseMax(least * std::max(damping_.maxCoeff(), 1e-300));
  }

  [[nodiscard]] bool is_empty() const { return free_.empty() || g_.norm() == 0.0; }

  /// The angles after a step with this damping; the cost that the quadratic model takes off is in `expected`.
  [[nodiscard]] Eigen::MatrixXd taken(const Eigen::MatrixXd& angle, Signs signs, double lambda,
                                      double& expected) const {
    Eigen::MatrixXd damped = H_;
    damped.diagonal() += lambda * damping_;
    const Eigen::VectorXd step = damped.ldlt().solve(g_);
    Eigen::MatrixXd next = angle;
    for (std::size_t p = 0; p < free_.size(); ++p)
      next.data()[free_[p]] += step(static_cast<Eigen::Index>(p));
    if (signs == Signs::nonnegative) next = next.cwiseMax(0.0).cwiseMin(right_angle);
    expected = 2.0 * step.dot(g_) - step.dot(H_ * step);
    return next;
  }

 private:
  std::vector<Eigen::Index> free_ = {};
  Eigen::MatrixXd H_;
  Eigen::VectorXd g_, damping_;
};

/// θ modulo π, in (−π/2, π/2]: the sign goes to Φ.
void wrap(Eigen::MatrixXd& angle) {
  for (double& value : std::span(angle.data(), at(angle.size())))
    value -= std::numbers::pi * std::ceil(value / std::numbers::pi - 0.5);
}

}  // namespace

std::optional<CpFit> gauss_newton(const Eigen::MatrixXd& start, const RegressionData& data,
                                  const GaussNewtonOptions& options) {
  constexpr double first_lambda = 1e-2, least_lambda = 1e-14, most_lambda = 1e10;
  constexpr int small_steps_in_a_row = 3;
  Eigen::MatrixXd angle = start;
  auto fit = project(angle, data, options.signs);
  if (!fit) return std::nullopt;
  const double exact = options.exact * data.Y.squaredNorm();
  double lambda = first_lambda;
  int iteration = 0;
  for (int small_steps = 0; iteration < options.iterations && fit->cost > exact; ++iteration) {
    const NormalEquations equations = normal_equations(angle, data, *fit);
    const DampedStep damped(equations, angle, options.signs);
    if (damped.is_empty()) break;
    bool taken = false;
    for (double growth = 2.0; !taken && lambda <= most_lambda;) {
      double expected = 0.0;
      Eigen::MatrixXd next = damped.taken(angle, options.signs, lambda, expected);
      auto next_fit = next.allFinite() ? project(next, data, options.signs) : std::nullopt;
      if (!next_fit || !(next_fit->cost < fit->cost)) {
        lambda *= growth;
        growth *= 2.0;
        continue;
      }
      taken = true;
      const double gained = fit->cost - next_fit->cost;
      const double quality = expected > 0.0 ? gained / expected : 0.0;
      lambda = std::max(least_lambda, lambda * std::max(1.0 / 9.0, 1.0 - std::pow(2.0 * quality - 1.0, 3)));
      small_steps = gained < options.tolerance * fit->cost ? small_steps + 1 : 0;
      angle = std::move(next);
      fit = std::move(next_fit);
    }
    if (!taken || small_steps >= small_steps_in_a_row) break;
  }
  if (options.signs == Signs::any) {
    wrap(angle);
    if (auto same = project(angle, data, options.signs)) fit = std::move(same);
  }
  return CpFit{{std::move(angle), fit->Phi}, fit->cost, iteration};
}

}  // namespace mti
