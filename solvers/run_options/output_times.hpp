#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mti {

/// Times between start and stop are told apart from this distance on: some units in the last place of the larger of them.
[[nodiscard]] double resolution_of_times(double start, double stop);

/// What is said of a run whose times are told apart less finely than `asked`; nothing of others.
[[nodiscard]] std::optional<std::string> coarse_times(double start, double stop, double asked);

/// The finest distance of output times that can be told apart between start and stop: some units in the last
/// place of the larger of them.
[[nodiscard]] double finest_output_interval(double start, double stop);

/// The distance of output times where none is asked for: 500 of them, or if they could not be told apart only
/// start and stop.
[[nodiscard]] double default_output_interval(double start, double stop);

/// The output times of a run: start, start + interval, … and the stop time itself; or those of a list.
class OutputTimes {
 public:
  OutputTimes(double start, double stop, double interval);
  /// Only `times`, ascending.
  OutputTimes(double interval, std::vector<double> times);

  /// The next one; infinity after the last.
  [[nodiscard]] double next() const noexcept { return next_; }
  void advance();
  /// The next one lies before `time` and does not coincide with it.
  [[nodiscard]] bool precedes(double time) const noexcept;
  /// `time` and `other` count as one output time: they differ by no more than 10⁻⁹ of the interval, and by no
  /// more than 10⁻¹² of the larger of start and stop, or they cannot be told apart at all.
  [[nodiscard]] bool coincide(double time, double other) const noexcept;
  /// Leaves out those up to `time`, and one that coincides with it; of those after it never the last.
  void skip_through(double time);

 private:
  double start_, stop_, interval_, coincidence_, next_;
  long count_ = 0;
  std::vector<double> listed_ = {};  ///< empty: start, start + interval, …
};

}  // namespace mti
