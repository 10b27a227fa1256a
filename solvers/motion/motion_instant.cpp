#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// What is known at the instant, into v: signals, the mode, inputs and those of their derivatives that f holds.
void Motion::enter_instant(const Instant& instant) {
  const Signature& signature = model_.signature;
  v_.assign(instant.v.begin(), instant.v.begin() + signature.size());
  write_mode(signature, system_->mode, v_);
  for (const int slope : system_->plan->absent.slopes)
    v_[at(slope)] = model_.is_discrete() ? v_[at(slope + signature.n())] : 0.0;
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[at(i)].binary) v_[at(signature.input_row(i))] = pieces_[at(i)].value(t_);
  for (const DifferentiatedInput& derivative : input_derivatives(*system_))
    v_.push_back(derivative.value(t_, pieces_));
}

void Motion::make_room(int order) {
  while (series_.orders() <= order) {
    series_.add_order();
    enter_known(series_.orders() - 1);
  }
}

/// States, inputs and what keeps its value (of an absent state the slope 0, as made): order k of everything
/// that no block solves for.
void Motion::enter_known(int k) {
  const Signature& signature = model_.signature;
  const Vouched* const of_states = vouched_ ? vouched_.get() : is_exact_ ? left_.get() : nullptr;
  // Inputs are as exact as the time of what has all its digits.
  constexpr double several_roundings = 4.0 * machine_epsilon;
  for (int i = 0; i < signature.n(); ++i) {
    const int row = signature.state_row(i);
    if (k == 0) {
      const double x = v_[at(row)];
      const double known =
          of_states != nullptr ? of_states->at(row, 0).error : std::numeric_limits<double>::infinity();
      series_.at(row, 0) = {x, std::min(known, accuracy_.of(row, x))};
    } else {
      const Ball& slope = series_.at(signature.derivative_row(i), k - 1);
      series_.at(row, k) = {slope.value / k, slope.error / k};
    }
  }
  for (const int row : system_->plan->algebraic_states)
    series_.at(row, k) = k == 0 ? Ball{v_[at(row)], 0.0} : Ball{};
  for (int i = 0; i < signature.m(); ++i) {
    if (signature.inputs()[at(i)].binary) continue;
    const int row = signature.input_row(i);
    const double u = pieces_[at(i)].derivative(t_, k) / factorial(k);
    const double error = is_exact_ ? several_roundings * std::abs(u)
                         : k == 0  ? accuracy_.of_input(row, u, pieces_[at(i)].derivative(t_, 1))
                                   : accuracy_.rtol * std::abs(u);
    series_.at(row, k) = {u, error};
  }
  int extra = signature.size();
  for (const DifferentiatedInput& derivative : input_derivatives(*system_)) {
    const double u = derivative.value(t_, pieces_, k) / factorial(k);
    series_.at(extra++, k) = {u, accuracy_.rtol * std::abs(u)};
  }
  if (k > 0) return;
  for (const std::vector<int>* kept : {&system_->plan->unmatched, &system_->plan->absent.slopes})
    for (const int row : *kept) series_.at(row, 0) = {v_[at(row)], 0.0};
}

}  // namespace mti
