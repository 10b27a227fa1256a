#include "solvers/orbits/repeating_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {
namespace {

/// start + k·T is known to its rounding, and so are breakpoints.
double rounding_at(double t, double T) { return 16.0 * machine_epsilon * (std::abs(t) + T); }

/// On which side of a breakpoint a time lies is not known so close to it.
bool is_at_breakpoint(const Input& input, double t, double rounding) {
  return input.next_breakpoint(t - rounding) <= t + rounding;
}

/// Times in [start, start + T) between which an input has no more than one breakpoint, and some without pattern.
std::vector<double> times_of_comparison(const Input& input, double start, double T) {
  constexpr int without_pattern = 300, most_breakpoints = 100'000;
  std::vector<double> times;
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  for (int k = 0; k < without_pattern; ++k) {
    const double part = (k + 0.5) * golden;
    times.push_back(start + T * (part - std::floor(part)));
  }
  double from = start;
  for (int k = 0; k < most_breakpoints && from < start + T; ++k) {
    check_budget();
    const double to = std::min(input.next_breakpoint(from), start + T);
    times.push_back(from + 0.5 * (to - from));
    from = to;
  }
  return times;
}

/// Where an input differs most from what it is a period later.
struct Difference {
  double time = 0.0, here = 0.0, later = 0.0;
};

/// Nothing if it is the same but for rounding.
std::optional<Difference> difference_after(const Input& input, double start, double T) {
  constexpr double equal = 1e-9;
  if (std::holds_alternative<ConstantInput>(input.form())) return std::nullopt;
  double size = 0.0, farthest = 0.0;
  Difference most{.time = start};
  for (const double t : times_of_comparison(input, start, T)) {
    const double rounding = rounding_at(t, T);
    if (is_at_breakpoint(input, t, rounding) || is_at_breakpoint(input, t + T, rounding)) continue;
    const InputPiece one = input.piece(t), other = input.piece(t + T);
    const double now = one.value(t), then = other.value(t + T);
    // A period is known to its rounding, and so is a value on a slope.
    const double moved = std::abs(one.derivative(t, 1)) * rounding;
    size = std::max({size, std::abs(now), std::abs(then)});
    if (const double off = std::abs(now - then) - moved; off > farthest) {
      farthest = off;
      most = {t, now, then};
    }
  }
  if (!(farthest > equal * size)) return std::nullopt;
  return most;
}

}  // namespace

std::optional<double> period_of(const Input& input) {
  const Input::Form& form = input.form();
  std::optional<double> period;
  if (const auto* sine = std::get_if<SineInput>(&form)) period = 1.0 / std::abs(sine->frequency);
  if (const auto* periodic = std::get_if<PeriodicInput>(&form)) period = periodic->period;
  if (const auto* pulses = std::get_if<PulseWidthInput>(&form)) period = pulses->period;
  return period && std::isfinite(*period) ? period : std::nullopt;
}

double phase_zero_of(const Input& input) {
  if (const auto* periodic = std::get_if<PeriodicInput>(&input.form())) return periodic->start;
  if (const auto* pulses = std::get_if<PulseWidthInput>(&input.form())) return pulses->start;
  return 0.0;
}

std::string input_that_does_not_repeat(const Model& model, double start, double T) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const Input& input = model.inputs[i];
    if (const auto found = difference_after(input, start, T))
      return "the input " + model.signature.inputs()[i].name + " does not repeat after T = " + number(T) +
             ": it is " + number(found->here) + " at t = " + number(found->time) + " and " +
             number(found->later) + " a period later" +
             (difference_after(input, start, 2.0 * T) ? "" : "; it does after " + number(2.0 * T));
  }
  return {};
}

}  // namespace mti
