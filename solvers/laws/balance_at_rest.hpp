#pragma once

#include <Eigen/Core>

#include <optional>
#include <utility>
#include <vector>

namespace mti {

/// Whether steps of Newton's method, of which the sizes relative to the unknowns are told one after the other, are rounding, or
/// small and cease to shrink.
class StepsCease {
 public:
  [[nodiscard]] bool operator()(double relative);

 private:
  std::optional<double> smallest_;
};

/// When Newton's method for a block of a balance has come to rest: its steps are rounding of the unknowns, or cease to shrink.
class BalanceAtRest {
 public:
  /// Of each unknown what it is known to no better than a part of, beside its own size, and whether it is a weight.
  BalanceAtRest(Eigen::VectorXd floor, std::vector<char> is_weight)
      : floor_(std::move(floor)), is_weight_(std::move(is_weight)), noise_(floor_.size()) {
    noise_.setZero();
  }

  /// A weight that is nothing but rounding, of numbers that are ε/rtol large, does not come to rest relative to its size.
  void take_noise(Eigen::VectorXd noise) { noise_ = std::move(noise); }
  [[nodiscard]] bool operator()(Eigen::VectorXd step, const Eigen::VectorXd& w);

 private:
  Eigen::VectorXd floor_;
  std::vector<char> is_weight_;
  Eigen::VectorXd noise_;
  StepsCease steps_cease_;
};

}  // namespace mti
