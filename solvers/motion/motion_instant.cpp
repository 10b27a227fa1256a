#include <cmath>
#include <limits>
#include "mti/common/at.hpp"
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
  for (const InputDerivative& derivative : input_derivatives(*system_))
    v_.push_back(derivative.value(t_, pieces_));
}

double Motion::rate_of_beginning(int row) {
  if (!left_ || quasi_steady_ || !solved()) return std::numeric_limits<double>::infinity();
  if (beginnings_.orders() == 0) {
    const Signature& signature = model_.signature;
    beginnings_.take_order_0(series_);
    beginnings_.add_order();
    for (int i = 0; i < signature.n(); ++i)
      beginnings_.at(signature.state_row(i), 1).value = left_->at(signature.derivative_row(i), 0).value;
    for (int i = 0; i < signature.m(); ++i)
      if (!signature.inputs()[at(i)].binary)
        beginnings_.at(signature.input_row(i), 1).value = pieces_[at(i)].derivative(t_, 1);
    for (std::size_t b = 0; b < system_->plan->blocks.size(); ++b) {
      const SolutionBlock& block = system_->plan->blocks[b];
      const auto size = static_cast<Eigen::Index>(block.unknowns.size());
      Eigen::VectorXd value(size);
      for (Eigen::Index j = 0; j < size; ++j)
        value[j] = -system_->f.coefficient(block.equations[at(j)], beginnings_, 1).value;
      value = factor(static_cast<int>(b)).solve(value);
      for (Eigen::Index i = 0; i < size; ++i) beginnings_.at(block.unknowns[at(i)], 1).value = value[i];
    }
  }
  return std::abs(system_->g.coefficient(row, beginnings_, 1).value);
}

}  // namespace mti
