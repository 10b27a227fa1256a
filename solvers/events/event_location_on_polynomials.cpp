// Crossings within a step of power series, on the polynomials of the constraints.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/events/event_location.hpp"

namespace mti {

/// g and Dg of the polynomials in place of those of the signals, which differ by what the step leaves out.
void EventLocation::read_polynomials(Sample& sample) const {
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const StepPolynomial g = integrator_.constraint(row);
    sample.g[kernel_row_[row]] = value_of(g.coefficients, g.tau(sample.t));
    sample.slope[kernel_row_[row]] = slope_of(g.coefficients, g.tau(sample.t)) / g.unit;
  }
}

/// What the polynomials of products leave out up to t is less than the rows' tolerances.
bool EventLocation::polynomials_hold_at(double t) {
  if (products_.empty()) return true;
  by_polynomials_ = false;
  interpolate(t, next_);
  return std::ranges::all_of(products_, [&](std::size_t row) {
    const StepPolynomial g = integrator_.constraint(row);
    const double off = value_of(g.coefficients, g.tau(t)) - next_.g[kernel_row_[row]];
    return std::abs(off) <= tolerance(row) + rounding_of(g.coefficients, g.tau(t));
  });
}

/// A level that the row is certainly not above where it stands now. Rounding is that of the row's summands: where they
/// cancel, the polynomial of their sum shows nothing of it, and a level within it would be left again and again.
double EventLocation::above_rounding(std::size_t row) const {
  const StepPolynomial g = integrator_.constraint(row);
  const double tau = g.tau(here_.t);
  return value_of(g.coefficients, tau) + std::max(rounding_of(g.coefficients, tau), tolerance(row, 0.0));
}

/// Where the row rises above its level between here and `until`, in τ of its step. Once it has been clearly inside
/// that is zero, from inside_at_ on.
std::optional<Passage> EventLocation::passage(std::size_t row, double until, double resolution) {
  const StepPolynomial g = integrator_.constraint(row);
  const double from = std::max(0.0, g.tau(here_.t)), to = g.tau(until);
  const double level = level_[row];
  if (level == 0.0 && upper_bound(g.coefficients, to) <= 0.0) return std::nullopt;

  const double start = value_of(g.coefficients, from), rounding = rounding_of(g.coefficients, from);
  if (start > level + rounding) return Passage{from, from, from};
  // What stands on its level passes it where it rises from there.
  auto rise = first_rise(g.coefficients, start > level - rounding ? std::max(level, start + rounding) : level,
                         from, to, resolution);
  const bool often_looked_at = looks_[row].t == here_.t && looks_[row].number > most_looks;
  if (level > 0.0 && !often_looked_at) {
    const double inside = -std::min(level, touching_tolerance(row));
    const auto fall = start < inside
                          ? std::optional(Passage{from, from, from})
                          : first_fall(g.coefficients, inside, from, rise ? rise->tau : to, resolution);
    if (fall) {
      inside_at_[row] = fall->tau;
      rise = first_rise(g.coefficients, 0.0, fall->tau, to, resolution);
    }
  }
  return rise;
}

std::optional<EventLocation::Crossing> EventLocation::look_at_polynomials(double t) {
  constexpr double part_of_rounding = 0.125;
  std::fill(touching_.begin(), touching_.end(), -1.0);
  std::fill(inside_at_.begin(), inside_at_.end(), std::numeric_limits<double>::infinity());
  // Tolerances of rows that began on their boundary are those at the end of the step.
  if (std::ranges::any_of(level_, [](double level) { return level > 0.0; })) interpolate(t, next_);

  std::optional<Passage> first;
  std::size_t first_row = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const StepPolynomial g = integrator_.constraint(row);
    // The time is rounded once, to the nearest: ends of brackets would all be late, and add up over many events.
    const double resolution = part_of_rounding * machine_epsilon * std::abs(t) / g.unit;
    const auto found = passage(row, t, resolution);
    if (!found || (first && found->tau >= first->tau)) continue;
    first = found;
    first_row = row;
    t = std::min(t, g.begin + g.unit * found->tau);
  }
  const StepPolynomial g = integrator_.constraint(first_row);
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (inside_at_[row] <= g.tau(t)) {
      level_[row] = 0.0;
      outside_since_[row] = std::numeric_limits<double>::infinity();
    }
  here_.t = std::max(t, here_.t);
  if (!first) return std::nullopt;
  interpolate(here_.t, here_);
  const double slope = std::abs(slope_of(g.coefficients, first->tau)) / g.unit;
  return crossing_at(first_row, here_.t, slope, (first->right - first->left) * g.unit);
}

}  // namespace mti
