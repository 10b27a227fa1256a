#include "solvers/flow/flow_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

bool is_algebraic(const SeriesProgram::Slot& slot) { return slot.kind == SeriesProgram::Slot::Kind::other; }

}  // namespace

bool FlowIntegrator::start(FlowMode& mode, double t, std::span<const double> v,
                           const std::vector<InputPiece>& pieces) {
  // What has all its digits keeps them if the mode is split, whatever its rates.
  const double at_once = 1.0 / accuracy_.resolution;
  if (!mode.begin_segment(v, arrived_ ? 0.0 : at_once, at_once)) return false;
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
  enter(w_);
  is_continued_ = false;
  if (!is_its_flow(v)) return false;
  if (arrived_ && !arrived_->is_at(t, v, accuracy_)) arrived_.reset();
  const std::vector<double> x = arrived_ ? arrived_->states(mode) : std::vector<double>();
  if (x.empty()) {
    arrived_.reset();
    leave_out_transients();
    return true;
  }
  enter(x);
  continue_exactly();
  return true;
}

/// A segment begins at end_ with these states.
void FlowIntegrator::enter(const std::vector<double>& x) {
  std::copy_n(x.begin(), mode_->affine().states(), w_.begin());
  mode_->affine().enter_inputs(end_, pieces_, w_);
  rounding_.setZero(mode_->affine().size());
  vouch();
  mode_->enter_coordinates(w_, rounding_);
  floor_.setZero(C_magnitude_.rows());
}

/// A motion may begin with a y that is known better than x tells: such a relaxation is not this mode's flow.
bool FlowIntegrator::is_its_flow(std::span<const double> v) const {
  constexpr double several = 4.0;
  const std::vector<SeriesProgram::Slot>& slots = mode_->affine().program().slots();
  const Eigen::VectorXd s = mode_->C() * vector_of(w_), size = C_magnitude_ * vector_of(w_).cwiseAbs();
  const Eigen::VectorXd hidden = C_magnitude_ * rounding_;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double y = v[at(slots[i].row)];
    const double allowed = accuracy_.of(slots[i].row, y) + 16.0 * (machine_epsilon * size[row] + hidden[row]);
    if (is_algebraic(slots[i]) && !(std::abs(s[row] - y) <= several * allowed)) return false;
  }
  return true;
}

/// Where the last segment has led here, the distances from the manifold are those that it has led to: doubles of the states
/// have lost them.
void FlowIntegrator::continue_exactly() {
  if (!arrived_ || !mode_->is_split()) return;
  is_continued_ = true;
  state_error_.setZero();
  take(arrived_->distances(*mode_, pieces_));
  weigh_slow_errors();
}

void FlowIntegrator::take(const std::vector<ExactState::Coordinate>& distances) {
  for (std::size_t j = 0; j < distances.size(); ++j) {
    const int state = mode_->fast()[j];
    w_[at(state)] = distances[j].omega;
    state_error_[state] = distances[j].error;
    rounding_[state] = distances[j].rounding;
  }
}

/// What relaxes within the resolution of time, and is no farther off than is known about the states, has relaxed.
void FlowIntegrator::leave_out_transients() {
  constexpr double several = 4.0;
  if (!mode_->relaxes_at_once()) return;
  const std::vector<int>& fast = mode_->fast();
  if (!std::ranges::all_of(
          fast, [&](int state) { return std::abs(w_[at(state)]) <= several * state_error_[state]; }))
    return;
  take(std::vector<ExactState::Coordinate>(fast.size()));
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
  state_error_.setZero(C_magnitude_.cols());
  const SeriesProgram& program = mode_->affine().program();
  for (std::size_t i = 0; i < program.states().size(); ++i)
    state_error_[static_cast<Eigen::Index>(i)] =
        accuracy_.of(program.slots()[at(program.states()[i].value)].row, w_[i]);
  mode_->enter_errors(state_error_);
  weigh_slow_errors();
}

void FlowIntegrator::weigh_slow_errors() {
  Eigen::VectorXd slow = state_error_;
  for (const int state : mode_->fast()) slow[state] = 0.0;
  slow_error_ = C_magnitude_ * slow;
}

/// The longest rung of those at hand that is no longer; −1: none is.
int FlowIntegrator::level_within(double duration) const {
  int level = best_.level;
  while (level >= 0 && mode_->ladder().h(level) > duration) --level;
  return level;
}

/// Errors of a distance from the slow manifold decay with it.
void FlowIntegrator::decay(double duration, Eigen::VectorXd& errors) const {
  if (const int level = level_within(duration); level >= 0) mode_->decay(level, errors);
}

void FlowIntegrator::contract_errors(double duration) {
  if (const int level = level_within(duration); level >= 0) mode_->contract(level, state_error_);
  weigh_slow_errors();
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
    contract_errors(end_ - begin_);
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
    if (steps_ == 0) continue_exactly();
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
  if (!choose_strictly(lowest, highest)) return {false, begin, "its steps are too small to advance the time"};
  is_hidden_ =
      !rounding_is_small() || (mode_->may_split() && (rounds_what_is_watched() || hides_differences()));
  if (is_hidden_) return {false, begin, "rounding of the matrix exponential exceeds the tolerance"};

  mode_->remember_level(steps_++, best_.level);
  length_ = mode_->ladder().h(best_.level);
  count_rounding();
  coefficients_.noalias() = best_.nodes * ChebyshevGrid::shared().coefficients();
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
