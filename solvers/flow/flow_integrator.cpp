#include "solvers/flow/flow_integrator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

bool is_algebraic(const SeriesProgram::Slot& slot) { return slot.kind == SeriesProgram::Slot::Kind::other; }

}  // namespace

bool FlowIntegrator::start(FlowMode& mode, double t, std::span<const double> v,
                           const std::vector<InputPiece>& pieces) {
  if (!mode.begin_segment(v, 1.0 / accuracy_.resolution)) return false;
  mode_ = &mode;
  pieces_ = pieces;
  constants_.assign(v.begin(), v.end());
  begin_ = end_ = t;
  length_ = 0.0;
  vouches_ = false;
  steps_ = 0;
  growth_ = 0.0;
  C_magnitude_ = mode.C().cwiseAbs();
  const SeriesProgram& program = mode.affine().program();
  w_.assign(at(mode.affine().size()), 0.0);
  for (std::size_t i = 0; i < program.states().size(); ++i)
    w_[i] = v[at(program.slots()[at(program.states()[i].value)].row)];
  mode.affine().enter_inputs(t, pieces_, w_);
  rounding_.setZero(mode.affine().size());
  vouch();
  mode.enter_coordinates(w_, rounding_);
  floor_.setZero(C_magnitude_.rows());

  // A motion may begin with a y that is known better than x tells: such a relaxation is not this mode's flow.
  constexpr double several = 4.0;
  const Eigen::VectorXd s = mode.C() * vector_of(w_), size = C_magnitude_ * vector_of(w_).cwiseAbs();
  const Eigen::VectorXd hidden = C_magnitude_ * rounding_;
  for (std::size_t i = 0; i < program.slots().size(); ++i) {
    const SeriesProgram::Slot& slot = program.slots()[i];
    const auto row = static_cast<Eigen::Index>(i);
    const double y = v[at(slot.row)];
    const double allowed = accuracy_.of(slot.row, y) + 16.0 * (machine_epsilon * size[row] + hidden[row]);
    if (is_algebraic(slot) && !(std::abs(s[row] - y) <= several * allowed)) return false;
  }
  leave_out_transients();
  return true;
}

/// What relaxes within the resolution of time, and is no farther off than is known about the states, has relaxed.
void FlowIntegrator::leave_out_transients() {
  constexpr double several = 4.0;
  if (!mode_->relaxes_at_once()) return;
  const std::vector<int>& fast = mode_->fast();
  if (!std::ranges::all_of(
          fast, [&](int state) { return std::abs(w_[at(state)]) <= several * fast_error_[state]; }))
    return;
  for (const int state : fast) w_[at(state)] = rounding_[state] = fast_error_[state] = 0.0;
}

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
  const auto& points = grid_.points();
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

/// How far the polynomial is off where exact values of the slots are known, over what is allowed, is noted as the worst.
void FlowIntegrator::compare(const Eigen::MatrixXd& polynomial, const Eigen::MatrixXd& exact,
                             const Eigen::VectorXd& rounding) {
  constexpr double part_of_tolerance = 0.01;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const std::vector<SeriesProgram::Slot>& slots = mode_->affine().program().slots();
  const auto count = static_cast<Eigen::Index>(slots.size());
  for (Eigen::Index i = 0; i < exact.rows(); ++i) {
    if (i < count && slots[at(i)].kind == SeriesProgram::Slot::Kind::slope) continue;
    if (i >= count && i < count + static_cast<Eigen::Index>(mode_->fast().size())) continue;
    const double start = std::abs(trial_.nodes(i, 0));
    // What is known better than to its tolerance has to be interpolated better.
    const double known =
        is_strict_ ? accuracy_.rtol * trial_.nodes.row(i).cwiseAbs().maxCoeff() + slow_error_[i] : unbounded;
    for (Eigen::Index k = 0; k < exact.cols(); ++k) {
      const double s = std::max(start, std::abs(exact(i, k))), off = std::abs(polynomial(i, k) - exact(i, k));
      const double allowed = std::min(i < count ? accuracy_.of(slots[at(i)].row, s) : unbounded, known);
      const double ratio = off / (part_of_tolerance * allowed + rounding[i] + 1e-300);
      trial_.off[i] = std::max(trial_.off[i], off);
      if (!(ratio <= trial_.worst)) trial_.worst = std::isfinite(ratio) ? ratio : unbounded;
    }
  }
}

/// The trial: values of all slots at the nodes, and how far the polynomial is off between them. All points of the grid are
/// multiples of h/512 apart, and what has a whole number of periods in that is the same at all of them: other points are
/// looked at, too.
bool FlowIntegrator::try_level(int level) {
  check_budget();
  FlowLadder& ladder = mode_->ladder();
  const auto& points = grid_.points();
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
  constexpr double several_roundings = 16.0 * machine_epsilon;
  const Eigen::VectorXd rounding =
      several_roundings * (C_magnitude_ * points_.cwiseAbs().rowwise().maxCoeff());
  if (!trial_.nodes.allFinite() || !between_.allFinite()) return false;  // worst is infinite so far
  trial_.worst = 0.0;
  trial_.off.setZero(trial_.nodes.rows());
  compare(trial_.nodes * grid_.between(), between_, rounding);
  if (!(trial_.worst <= 1.0)) return false;
  leave_grid(level);
  const Eigen::MatrixXd coefficients = trial_.nodes * grid_.coefficients();
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

/// False if the step rounds more than a tenth of the tolerance of a state, or more than the tolerance of an algebraic signal. A
/// signal that begins at zero, or passes through it, is known no better than its size about there lets it be.
bool FlowIntegrator::rounding_is_small() {
  constexpr double part_of_tolerance = 0.1, unit = 4.0 * machine_epsilon;
  added_.resize(w_.size());
  mode_->ladder().rounding(best_.level, w_, added_);
  const SeriesProgram& program = mode_->affine().program();
  for (std::size_t i = 0; i < program.states().size(); ++i) {
    const int slot = program.states()[i].value;
    // Before slow and fast are apart a state at zero is what tells that they have to be.
    const double value =
        mode_->is_split() ? best_.nodes.row(slot).cwiseAbs().maxCoeff() : std::abs(best_.nodes(slot, 0));
    const double allowed = part_of_tolerance * accuracy_.of(program.slots()[at(slot)].row, value);
    if (!(added_[i] <= allowed + unit * value)) return false;
  }
  const Eigen::VectorXd size = unit * vector_of(w_).cwiseAbs();
  Eigen::VectorXd of_slots = C_magnitude_ * (vector_of(added_) + size);
  if (mode_->is_split()) of_slots += mode_->C_error() * vector_of(w_).cwiseAbs();
  for (std::size_t i = 0; i < program.slots().size(); ++i) {
    const SeriesProgram::Slot& slot = program.slots()[i];
    const double value = best_.nodes.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff();
    if (is_algebraic(slot) &&
        !(of_slots[static_cast<Eigen::Index>(i)] <= accuracy_.of(slot.row, value) + unit * std::abs(value)))
      return false;
  }
  return true;
}

/// A signal in a constraint is small beside the states that it follows from, so that rounding of these moves its zeros by more
/// than rtol tells.
bool FlowIntegrator::rounds_what_is_watched() const {
  const Eigen::VectorXd of_w = vector_of(added_) + machine_epsilon * vector_of(w_).cwiseAbs();
  return std::ranges::any_of(mode_->affine().program().watched(), [&](int slot) {
    return C_magnitude_.row(slot).dot(of_w) > accuracy_.rtol * best_.nodes.row(slot).cwiseAbs().maxCoeff();
  });
}

/// A constraint is a small difference of signals, or of one and a constant, each of which is known to its own tolerance alone.
bool FlowIntegrator::hides_differences() const {
  return std::ranges::any_of(mode_->affine().affine_constraints(), [&](int constraint) {
    const Eigen::VectorXd& weights = mode_->constraint(at(constraint));
    const Eigen::Index slots = weights.size() - 1;
    const auto s = best_.nodes.topRows(slots);
    const double largest =
        ((weights.head(slots).transpose() * s).array() + weights[slots]).cwiseAbs().maxCoeff();
    constexpr double small = 0.01;
    Eigen::VectorXd sizes = weights.cwiseAbs();
    sizes.head(slots).array() *= s.cwiseAbs().rowwise().maxCoeff().array();
    return largest < small * sizes.sum() && (sizes.array() > small * sizes.sum()).count() > 1;
  });
}

/// Adds what the step has rounded to what there was.
void FlowIntegrator::count_rounding() {
  constexpr double unit = 4.0 * machine_epsilon;
  const std::size_t states = mode_->affine().program().states().size();
  const Eigen::VectorXd size = unit * vector_of(w_).cwiseAbs();
  rounding_.head(static_cast<Eigen::Index>(states)) +=
      vector_of(added_).head(static_cast<Eigen::Index>(states));
  floor_ = C_magnitude_ * (rounding_ + size);
  if (!mode_->is_split()) return;
  floor_ += mode_->C_error() * vector_of(w_).cwiseAbs();
}

/// What ε of the states leaves open, with w_ in plain coordinates.
void FlowIntegrator::vouch() {
  if (!mode_->is_split()) return;
  fast_error_.setZero(C_magnitude_.cols());
  const SeriesProgram& program = mode_->affine().program();
  for (std::size_t i = 0; i < program.states().size(); ++i)
    fast_error_[static_cast<Eigen::Index>(i)] =
        accuracy_.of(program.slots()[at(program.states()[i].value)].row, w_[i]);
  mode_->enter_errors(fast_error_);
  Eigen::VectorXd slow = fast_error_;
  for (const int state : mode_->fast()) slow[state] = 0.0;
  slow_error_ = C_magnitude_ * slow;
}

/// Errors of a distance from the slow manifold decay with it, by the rungs that are at hand.
void FlowIntegrator::decay(double duration, Eigen::VectorXd& errors) const {
  for (int level = best_.level; level >= 0; --level)
    if (mode_->ladder().h(level) <= duration) return mode_->decay(level, errors);
}

StepResult FlowIntegrator::step(double t_stop) {
  check_budget();
  const SeriesProgram& program = mode_->affine().program();
  if (length_ > 0.0 && end_ < begin_ + length_) {  // it was read up to there only
    const Eigen::VectorXd basis = ChebyshevGrid::basis((end_ - begin_) / length_, 0);
    for (std::size_t i = 0; i < program.states().size(); ++i)
      w_[i] = coefficients_.row(mode_->row_of(static_cast<int>(i))).dot(basis);
  }
  mode_->affine().enter_inputs(end_, pieces_, w_);
  if (mode_->is_split() && length_ > 0.0) {
    decay(end_ - begin_, fast_error_);
    decay(end_ - begin_, rounding_);
  }
  vouches_ = false;
  StepResult result = try_step(t_stop);
  if (result.ok || !is_hidden_ || !mode_->may_split()) return result;
  if (mode_->split()) {
    C_magnitude_ = mode_->C().cwiseAbs();
    vouch();
    mode_->enter_errors(rounding_);
    mode_->enter_coordinates(w_, rounding_);
  }
  return try_step(t_stop);
}

/// From w_ on. After a step that fails the one before it is still read.
StepResult FlowIntegrator::try_step(double t_stop) {
  const double begin = end_;
  // A step needs the rungs below its own for its nodes, and time must be able to advance by it.
  constexpr double shortest = 16.0 * machine_epsilon;
  const double remaining = t_stop - begin;
  int lowest = ChebyshevGrid::exponent;
  while (mode_->ladder().h(lowest) < shortest * std::abs(begin)) ++lowest;
  int highest = lowest;
  while (mode_->ladder().h(highest) < remaining) ++highest;
  is_hidden_ = false;
  is_strict_ = mode_->is_split();
  bool chosen = choose(lowest, highest);
  if (!chosen && is_strict_) {  // a transient that can be resolved to its tolerance alone
    is_strict_ = false;
    chosen = choose(lowest, highest);
  }
  if (!chosen) return {false, begin, "its steps are too small to advance the time"};
  is_hidden_ =
      !rounding_is_small() || (mode_->may_split() && (rounds_what_is_watched() || hides_differences()));
  if (is_hidden_) return {false, begin, "rounding of the matrix exponential exceeds the tolerance"};

  mode_->remember_level(steps_++, best_.level);
  length_ = mode_->ladder().h(best_.level);
  count_rounding();
  coefficients_.noalias() = best_.nodes * grid_.coefficients();
  // What is read from a polynomial has the rounding of its largest terms, also close to where it begins.
  floor_ += machine_epsilon * coefficients_.cwiseAbs().rowwise().sum();
  std::swap(w_, best_.w_end);
  begin_ = begin;
  end_ = std::min(begin_ + length_, t_stop);
  vouches_ = true;
  ++statistics_.steps;
  return {true, end_, {}};
}

}  // namespace mti
