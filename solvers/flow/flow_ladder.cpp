#include "solvers/flow/flow_ladder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/flow/balance.hpp"

namespace mti {
namespace {

/// exp(X) − I for ‖X‖ ≤ 2⁻⁸: 2⁻⁸ᵏ/(k + 1)! is below the rounding of a long double from k = 7 on.
template <class Scalar>
FlowLadder::Matrix<Scalar> exponential_less_identity(const FlowLadder::Matrix<Scalar>& X) {
  constexpr int terms = 9;
  FlowLadder::Matrix<Scalar> sum = X / Scalar(terms);
  for (int k = terms - 1; k >= 1; --k) {
    check_budget();
    sum = ((X + X * sum) / Scalar(k)).eval();
  }
  return sum;
}

/// Generators are scaled so that none of them makes the norm larger than `rate`, which the states have by themselves.
void scale_generators(const Eigen::MatrixXd& M, int states, double rate, Eigen::VectorXd& scale) {
  for (Eigen::Index g = states; g < M.rows(); ++g) {
    double largest = 0.0;
    for (Eigen::Index i = 0; i < g; ++i) largest = std::max(largest, std::abs(M(i, g)) / scale[i]);
    // Sines drive each other: both have the scale of the first.
    const bool is_second_of_sine = g > states && M(g, g - 1) != 0.0;
    if (is_second_of_sine)
      scale[g] = scale[g - 1];
    else if (largest > 0.0)
      scale[g] = std::exp2(std::floor(std::log2(rate / largest)));
  }
}

template <class Scalar>
FlowLadder::Matrix<Scalar> scaled(const FlowLadder::Matrix<Scalar>& M, const Eigen::VectorXd& scale,
                                  double factor) {
  FlowLadder::Matrix<Scalar> result = M;
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index k = 0; k < M.cols(); ++k) result(i, k) *= Scalar(scale[k] / scale[i] * factor);
  return result;
}

}  // namespace

FlowLadder::FlowLadder(const Matrix<long double>& M, const Matrix<double>& coarse, int first_generator,
                       double duration) {
  const Eigen::MatrixXd sizes = coarse.cwiseAbs();
  scale_ = balance(sizes, first_generator);
  const auto norm = [&](Eigen::Index columns) {
    return scaled(sizes, scale_, 1.0).leftCols(columns).colwise().sum().maxCoeff();
  };
  const double slowest = 1.0 / duration;
  scale_generators(coarse, first_generator, std::max(slowest, norm(first_generator)), scale_);
  constexpr double largest_norm = 1.0 / 256.0;
  h_0_ = std::exp2(std::floor(std::log2(largest_norm / std::max(slowest, norm(sizes.cols())))));
  fine_ = exponential_less_identity<long double>(scaled<long double>(M, scale_, h_0_));
  std::minstd_rand signs(1);
  for (Matrix<double>& ladder : coarse_) {
    ladder = scaled<double>(coarse, scale_, h_0_);
    for (double& entry : ladder.reshaped())
      entry *= 1.0 + (signs() % 2 == 0 ? -machine_epsilon : machine_epsilon);
    ladder = exponential_less_identity<double>(ladder);
  }
}

bool FlowLadder::is_usable() const { return std::isnormal(h_0_) && fine_.allFinite(); }

double FlowLadder::h(int level) const { return std::ldexp(h_0_, level); }

void FlowLadder::extend() {
  check_budget();
  if (!rungs_.empty()) {
    fine_ = (2.0L * fine_ + fine_ * fine_).eval();
    for (Matrix<double>& ladder : coarse_) ladder = (2.0 * ladder + ladder * ladder).eval();
  }
  constexpr double finer = static_cast<double>(std::numeric_limits<long double>::epsilon()) / machine_epsilon;
  constexpr double margin = 8.0, three_digits = 1e-3;
  Rung& rung = rungs_.emplace_back();
  const Matrix<double> F = fine_.cast<double>();
  Matrix<double> differences = Matrix<double>::Zero(F.rows(), F.cols());
  for (const Matrix<double>& ladder : coarse_)
    differences = differences.cwiseMax((fine_ - ladder.cast<long double>()).cwiseAbs().cast<double>());
  rung.is_good = F.allFinite() && differences.allFinite() &&
                 differences.maxCoeff() <= three_digits * F.cwiseAbs().maxCoeff();
  rung.R = (margin * finer * differences + machine_epsilon * F.cwiseAbs()).cast<float>();
  rung.F = scaled<double>(F, scale_.cwiseInverse(), 1.0);
}

const FlowLadder::Rung& FlowLadder::rung(int level) {
  while (static_cast<int>(rungs_.size()) <= level) extend();
  return rungs_[at(level)];
}

void FlowLadder::advance(int level, std::span<const double> w, std::span<double> result) {
  const Rung& of = rung(level);
  const Eigen::Index size = of.F.rows();
  for (Eigen::Index i = 0; i < size; ++i) {
    double sum = 0.0;
    const double* const row = of.F.data() + i * size;
    for (Eigen::Index k = 0; k < size; ++k) sum += row[k] * w[at(k)];
    result[at(i)] = w[at(i)] + sum;
  }
}

void FlowLadder::rounding(int level, std::span<const double> w, std::span<double> result) {
  const Rung& of = rung(level);
  for (Eigen::Index i = 0; i < of.R.rows(); ++i) {
    double sum = machine_epsilon * std::abs(w[at(i)]) / scale_[i];
    for (Eigen::Index k = 0; k < of.R.cols(); ++k) sum += of.R(i, k) * std::abs(w[at(k)]) / scale_[k];
    result[at(i)] = sum * scale_[i];
  }
}

}  // namespace mti
