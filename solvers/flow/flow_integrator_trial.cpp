// Steps of an exact flow that are tried: how long one may be for its polynomial.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/flow/flow_integrator.hpp"

namespace mti {

/// Exact values of w between points of the grid, where there is room for more than half a period: |λ|·h/512 ≤ 2^k/256 is
/// below π for any eigenvalue λ if h/512 is 2^k times the lowest rung, k ≤ 9. Irrational parts of a gap, cut off at the lowest
/// rung, have no common multiple but that rung.
void FlowIntegrator::leave_grid(int level) {
  constexpr int still_seen = 9;
  constexpr std::array parts = {0.6180339887498949, 0.41421356237309503, 0.7320508075688772,
                                0.23606797749978969};
  const int below = level - ChebyshevGrid::exponent;
  off_grid_.resize(points_.rows(), 0);
  off_grid_times_.clear();
  if (below <= still_seen) return;
  off_grid_.resize(points_.rows(), static_cast<Eigen::Index>(parts.size()));
  const auto& points = ChebyshevGrid::shared().points();
  std::vector<double> here(w_.size()), next(w_.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t after = i * (points.size() - 1) / parts.size();
    Eigen::Map<Eigen::VectorXd>(here.data(), points_.rows()) = points_.col(static_cast<Eigen::Index>(after));
    double passed = 0.0, left = parts[i];
    for (int rung = below - 1; rung >= 0; --rung) {
      const double gap = std::ldexp(1.0, rung - below);
      if (left < gap) continue;
      left -= gap;
      passed += gap;
      mode_->ladder().advance(rung, here, next);
      std::swap(here, next);
    }
    off_grid_.col(static_cast<Eigen::Index>(i)) = vector_of(here);
    off_grid_times_.push_back(std::ldexp(points[after].position + passed, -ChebyshevGrid::exponent));
  }
}

/// The polynomial of row i of the trial must not be off by more than this, whatever is allowed besides: what is known better
/// than to its tolerance has to be interpolated better.
double FlowIntegrator::known_part(Eigen::Index i) const {
  constexpr double known_roundings = 64.0 * machine_epsilon;
  const double largest = trial_.nodes.row(i).cwiseAbs().maxCoeff();
  if (strictness_ == Strictness::rounding) return known_roundings * largest;
  if (strictness_ == Strictness::knowledge)
    return polynomials_part * (accuracy_.rtol * largest + slow_error_[i]);
  return std::numeric_limits<double>::infinity();
}

/// How far the polynomial is off where exact values of the slots are known, over what is allowed, is noted as the worst.
void FlowIntegrator::compare(const Eigen::MatrixXd& polynomial, const Eigen::MatrixXd& exact,
                             const Eigen::VectorXd& rounding) {
  const std::vector<SeriesProgram::Slot>& slots = mode_->affine().program().slots();
  const auto count = static_cast<Eigen::Index>(slots.size());
  for (Eigen::Index i = 0; i < exact.rows(); ++i) {
    if (i < count && slots[at(i)].kind == SeriesProgram::Slot::Kind::slope) continue;
    if (i >= count && i < count + static_cast<Eigen::Index>(mode_->fast().size())) continue;
    const double start = std::abs(trial_.nodes(i, 0)), known = known_part(i);
    for (Eigen::Index k = 0; k < exact.cols(); ++k) {
      const double s = std::max(start, std::abs(exact(i, k))), off = std::abs(polynomial(i, k) - exact(i, k));
      double allowed = known;
      if (i < count) allowed = std::min(allowed, polynomials_part * accuracy_.of(slots[at(i)].row, s));
      const double ratio = off / (allowed + rounding[i] + 1e-300);
      trial_.off[i] = std::max(trial_.off[i], off);
      if (!std::isfinite(ratio)) {
        trial_.worst = std::numeric_limits<double>::infinity();
        return;
      }
      trial_.worst = std::max(trial_.worst, ratio);
    }
  }
}

/// The trial: values of all slots at the nodes, and how far the polynomial is off between them. All points of the grid are
/// multiples of h/512 apart, and what has a whole number of periods in that is the same at all of them: other points are
/// looked at, too.
bool FlowIntegrator::try_level(int level) {
  check_budget();
  FlowLadder& ladder = mode_->ladder();
  const auto& points = ChebyshevGrid::shared().points();
  const auto size = static_cast<Eigen::Index>(w_.size());
  trial_.level = level;
  trial_.worst = std::numeric_limits<double>::infinity();
  if (!ladder.rung(level).is_good) return false;

  points_.resize(size, static_cast<Eigen::Index>(points.size()));
  points_.col(0) = vector_of(w_);
  std::vector<double> here = w_, next(w_.size());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const int gap = points[i].position - points[i - 1].position;
    for (int bit = 0; gap >> bit != 0; ++bit) {
      if ((gap >> bit) % 2 == 0) continue;
      ladder.advance(level - ChebyshevGrid::exponent + bit, here, next);
      std::swap(here, next);
    }
    points_.col(static_cast<Eigen::Index>(i)) = vector_of(here);
  }
  trial_.w_end.resize(w_.size());
  ladder.advance(level, w_, trial_.w_end);
  points_.col(points_.cols() - 1) = vector_of(trial_.w_end);

  values_.noalias() = mode_->C() * points_;
  trial_.nodes.resize(values_.rows(), ChebyshevGrid::degree + 1);
  between_.resize(values_.rows(), ChebyshevGrid::degree);
  Eigen::Index node = 0, other = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto column = values_.col(static_cast<Eigen::Index>(i));
    if (points[i].is_node)
      trial_.nodes.col(node++) = column;
    else
      between_.col(other++) = column;
  }
  constexpr double point_roundings = 16.0 * machine_epsilon;
  Eigen::VectorXd of_w = point_roundings * points_.cwiseAbs().rowwise().maxCoeff();
  if (strictness_ == Strictness::rounding) {  // rungs add up to more
    added_.resize(w_.size());
    ladder.rounding(level, w_, added_);
    of_w += vector_of(added_);
  }
  const Eigen::VectorXd rounding = C_magnitude_ * of_w;
  if (!trial_.nodes.allFinite() || !between_.allFinite()) return false;  // worst is infinite so far
  trial_.worst = 0.0;
  trial_.off.setZero(trial_.nodes.rows());
  compare(trial_.nodes * ChebyshevGrid::shared().between(), between_, rounding);
  if (!(trial_.worst <= 1.0)) return false;
  leave_grid(level);
  const Eigen::MatrixXd coefficients = trial_.nodes * ChebyshevGrid::shared().coefficients();
  for (std::size_t i = 0; i < off_grid_times_.size(); ++i)
    compare(coefficients * ChebyshevGrid::basis(off_grid_times_[i], 0),
            mode_->C() * off_grid_.col(static_cast<Eigen::Index>(i)), rounding);
  return trial_.worst <= 1.0;
}

/// A step of twice the length: worth trying if it has not been tried for some time, or what is off has fallen by as much
/// as it grew then. A level that was the highest at the last visit is so again, unless next to nothing is off.
bool FlowIntegrator::is_worth_doubling(bool remembered) const {
  constexpr int most_untried = 4;
  const double smallest = std::ldexp(1.0, -ChebyshevGrid::degree - 1);
  if (remembered) return best_.worst < smallest;
  return growth_ == 0.0 || untried_steps_ >= most_untried || best_.worst * growth_ <= 1.0;
}

/// The highest level that passes, in best_.
bool FlowIntegrator::choose(int lowest, int highest) {
  const int known = mode_->remembered_level(steps_);
  int level = std::clamp(known >= 0                       ? known
                         : best_.level >= 0 && steps_ > 0 ? best_.level
                                                          : highest,
                         lowest, highest);
  const bool remembered = known == level;
  int good = lowest - 1, bad = highest + 1, stride = 1;
  double failed = 0.0;
  ++untried_steps_;
  while (true) {
    if (try_level(level)) {
      std::swap(best_, trial_);
      good = level;
      if (bad > highest && !is_worth_doubling(remembered)) break;
    } else {
      ++statistics_.error_test_failures;
      failed = trial_.worst;
      bad = level;
      untried_steps_ = 0;
    }
    if (bad - good <= 1) break;
    const bool none_passed = good<lowest, none_failed = bad> highest;
    level = none_passed   ? std::max(lowest, level - stride)
            : none_failed ? std::min(highest, level + stride)
                          : (good + bad) / 2;
    stride *= 2;
  }
  if (good < lowest) return false;
  if (bad == good + 1 && failed > 0.0) growth_ = failed / std::max(best_.worst, machine_epsilon);
  return true;
}

/// Where the mode is split, as strictly as it can be: there are transients that time resolves to their tolerance alone. One
/// that a segment begins with is over sooner than time can tell.
bool FlowIntegrator::choose_strictly(int lowest, int highest) {
  const auto chosen_by = [&](Strictness strictness) {
    strictness_ = strictness;
    return choose(lowest, highest);
  };
  const auto is_strict = [&] {
    return mode_->is_split() && (chosen_by(Strictness::rounding) || chosen_by(Strictness::knowledge));
  };
  if (is_strict()) return true;
  if (is_continued_ && steps_ == 0 && mode_->relaxes_at_once()) {
    take(std::vector<ExactState::Coordinate>(mode_->fast().size()));
    if (is_strict()) return true;
  }
  return chosen_by(Strictness::tolerance);
}

}  // namespace mti
