#include "solvers/orbits/repeating_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {
namespace {

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

}  // namespace

std::string input_that_does_not_repeat(const Model& model, double start, double T) {
  constexpr double equal = 1e-9;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const Input& input = model.inputs[i];
    if (std::holds_alternative<ConstantInput>(input.form())) continue;
    double size = 0.0, farthest = 0.0, at_time = start, here = 0.0, later = 0.0;
    for (const double t : times_of_comparison(input, start, T)) {
      const InputPiece one = input.piece(t), other = input.piece(t + T);
      const double now = one.value(t), then = other.value(t + T);
      // A period is known to its rounding, and so is a value on a slope.
      const double moved = std::abs(one.derivative(t, 1)) * 16.0 * machine_epsilon * (std::abs(t) + T);
      size = std::max({size, std::abs(now), std::abs(then)});
      if (const double off = std::abs(now - then) - moved; off > farthest) {
        farthest = off;
        at_time = t;
        here = now;
        later = then;
      }
    }
    if (farthest > equal * size)
      return "the input " + model.signature.inputs()[i].name + " does not repeat after T = " + number(T) +
             ": it is " + number(here) + " at t = " + number(at_time) + " and " + number(later) +
             " a period later";
  }
  return {};
}

}  // namespace mti
