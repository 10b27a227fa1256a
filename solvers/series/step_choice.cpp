#include "solvers/series/step_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/multilinear/row_map.hpp"

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

double reach_of(std::span<const double> c, int order, double tau) {
  const auto p = at(order);
  const double last = std::max(std::abs(c[p - 1]), std::abs(c[p])),
               before = std::max(std::abs(c[p - 3]), std::abs(c[p - 2]));
  // The step is within reach, as nearly all are.
  if (last * tau * tau <= before) return tau;
  const double reach = std::sqrt(before / last);
  double largest = 0.0, power = 1.0;
  for (std::size_t k = 0; k + 3 < p; ++k, power *= reach) largest = std::max(largest, std::abs(c[k]) * power);
  // Coefficients round as products of each other, of which there are as many as orders.
  const double rounding = 64.0 * order * machine_epsilon * largest;
  if (before * power <= rounding) return std::numeric_limits<double>::infinity();
  return reach;
}

double truncation_of(CoefficientNorms norms, int order, double tau, double rtol) {
  // ‖v_k‖τ^k of the last four orders, the highest first
  std::array<double, 4> last{};
  double sum = 1.0 / rtol, power = 1.0;
  for (int k = 1; k <= order; ++k) {
    power *= tau;
    std::shift_right(last.begin(), last.end(), 1);
    sum += last[0] = norms[at(k)] * power;
  }
  const double pair = std::max(last[0], last[1]), before = std::max(last[2], last[3]);
  const double rounding = 4.0 * machine_epsilon * sum;
  if (pair <= rounding) return pair + rounding;
  if (!(pair < before)) return std::numeric_limits<double>::infinity();
  const double ratio = pair / before;
  return 2.0 * pair * ratio / (1.0 - ratio) + rounding;
}

bool looks_stiff(CoefficientNorms norms, int order) {
  const double last = norms[at(order)], before = norms[at(order) - 1];
  if (!(last > 0.0) || !(before > 0.0)) return false;
  const double rate = order * last / before;
  // At tight tolerances rounding leaves more than the tolerance of what has decayed.
  constexpr double largest_amplitude = 10.0;
  const double log_of_amplitude = std::log(last) + std::log(factorial(order)) - order * std::log(rate);
  return log_of_amplitude < std::log(largest_amplitude);
}

}  // namespace mti
