#include "mti/model/input_periods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace mti {
namespace {

/// A sum t of numbers as large as `size`. Numbers of models are decimal: the tick −3 + 50·0.1 is due at 2, where a run may stop,
/// and not at the next number behind it, since 0.1 as a double is slightly more than that. So a short decimal number is taken where
/// rounding of the summands and the sum leaves it open.
double as_decimal(double t, double size) {
  if (!(size > 0.0 && std::isfinite(size))) return t;
  // Powers of ten that are doubles. Every tick comes by here: a decade more or less does not matter, and no logarithm is asked.
  constexpr std::array power = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int digits = 13;
  constexpr double decades_of_an_octave = 0.30103;
  const double places = digits - 1 - std::floor(decades_of_an_octave * std::ilogb(size));
  if (places < 0.0 || places >= static_cast<double>(power.size())) return t;
  const double unit = power[static_cast<std::size_t>(places)], decimal = std::nearbyint(t * unit) / unit;
  return std::abs(decimal - t) <= 3.0 * std::numeric_limits<double>::epsilon() * size ? decimal : t;
}

/// Of start + k·period the larger summand: by its rounding the sum is known.
double summand(double k, double period, double start) {
  return std::max(std::abs(k * period), std::abs(start));
}

/// Where the period k begins, rounded once for any k: periods do not add up their roundings.
double period_begin(double k, double period, double start) {
  if (k == 0.0) return start;  // as it is written, where a run may start
  return as_decimal(std::fma(k, period, start), summand(k, period, start));
}

/// Within a period that begins at `begin`, which was added up of numbers as large as `size`.
double within_period(double begin, double offset, double size) {
  if (offset == 0.0) return begin;
  return as_decimal(begin + offset, std::max(size, std::abs(offset)));
}

}  // namespace

// One off at most before rounding is mended.
double period_of(double t, double period, double start) {
  double k = std::floor((t - start) / period);
  if (period_begin(k + 1.0, period, start) <= t)
    k += 1.0;
  else if (period_begin(k, period, start) > t)
    k -= 1.0;
  return k;
}

PeriodTable::PeriodTable(const PeriodicInput& input, double t)
    : input_(input),
      k_(period_of(t, input.period, input.start)),
      begin_(period_begin(k_, input.period, input.start)),
      end_(period_begin(k_ + 1.0, input.period, input.start)),
      size_(summand(k_, input.period, input.start)) {}

double PeriodTable::time(std::size_t i) const {
  const double offset = input_.table.time[i];
  return offset >= input_.period ? end_ : std::min(within_period(begin_, offset, size_), end_);
}

std::size_t PeriodTable::after(double t) const {
  std::size_t low = 0, high = input_.table.time.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (time(middle) <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

Pulse pulse_at(const PulseWidthInput& input, double t) {
  Pulse pulse;
  pulse.k = period_of(t, input.period, input.start);
  pulse.begin = period_begin(pulse.k, input.period, input.start);
  pulse.end = period_begin(pulse.k + 1.0, input.period, input.start);
  const double size = summand(pulse.k, input.period, input.start);
  pulse.sampled = end_of_instant(*input.duty, pulse.begin, size);
  pulse.duty = input.duty->piece(pulse.sampled).value(pulse.sampled);
  const double width = std::clamp(pulse.duty, 0.0, 1.0);
  const double fall = within_period(pulse.begin, width * input.period, size);
  pulse.fall = width == 1.0 ? pulse.end : std::min(fall, pulse.end);
  return pulse;
}

}  // namespace mti
