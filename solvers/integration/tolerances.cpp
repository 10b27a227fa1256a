#include "solvers/integration/tolerances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mti {

void Tolerances::start(const DaeSystem& system, double rtol, std::span<const double> w,
                       std::span<const double> wp) {
  relative_ = system.caution * rtol;
  absolute_.resize(system.absolute.size());
  std::transform(system.absolute.begin(), system.absolute.end(), absolute_.begin(),
                 [&](double absolute) { return system.caution * absolute; });
  rate_ = system.relaxation;
  size_.assign(rate_.size(), 0.0);
  // It relaxes by |w'|/rate. How it does need not be known to all digits, which would take steps below the resolution of
  // time: nothing but itself remembers that.
  constexpr double on_the_way = 1000.0, little = 0.01;
  constexpr int steps = 100;
  steps_ = 0;
  for (std::size_t i = 0; i < rate_.size(); ++i)
    if (rate_[i] > 0.0) {
      const double way = std::abs(wp[i]) / rate_[i];
      size_[i] = std::abs(w[i]) + on_the_way * way;
      if (way > little * std::abs(w[i])) steps_ = steps;
    }
}

void Tolerances::follow(std::span<const double> w) {
  constexpr double forgetting = 0.9;  // about a zero some ten steps of it are left
  for (std::size_t i = 0; i < rate_.size(); ++i) size_[i] = std::max(std::abs(w[i]), forgetting * size_[i]);
}

double Tolerances::of(std::size_t unknown, double value) const {
  const double absolute =
      is_small(unknown) ? std::min(absolute_[unknown], relative_ * size_[unknown]) : absolute_[unknown];
  return relative_ * std::abs(value) + absolute;
}

double Tolerances::tested(std::size_t unknown, double value, bool state, double factor, double floor) const {
  const double asked = of(unknown, value);
  return state && asked > 0.0 && !is_small(unknown) ? asked : std::max(factor * asked, floor);
}

double Tolerances::of_small(std::size_t unknown, double value, double floor) const {
  return is_small(unknown) ? std::max(of(unknown, value), floor) : std::numeric_limits<double>::infinity();
}

}  // namespace mti
