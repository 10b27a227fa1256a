#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// The states at the most recent events of a run, for the point that accumulating switches lead to.
///
/// The states of the limit are taken from the mean rates over whole periods of the pattern,
///
///     x_∞ = x_k + (t_∞ − t_k) (x_k − x_(k−j)) / (t_k − t_(k−j)) ,
///
/// for the rate at the last event alone is that of a motion that turns back before t_∞. What x_∞ is uncertain
/// by is all that the states do from there on: they stay within how far they are off at the events of the
/// last period and on the way between them.
class Approach {
 public:
  explicit Approach(const Signature& signature);

  /// v at the right of an event.
  void note(double time, std::span<const double> v);

  struct Point {
    std::vector<double> x, uncertainty;
  };
  /// At t_∞, where `period` events are one turn of the pattern.
  [[nodiscard]] Point at_limit(double time, std::size_t period) const;

 private:
  struct Event {
    double time;
    std::vector<double> x, rate;
  };
  int n_, state_row_;
  std::size_t most_;
  std::deque<Event> events_;
};

/// Puts the states in v on the surfaces g_l = 0 of `rows`, by the smallest move in the metric of `weights`.
/// Rows whose gradient is zero there, or that hold algebraic signals, are left as they are.
void put_on_surfaces(const RowMap& g, std::span<const int> rows, const Signature& signature,
                     std::span<const double> weights, std::span<double> v);

}  // namespace mti
