#include "solvers/series/growth.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

double within_growth(std::span<const double> c, int order, double tau, double remaining, double rtol,
                     double allowed) {
  constexpr double resolved = 2.0, part_of_last_term = 0.01;
  // Towards a pole k c_k/c_{k−1} is in proportion to k: over two orders it grows by 2/p.
  const double alike = 1.0 + 1.0 / order;
  double least = 0.0, most = 0.0, rate = 0.0;
  for (int k = order - 2; k <= order; ++k) {
    rate = k * c[at(k)] / c[at(k) - 1];
    if (!(rate > 0.0) || !std::isfinite(rate)) return tau;
    least = k == order - 2 ? rate : std::min(least, rate);
    most = std::max(most, rate);
  }
  if (most > alike * least || rate * tau <= resolved) return tau;
  // Coefficients round as products of each other, of which there are as many as orders.
  double largest = 0.0, power = 1.0;
  for (int k = 0; k < order; ++k, power *= order / rate)
    largest = std::max(largest, std::abs(c[at(k)]) * power);
  if (std::abs(c[at(order)]) * power <= 64.0 * order * machine_epsilon * largest) return tau;
  const double log_of_factorial = std::log(factorial(order));
  const double log_of_amplitude =
      std::log(std::abs(c[at(order)])) + log_of_factorial - order * std::log(rate);
  if (log_of_amplitude + rate * remaining <= std::log(part_of_last_term * allowed)) return tau;
  const double step = std::exp((std::log(part_of_last_term * rtol) + log_of_factorial) / order) / rate;
  return std::min(tau, step);
}

}  // namespace mti
