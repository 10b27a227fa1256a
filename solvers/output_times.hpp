#pragma once

#include <cstddef>
#include <vector>

namespace mti {

/// The output times of a run: start, start + interval, … and the stop time itself; or those of a list.
class OutputTimes {
 public:
  OutputTimes(double start, double stop, double interval);
  /// Only `times`, ascending. Times that differ by a billionth of `interval` coincide.
  OutputTimes(double interval, std::vector<double> times);

  /// The next one; infinity after the last.
  [[nodiscard]] double next() const noexcept { return next_; }
  void advance();
  /// The next one lies before `time` and does not coincide with it.
  [[nodiscard]] bool precedes(double time) const noexcept;
  /// `time` and `other` count as one output time.
  [[nodiscard]] bool coincide(double time, double other) const noexcept;
  /// Leaves out those up to `time`, and one that coincides with it to rounding.
  void skip_through(double time);

 private:
  double start_, stop_, interval_, next_;
  long count_ = 0;
  std::vector<double> listed_ = {};  ///< empty: start, start + interval, …
};

}  // namespace mti
