// What is known where a segment ends: to the restart, of the signals, and to the segment that begins, of the states.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/events/segment_integration.hpp"

namespace mti {
namespace {

/// Each step keeps to the tolerance; that several of them add up to this much more is allowed for.
constexpr double accumulated_steps = 4.0;

}  // namespace

/// There is a last step.
bool SegmentIntegration::vouches() const { return stepped_ && integrator_.last_step() > 0.0; }

/// A coefficient of order k of the integrator's polynomial is known to the tolerance over the k-th power of the
/// distance of its nodes.
std::shared_ptr<const Vouched> SegmentIntegration::vouched_at(double t, const RunState& state) {
  if (!vouches()) return nullptr;
  constexpr int orders = 3;
  const double per_length = std::max(1, integrator_.last_order()) / integrator_.last_step();
  Vouched vouched{state.mode, {}};
  const auto size = at(signature_.size());
  vouched.coefficients.reserve(orders);
  for (int k = 0; k < orders; ++k)
    vouched.coefficients.emplace_back(size, Ball{0.0, std::numeric_limits<double>::infinity()});
  const std::vector<SegmentUnknowns::Slot>& slots = segment_->dae.unknowns().slots();
  const std::span<const double> absolute = segment_->dae.dae().absolute, floor = integrator_.floor();
  std::vector<double> errors(slots.size());
  // Of what is differentiated, or slides, the equations themselves say more than the integrator knows.
  const std::vector<char>& plain = state.system->parts->plain_signals;
  const auto is_no_plain_value = [&](const SegmentUnknowns::Slot& slot) {
    return slot.order > 0 || slot.row < signature_.state_row(0) ||
           (!plain.empty() && plain[at(slot.row)] == 0);
  };
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (is_no_plain_value(slots[i])) continue;
    const auto row = at(slots[i].row);
    const double value = state.here.v[row];
    const double tolerance = std::max(accuracy_.rtol * std::abs(value) + absolute[i], floor[i]);
    const bool is_state = slots[i].row < signature_.algebraic_row(0);
    // What has all its digits is not off by a part of its value.
    const double part_of = is_state && integrator_.is_continued() ? 0.0 : value;
    const double known = integrator_.error_of(slots[i].row, part_of, t);
    errors[i] = accumulated_steps * std::min(tolerance, known);
    // States keep to their ε where nothing more is known.
    if (is_state && known < tolerance) vouched.coefficients[0][row] = {value, known};
  }
  for (int k = 0; k <= orders; ++k) {
    integrator_.interpolate(t, k, w_);
    const double power = k == 0 ? 1.0 : k == 1 ? per_length : std::pow(per_length, k);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (is_no_plain_value(slots[i])) continue;
      const auto row = at(slots[i].row);
      const double error = errors[i] * power;
      if (slots[i].row >= signature_.algebraic_row(0)) {
        if (k < orders) vouched.coefficients[at(k)][row] = {w_[i] / factorial(k), error};
      } else if (k >= 1) {
        vouched.coefficients[at(k) - 1][row - at(signature_.n())] = {w_[i] / factorial(k - 1), k * error};
      }
    }
  }
  vouched.constraints = constraints_at(t, state, orders);
  vouched.states_are_exact = integrator_.is_continued();
  return std::make_shared<const Vouched>(std::move(vouched));
}

std::shared_ptr<const Vouched> SegmentIntegration::vouched_values_at(double t, const RunState& state) const {
  if (!vouches()) return nullptr;
  Vouched vouched{state.mode, {}};
  vouched.constraints = constraints_at(t, state, 1);
  return vouched.constraints.empty() ? nullptr : std::make_shared<const Vouched>(std::move(vouched));
}

std::shared_ptr<const Vouched> SegmentIntegration::vouched_states_at(double t, const RunState& state) const {
  if (!vouches() || !integrator_.is_continued()) return nullptr;
  Vouched vouched{std::nullopt, {}};
  vouched.coefficients.assign(1, {at(signature_.size()), Ball{0.0, std::numeric_limits<double>::infinity()}});
  for (int row = signature_.state_row(0); row < signature_.input_row(0); ++row)
    vouched.coefficients[0][at(row)] = {state.here.v[at(row)], integrator_.error_of(row, 0.0, t)};
  vouched.states_are_exact = true;
  return std::make_shared<const Vouched>(std::move(vouched));
}

/// Lower orders than `orders` of the constraints that the integrator keeps as signals of their own.
std::map<int, Vouched::OwnConstraint> SegmentIntegration::constraints_at(double t, const RunState& state,
                                                                         int orders) const {
  const double per_length = std::max(1, integrator_.last_order()) / integrator_.last_step();
  const std::vector<int>& rows = state.system->live_constraints;
  std::map<int, Vouched::OwnConstraint> constraints;
  if (!state.system->plan->plain()) return constraints;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const auto known = integrator_.constraint(index, t, 0);
    if (!known) continue;
    Vouched::OwnConstraint& own = constraints[rows[index]];
    own.form = ConstraintForm::of(state.system->g, rows[index], signature_);
    for (int k = 0; k < orders; ++k)
      own.coefficients.push_back({integrator_.constraint(index, t, k)->value / factorial(k),
                                  accumulated_steps * known->error * std::pow(per_length, k)});
  }
  return constraints;
}

std::vector<double> SegmentIntegration::allowed_beyond(double t, double step_end, std::span<const double> v) {
  std::vector<double> more(at(signature_.n()), 0.0);
  const std::vector<SegmentUnknowns::Slot>& slots = segment_->dae.unknowns().slots();
  // Series and exact flows are as good as where they begin; BDF interpolates what lies about the whole step.
  const double begin = step_end - integrator_.last_step();
  const bool interpolates = integrator_.engine() == SmoothIntegrator::Engine::ida;
  for (const double from : {begin, interpolates ? step_end : begin}) {
    integrator_.interpolate(from, 0, w_);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto [row, order] = slots[i];
      if (order > 0 || row < signature_.state_row(0) || row >= signature_.input_row(0)) continue;
      double& allowed = more[at(row - signature_.state_row(0))];
      allowed = std::max(allowed, accuracy_.rtol * (std::abs(w_[i]) - std::abs(v[at(row)])));
    }
  }
  for (int s = 0; s < signature_.n(); ++s) more[at(s)] += integrator_.rounding_at(signature_.state_row(s), t);
  return more;
}

/// The states where the segment begins, if no flow has led there: those that a run begins with, unless some of them have
/// relaxed at once, and those that series have led to. Series are off by a part of ε; but the states are consistent, and
/// another start would have led there.
std::optional<ExactState> SegmentIntegration::arrived(const RunState& state) const {
  const Instant& here = state.here;
  const bool has_relaxed = state.motion->relaxation() > 0.0;
  constexpr double several_roundings = 16.0 * machine_epsilon;
  const bool has_led_here = std::abs(left_at_ - here.t) <= several_roundings * std::abs(here.t);
  if (stepped_ ? !integrator_.uses_series() || !has_led_here : has_relaxed) return std::nullopt;
  // Polynomials of constraints and of states are cut off by themselves.
  const double read = stepped_ ? integrator_.local_error() : 0.0;
  std::vector<int> rows;
  std::vector<ExactState::Coordinate> states;
  for (int row = signature_.state_row(0); row < signature_.input_row(0); ++row) {
    const double x = stepped_ ? left_[at(row)] : here.v[at(row)];
    rows.push_back(row);
    states.push_back({x, read * accuracy_.of(row, x), machine_epsilon * std::abs(x)});
  }
  return ExactState(here.t, std::move(rows), std::move(states));
}

}  // namespace mti
