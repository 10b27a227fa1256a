#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {

/// v at t within the last step, in the mode of the segment.
void Simulation::read_point(double t, std::vector<double>& v) {
  if (!stepped_) {
    v = here_.v;
    return;
  }
  integrator_.interpolate(t, 0, w_);
  integrator_.interpolate(t, 1, wp_);
  segment_->dae.point(t, w_, wp_, v);
  write_mode(signature_, mode_, v);
  keep_weights_in_range(*system_, v);
}

/// What the integrator knows at t within the last step. A coefficient of order k of its polynomial is known
/// to the tolerance over the k-th power of the distance of its nodes.
std::shared_ptr<const Vouched> Simulation::vouched_at(double t) {
  if (!stepped_ || !system_->plan->plain() || integrator_.last_step() <= 0.0) return nullptr;
  // Each step keeps to the tolerance; that several of them add up to this much more is allowed for.
  constexpr double accumulated = 4.0;
  constexpr int orders = 3;
  const double per_length = std::max(1, integrator_.last_order()) / integrator_.last_step();
  Vouched vouched{mode_, {}};
  const auto size = at(signature_.size());
  vouched.coefficients.assign(orders, {size, Ball{0.0, std::numeric_limits<double>::infinity()}});
  const std::vector<SegmentUnknowns::Slot>& slots = segment_->dae.unknowns().slots();
  const std::span<const double> absolute = segment_->dae.dae().absolute, floor = integrator_.floor();
  for (int k = 0; k <= orders; ++k) {
    integrator_.interpolate(t, k, w_);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto row = at(slots[i].row);
      const double value = here_.v[row], power = std::pow(per_length, k);
      const double error = accumulated * std::max(rtol_ * std::abs(value) + absolute[i], floor[i]) * power;
      if (slots[i].row >= signature_.algebraic_row(0)) {
        if (k < orders) vouched.coefficients[at(k)][row] = {w_[i] / factorial(k), error};
      } else if (k >= 1) {
        vouched.coefficients[at(k) - 1][row - at(signature_.n())] = {w_[i] / factorial(k - 1), k * error};
      }
    }
  }
  return std::make_shared<const Vouched>(std::move(vouched));
}

/// What the last step, which ends at `step_end`, was allowed to be off in each state beyond ε at here_: a
/// state that passes through zero is known there to no more than the tolerance of where it came from.
std::vector<double> Simulation::allowed_beyond(double step_end) {
  const auto n = at(signature_.n());
  std::vector<double> more(n, 0.0);
  const std::vector<SegmentUnknowns::Slot>& slots = segment_->dae.unknowns().slots();
  for (const double t : {step_end - integrator_.last_step(), step_end}) {
    integrator_.interpolate(t, 0, w_);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto [row, order] = slots[i];
      if (order > 0 || row < signature_.state_row(0) || row >= signature_.input_row(0)) continue;
      double& allowed = more[at(row - signature_.state_row(0))];
      allowed = std::max(allowed, rtol_ * (std::abs(w_[i]) - std::abs(here_.v[at(row)])));
    }
  }
  return more;
}

/// What a row of the trajectory holds at t, into point_; the binaries stand there since the segment began.
void Simulation::read_output(double t) {
  integrator_.interpolate(t, 0, w_);
  if (options_.observe) integrator_.interpolate(t, 1, wp_);  // rates are in no row, but in v
  segment_->dae.point(t, w_, wp_, point_);
  keep_weights_in_range(*system_, point_);
}

/// Signals that the mode does not determine, and binaries whose weights it leaves open although its motion is
/// unique.
void Simulation::list_undetermined() {
  std::vector<int> rows = system_->undetermined;
  for (const Slide& slide : mode_.slides)
    if (slide.pinned)
      for (const int binary : slide.binaries) rows.push_back(signature_.binary_row(binary));
  for (const int row : rows)
    if (std::find(trajectory_.undetermined.begin(), trajectory_.undetermined.end(), row) ==
        trajectory_.undetermined.end())
      keep([&] { trajectory_.undetermined.push_back(row); });
}

}  // namespace mti
