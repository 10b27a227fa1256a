#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "solvers/integration/integrator.hpp"

namespace mti {

/// What local errors of the unknowns are tested with,
///
///     ε_i = caution·(rtol·|w_i| + absolute_i) ,
///
/// of a small difference with no more than rtol·s_i in the place of absolute_i, s_i being how large it has been lately: it is compared with
/// zero to tell when a diode blocks, and absolute_i may be far above all that it ever is.
class Tolerances {
 public:
  void start(const DaeSystem& system, double rtol, std::span<const double> w, std::span<const double> wp);
  /// So many steps may take a small difference that has just begun to where it relaxes; signals that follow it move as fast.
  [[nodiscard]] int steps_on_the_way() const noexcept { return steps_; }
  /// It is a small difference that may relax by so much, within its absolute tolerance, in less than the inverse of `rate`.
  [[nodiscard]] bool may_relax(std::size_t unknown, double change, double rate) const {
    return is_small(unknown) && rate_[unknown] > rate && std::abs(change) <= absolute_[unknown];
  }
  /// After a step.
  void follow(std::span<const double> w);
  /// `factor` times as much, and no less than rounding leaves: `floor`. A state's rounding comes from its own history; its
  /// tolerance is the one the user asks for.
  [[nodiscard]] double tested(std::size_t unknown, double value, bool state, double factor,
                              double floor) const;
  /// Of a small difference; infinite of others.
  [[nodiscard]] double of_small(std::size_t unknown, double value, double floor) const;

 private:
  [[nodiscard]] double of(std::size_t unknown, double value) const;
  [[nodiscard]] bool is_small(std::size_t unknown) const {
    return unknown < rate_.size() && rate_[unknown] > 0.0;
  }

  double relative_ = 0.0;
  int steps_ = 0;
  std::vector<double> absolute_, rate_, size_;
};

}  // namespace mti
