#include "solvers/series/step_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr double part_of_last_terms = 0.01;

}  // namespace

int order_for(double rtol) {
  constexpr int lowest = 8, highest = 24, spare = 3;
  return std::clamp(static_cast<int>(std::ceil(-0.5 * std::log(rtol))) + spare, lowest, highest);
}

double norm_at_order(int k, int m, double norm) {
  return part_of_last_terms * std::pow(norm / part_of_last_terms, static_cast<double>(k) / m);
}

double step_for(CoefficientNorms norms, int order) {
  double step = std::numeric_limits<double>::infinity();
  for (const int k : {order - 1, order})
    if (norms[at(k)] > 0.0) step = std::min(step, std::pow(part_of_last_terms / norms[at(k)], 1.0 / k));
  return step;
}

bool looks_stiff(CoefficientNorms norms, int order) {
  const double last = norms[at(order)], before = norms[at(order) - 1];
  if (!(last > 0.0) || !(before > 0.0)) return false;
  const double rate = order * last / before;
  // At tight tolerances rounding leaves more than the tolerance of what has decayed.
  constexpr double largest_amplitude = 10.0;
  const double log_of_amplitude = std::log(last) + std::lgamma(order + 1.0) - order * std::log(rate);
  return log_of_amplitude < std::log(largest_amplitude);
}

}  // namespace mti
