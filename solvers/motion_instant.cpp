#include "mti/freeze.hpp"
#include "solvers/motion.hpp"

namespace mti {

/// What is known at the instant, into v: signals, the mode, inputs and those of their derivatives that f holds.
void Motion::enter_instant(const Instant& instant) {
  const Signature& signature = model_.signature;
  v_.assign(instant.v.begin(), instant.v.begin() + signature.size());
  write_mode(signature, system_->mode, v_);
  for (const int slope : system_->plan->absent.slopes)
    v_[static_cast<std::size_t>(slope)] =
        model_.is_discrete() ? v_[static_cast<std::size_t>(slope + signature.n())] : 0.0;
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[static_cast<std::size_t>(i)].binary)
      v_[static_cast<std::size_t>(signature.input_row(i))] = pieces_[static_cast<std::size_t>(i)].value(t_);
  for (const InputDerivative& derivative : input_derivatives(*system_))
    v_.push_back(derivative.value(t_, pieces_));
}

}  // namespace mti
