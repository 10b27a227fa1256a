#include "solvers/fitting/bounded_least_squares.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double cost_of(const VectorXd& residuals, const Loss& loss) {
  double sum = 0.0;
  for (const double r : residuals) sum += loss.value(r);
  return 0.5 * sum;
}

struct Bounds {
  const VectorXd &lower, &upper;

  /// p + step within the bounds; a step that leads to a bound ends there exactly.
  [[nodiscard]] VectorXd after(const VectorXd& p, const VectorXd& step) const {
    VectorXd next = (p + step).cwiseMax(lower).cwiseMin(upper);
    for (Index j = 0; j < p.size(); ++j) {
      if (step(j) == lower(j) - p(j)) next(j) = lower(j);
      if (step(j) == upper(j) - p(j)) next(j) = upper(j);
    }
    return next;
  }
  [[nodiscard]] bool hold(Index j, double value, double gradient) const {
    return (value <= lower(j) && gradient > 0.0) || (value >= upper(j) && gradient < 0.0);
  }
};

/// The quadratic model of the cost around a point,
///
///     q(s) = g·s + ½ ‖J s‖²,    J^T J = R^T R
///
/// with weights in J and r.
class LocalModel {
 public:
  LocalModel(const ResidualPoint& point, const Loss& loss) {
    MatrixXd J = point.jacobian;
    VectorXd r = point.residuals;
    J = J.array().isFinite().select(J, 0.0);
    for (Index i = 0; i < r.size(); ++i) {
      const double weight = std::sqrt(loss.weight(r(i)));
      J.row(i) *= weight;
      r(i) *= weight;
    }
    g_ = J.transpose() * r;
    norms_ = J.colwise().norm();
    const Index n = J.cols();
    if (J.rows() > n) {
      const Eigen::HouseholderQR<MatrixXd> qr(J);
      R_ = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
      const VectorXd c = qr.householderQ().adjoint() * r;
      c_ = c.head(n);
    } else {
      R_ = std::move(J);
      c_ = std::move(r);
    }
  }

  [[nodiscard]] const VectorXd& gradient() const { return g_; }
  [[nodiscard]] const VectorXd& norms() const { return norms_; }
  /// What the model takes off the cost.
  [[nodiscard]] double gain(const VectorXd& step) const {
    return -g_.dot(step) - 0.5 * (R_ * step).squaredNorm();
  }

  /// The step with this damping that stays within the bounds.
  [[nodiscard]] VectorXd step(const VectorXd& p, const VectorXd& D, double lambda,
                              const Bounds& bounds) const {
    const Index n = p.size();
    VectorXd step = VectorXd::Zero(n);
    std::vector<Index> open;
    for (Index j = 0; j < n; ++j)
      if (!bounds.hold(j, p(j), g_(j))) open.push_back(j);
    while (!open.empty()) {
      const VectorXd part = solved(step, open, D, lambda);
      std::vector<Index> still_open;
      for (std::size_t k = 0; k < open.size(); ++k) {
        const Index j = open[k];
        step(j) = part(static_cast<Index>(k));
        if (p(j) + step(j) < bounds.lower(j))
          step(j) = bounds.lower(j) - p(j);
        else if (p(j) + step(j) > bounds.upper(j))
          step(j) = bounds.upper(j) - p(j);
        else
          still_open.push_back(j);
      }
      if (still_open.size() == open.size()) break;
      for (const Index j : still_open) step(j) = 0.0;
      open = std::move(still_open);
    }
    return step;
  }

 private:
  /// Of the open parameters, the others having taken their part of the step.
  [[nodiscard]] VectorXd solved(const VectorXd& fixed, const std::vector<Index>& open, const VectorXd& D,
                                double lambda) const {
    const auto count = static_cast<Index>(open.size());
    MatrixXd A(R_.rows() + count, count);
    A.topRows(R_.rows()) = R_(Eigen::all, open);
    A.bottomRows(count) = (std::sqrt(lambda) * D(open)).asDiagonal();
    VectorXd b = VectorXd::Zero(A.rows());
    VectorXd others = fixed;
    others(open).setZero();
    b.head(R_.rows()) = -(c_ + R_ * others);
    return A.householderQr().solve(b);
  }

  MatrixXd R_;
  VectorXd c_, g_, norms_;
};

class Search {
 public:
  Search(const std::function<ResidualEvaluation(const VectorXd&)>& residuals, const Bounds& bounds,
         const LeastSquaresOptions& options)
      : residuals_(residuals), bounds_(bounds), options_(options) {}

  LeastSquaresResult run(const VectorXd& start) {
    result_.p = start;
    ResidualEvaluation first = evaluated(start);
    if (first.kind != ResidualEvaluation::Kind::done) {
      result_.end =
          first.kind == ResidualEvaluation::Kind::ended ? LeastSquaresEnd::ended : LeastSquaresEnd::no_start;
      result_.message = std::move(first.message);
      return std::move(result_);
    }
    take(start, std::move(first));
    D_ = VectorXd::Zero(start.size());
    result_.end = LeastSquaresEnd::iteration_limit;
    while (result_.iterations < options_.most_iterations)
      if (const auto end = improve()) {
        result_.end = *end;
        break;
      }
    return std::move(result_);
  }

 private:
  static constexpr double least_lambda = 1e-10, most_lambda = 1e16;

  ResidualEvaluation evaluated(const VectorXd& p) {
    ++result_.evaluations;
    ResidualEvaluation evaluation = residuals_(p);
    if (evaluation.kind == ResidualEvaluation::Kind::done && !evaluation.point.residuals.allFinite())
      evaluation = {.kind = ResidualEvaluation::Kind::refused,
                    .message = "values are infinite or no numbers"};
    return evaluation;
  }

  void take(const VectorXd& p, ResidualEvaluation evaluation) {
    result_.p = p;
    result_.point = std::move(evaluation.point);
    result_.cost = cost_of(result_.point.residuals, options_.loss);
    exact_ = result_.exact = evaluation.exact;
  }

  /// What a full step takes off the cost, by the model: how near the minimum is. Where bounds cut so much off a step that
  /// nothing of that is left, what a shorter one takes off.
  [[nodiscard]] double promise_of(const LocalModel& model, const VectorXd& D) const {
    constexpr double shorter = 1e3;
    double promise = 0.0;
    for (double lambda = least_lambda; promise <= 0.0 && lambda < most_lambda; lambda *= shorter)
      promise = model.gain(model.step(result_.p, D, lambda, bounds_));
    return promise;
  }

  [[nodiscard]] bool is_short(const VectorXd& step) const {
    return step.isZero(0.0) ||
           D_.cwiseProduct(step).norm() <= options_.step_tolerance * D_.cwiseProduct(result_.p).norm();
  }

  /// One step that lowers the cost; or why there is none.
  std::optional<LeastSquaresEnd> improve() {
    constexpr double little = 0.1;
    if (result_.cost <= exact_ && last_gain_ <= little) return LeastSquaresEnd::converged;
    const LocalModel model(result_.point, options_.loss);
    D_ = D_.cwiseMax(model.norms());
    VectorXd D = D_;
    for (double& entry : D)
      if (entry == 0.0) entry = 1.0;
    const double promise = promise_of(model, D);
    if (!(promise > options_.cost_tolerance * result_.cost)) return end_by_derivatives();
    if (is_short(model.step(result_.p, D, least_lambda, bounds_))) return end_by_derivatives();
    std::string refusal;
    for (double growth = 2.0; lambda_ <= most_lambda; lambda_ *= growth, growth *= 2.0) {
      const VectorXd next = bounds_.after(result_.p, model.step(result_.p, D, lambda_, bounds_));
      const VectorXd step = next - result_.p;
      const bool is_last = is_short(step);
      if (is_last && lambda_ > 1.0) return end_of_short_steps(promise, refusal);
      ResidualEvaluation trial = evaluated(next);
      if (trial.kind == ResidualEvaluation::Kind::ended) return LeastSquaresEnd::ended;
      if (trial.kind == ResidualEvaluation::Kind::refused) {
        ++result_.refused;
        refusal = std::move(trial.message);
        continue;
      }
      const double gained = result_.cost - cost_of(trial.point.residuals, options_.loss);
      refusal.clear();
      if (!(gained > 0.0)) {
        if (is_last) return end_of_short_steps(promise, refusal);
        continue;
      }
      const double expected = model.gain(step);
      const double quality = expected > 0.0 ? std::min(gained / expected, 1.0) : 0.0;
      lambda_ = std::max(least_lambda, lambda_ * std::max(1.0 / 9.0, 1.0 - std::pow(2.0 * quality - 1.0, 3)));
      ++result_.iterations;
      last_gain_ = gained / result_.cost;
      take(next, std::move(trial));
      return std::nullopt;
    }
    return end_of_short_steps(promise, refusal);
  }

  /// The known derivatives lead no farther. That is a minimum if they tell of nearly all that makes up the cost.
  LeastSquaresEnd end_by_derivatives() {
    constexpr double most_untold = 0.1;
    const ResidualPoint& point = result_.point;
    double untold = 0.0, all = 0.0;
    Index rows = 0;
    for (Index i = 0; i < point.residuals.size(); ++i) {
      const double r = point.residuals(i), part = options_.loss.weight(r) * r * r;  // as in the gradient
      all += part;
      if (point.jacobian.row(i).allFinite()) continue;
      untold += part;
      ++rows;
    }
    if (!(untold > most_untold * all)) return LeastSquaresEnd::converged;
    result_.message = "derivatives of " + std::to_string(rows) + " of " +
                      std::to_string(point.residuals.size()) +
                      " residuals, which make up more than a tenth of what is left, are undefined";
    return LeastSquaresEnd::stalled;
  }

  /// Close to a minimum the accuracy of the residuals ends the search before its tolerances do.
  LeastSquaresEnd end_of_short_steps(double promise, const std::string& refusal) {
    constexpr double close = 1e-4;
    if (result_.cost <= exact_) return LeastSquaresEnd::converged;
    if (promise <= close * result_.cost) return end_by_derivatives();
    result_.message = !refusal.empty()
                          ? refusal
                          : "short steps do not lower the sum of squares as derivatives say they should";
    return LeastSquaresEnd::stalled;
  }

  const std::function<ResidualEvaluation(const VectorXd&)>& residuals_;
  const Bounds bounds_;
  const LeastSquaresOptions& options_;
  LeastSquaresResult result_;
  VectorXd D_;
  double lambda_ = 1e-3, exact_ = 0.0;
  double last_gain_ =
      std::numeric_limits<double>::infinity();  ///< part of the cost that the last step has taken off
};

}  // namespace

LeastSquaresResult minimise_squares(
    const std::function<ResidualEvaluation(const Eigen::VectorXd& p)>& residuals,
    const Eigen::VectorXd& start, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
    const LeastSquaresOptions& options) {
  return Search(residuals, {lower, upper}, options).run(start);
}

}  // namespace mti
