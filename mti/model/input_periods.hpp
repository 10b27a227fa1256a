#pragma once

// Where the periods of inputs lie; of mti/model/input.cpp and derivatives of inputs.

#include <cstddef>

#include "mti/model/input.hpp"

namespace mti {

/// The k with start + k·period <= t < start + (k + 1)·period, as these are rounded.
[[nodiscard]] double period_of(double t, double period, double start);

/// The table in the period k that holds t, in the time of the run: its end is where the next period begins.
class PeriodTable {
 public:
  PeriodTable(const PeriodicInput& input, double t);

  [[nodiscard]] double k() const { return k_; }
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }
  [[nodiscard]] double time(std::size_t i) const;
  /// The first entry after t.
  [[nodiscard]] std::size_t after(double t) const;

 private:
  const PeriodicInput& input_;
  double k_, begin_, end_, size_;
};

/// The pulse of the period that holds t: from `begin` to `fall`.
struct Pulse {
  double k = 0.0, begin = 0.0, fall = 0.0, end = 0.0;
  double sampled = 0.0;  ///< where the duty is read: `begin`, but for roundings
  double duty = 0.0;     ///< as the input gives it, not held within [0, 1]
};
[[nodiscard]] Pulse pulse_at(const PulseWidthInput& input, double t);

}  // namespace mti
