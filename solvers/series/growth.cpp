#include "solvers/series/growth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {

namespace {

constexpr double part_of_last_term = 0.01;

/// max_i |δ_i(τ)|/ε_i over e^(λτ/2), at the largest τ that the series of δ allows for; infinite where that is too short to tell.
double growth_beyond(const SeriesCoefficients& series, const SeriesCoefficients& disturbed,
                     const Accuracy& accuracy, int order, StepOfGrowth step) {
  const auto change = [&](int place, int k) { return disturbed.of(place)[at(k)] - series.of(place)[at(k)]; };
  const auto allowed = [&](int place) {
    return std::max(accuracy.of(series.program().slots()[at(place)].row, series.of(place)[0]),
                    std::numeric_limits<double>::min());
  };
  double tau = step.tau;
  for (const int k : {order - 1, order}) {
    double norm = 0.0;
    for (const SeriesProgram::State& state : series.program().states())
      norm = std::max(norm, std::abs(change(state.value, k)) / allowed(state.value));
    if (!std::isfinite(norm)) return norm;
    if (norm > 0.0) tau = std::min(tau, std::pow(part_of_last_term / norm, 1.0 / k));
  }
  constexpr double too_short = 0.01;
  if (!(step.rate * tau >= too_short)) return std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (const SeriesProgram::State& state : series.program().states()) {
    double sum = 0.0;
    for (int k = order; k >= 0; --k) sum = sum * tau + change(state.value, k);
    const double size = std::abs(sum) / allowed(state.value);
    if (!(size <= largest)) largest = size;
  }
  return largest / std::exp(0.5 * step.rate * tau);
}

}  // namespace

StepOfGrowth within_growth(std::span<const double> c, int order, double tau, double remaining, double rtol,
                           double allowed) {
  constexpr double resolved = 2.0;
  const StepOfGrowth all{tau, 0.0};
  // Towards a pole k c_k/c_{k−1} is in proportion to k: over two orders it grows by 2/p.
  const double alike = 1.0 + 1.0 / order;
  double least = 0.0, most = 0.0, rate = 0.0;
  for (int k = order - 2; k <= order; ++k) {
    rate = k * c[at(k)] / c[at(k) - 1];
    if (!(rate > 0.0) || !std::isfinite(rate)) return all;
    least = k == order - 2 ? rate : std::min(least, rate);
    most = std::max(most, rate);
  }
  if (most > alike * least || rate * tau <= resolved) return all;
  // Coefficients round as products of each other, of which there are as many as orders.
  double largest = 0.0, power = 1.0;
  for (int k = 0; k < order; ++k, power *= order / rate)
    largest = std::max(largest, std::abs(c[at(k)]) * power);
  if (std::abs(c[at(order)]) * power <= 64.0 * order * machine_epsilon * largest) return all;
  const double log_of_factorial = std::log(factorial(order));
  const double log_of_amplitude =
      std::log(std::abs(c[at(order)])) + log_of_factorial - order * std::log(rate);
  if (log_of_amplitude + rate * remaining <= std::log(part_of_last_term * allowed)) return all;
  const double step = std::exp((std::log(part_of_last_term * rtol) + log_of_factorial) / order) / rate;
  return step < tau ? StepOfGrowth{step, least} : all;
}

bool is_fed(const SeriesCoefficients& series, const Accuracy& accuracy, std::span<const double> values,
            std::span<const char> grows, int order, StepOfGrowth step) {
  const SeriesProgram& program = series.program();
  if (program.largest_c() > 0 || program.smallest_offset() < 0) return false;
  const auto width = at(program.most_given_orders());
  const auto allowed = [&](const SeriesProgram::State& state) {
    return std::max(accuracy.of(program.slots()[at(state.value)].row, series.of(state.value)[0]),
                    std::numeric_limits<double>::min());
  };
  std::vector<std::size_t> small;
  double largest = 0.0;
  for (std::size_t i = 0; i < program.states().size(); ++i) {
    const SeriesProgram::State& state = program.states()[i];
    const double own = std::abs(series.of(state.value)[0]) / allowed(state);
    if (grows[i] == 0 && (own == 0.0 || own > 1.0)) continue;
    small.push_back(i);
    largest = std::max(largest, own);
  }
  SeriesCoefficients disturbed = series.of_same_segment();
  for (const bool in_proportion : {false, true}) {
    if (in_proportion && largest == 0.0) continue;
    std::vector<double> values_there(values.begin(), values.end());
    for (const std::size_t i : small) {
      const SeriesProgram::State& state = program.states()[i];
      const std::span<const double> c = series.of(state.value);
      const double towards = c[0] != 0.0 ? c[0] : c[at(order)];
      values_there[at(state.value) * width] =
          c[0] + (in_proportion ? c[0] / largest : std::copysign(allowed(state), towards));
    }
    if (!disturbed.solve_stage_0(series.time(), values_there, series.unit())) return false;
    for (int k = 1; k <= order; ++k) {
      check_budget();
      disturbed.solve_stage(k);
    }
    if (!(growth_beyond(series, disturbed, accuracy, order, step) <= 1.0)) return false;
  }
  return true;
}

}  // namespace mti
