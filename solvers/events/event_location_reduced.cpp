// Constraints in terms of states and inputs, and what that says of those which IDA makes of several signals.
#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/events/event_location.hpp"

namespace mti {

/// BDF gives every signal to its own tolerance, and f = 0 to no more. A row that states and inputs leave far less open, as the voltage
/// across a resistance of 1 mΩ beside hundreds of volts, is put right by its equations:
///
///     g − Σ_i μ_i f_i ,    in which errors of ẋ and y cancel: these rows and equations are affine .
void EventLocation::reduce(Motion& motion) {
  constexpr double far_less = 0.1;
  reduced_.clear();
  for (const int row : rows_) reduced_.push_back(motion.reduced_constraint(row));
  is_put_right_.assign(rows_.size(), 0);
  some_are_put_right_ = false;
  if (integrator_.engine() != SmoothIntegrator::Engine::ida) return;
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (reduced_[row] && tolerance_of(*reduced_[row], 1.0) < far_less * tolerance(row))
      is_put_right_[row] = 1;
  some_are_put_right_ = std::ranges::count(is_put_right_, 1) > 0;
}

double EventLocation::tolerance_of(const ReducedConstraint& reduced, double part) const {
  const RowMap& f = segment_.mode_system().f;
  double sum = 0.0;
  for (const auto& [signal, weight] : reduced.known) sum += part * std::abs(weight) * error_of(signal);
  for (const auto& [equation, mu] : reduced.equations)
    sum += 16.0 * machine_epsilon * std::abs(mu) * f.magnitude(equation, v_);
  return sum;
}

/// Σ_i μ_i f_i at v_; 0 where the row stands as it is.
double EventLocation::left_of_equations(std::size_t row) const {
  if (is_put_right_[row] == 0) return 0.0;
  double sum = 0.0;
  for (const auto& [equation, mu] : reduced_[row]->equations)
    sum += mu * segment_.mode_system().f.value(equation, v_);
  return sum;
}

void EventLocation::put_right(Sample& sample) const {
  if (!some_are_put_right_) return;
  const RowMap& f = segment_.mode_system().f;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (is_put_right_[row] == 0) continue;
    sample.g[kernel_row_[row]] -= left_of_equations(row);
    for (const auto& [equation, mu] : reduced_[row]->equations)
      f.gradient(equation, v_, [&, weight = mu](int signal, double slope) {
        sample.slope[kernel_row_[row]] -= weight * slope * rate_[at(signal)];
      });
  }
}

}  // namespace mti
