#include "mti/model/input_periods.hpp"

#include <algorithm>
#include <cmath>

namespace mti {
namespace {

/// Where the period k begins, rounded once for any k: periods do not add up their roundings.
double period_begin(double k, double period, double start) { return std::fma(k, period, start); }

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
      end_(period_begin(k_ + 1.0, input.period, input.start)) {}

double PeriodTable::time(std::size_t i) const {
  const double offset = input_.table.time[i];
  return offset >= input_.period ? end_ : std::min(begin_ + offset, end_);
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
  pulse.duty = input.duty->piece(pulse.begin).value(pulse.begin);
  const double width = std::clamp(pulse.duty, 0.0, 1.0);
  pulse.fall = width == 1.0 ? pulse.end : std::min(std::fma(width, input.period, pulse.begin), pulse.end);
  return pulse;
}

}  // namespace mti
