#include "solvers/run_options/output_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {
namespace {

/// Times closer than the first part of the interval and the second part of the run's times are the same one.
/// The interval alone would not do: a very large one would swallow the rows of events and the stop time with
/// them.
constexpr double part_of_interval = 1e-9, part_of_time = 1e-12;
/// Rounding of start + k·interval against an event's time.
constexpr double few_roundings = 4.0 * machine_epsilon;

double largest(double start, double stop) { return std::max(std::abs(start), std::abs(stop)); }

double coincidence(double start, double stop, double interval) {
  const double scale = largest(start, stop);
  return std::max(std::min(part_of_interval * interval, part_of_time * scale), few_roundings * scale);
}

}  // namespace

double resolution_of_times(double start, double stop) { return few_roundings * largest(start, stop); }

std::optional<std::string> coarse_times(double start, double stop, double asked) {
  const double times = resolution_of_times(start, stop);
  if (times <= asked || !(stop > start)) return std::nullopt;
  return "times up to " + number(largest(start, stop)) + " are told apart only " + number(times) +
         " from each other, more than rtol*(stop - start) = " + number(asked) +
         ": events are no more exact than that; count time from the start of the run";
}

double finest_output_interval(double start, double stop) { return 4.0 * resolution_of_times(start, stop); }

double default_output_interval(double start, double stop) {
  constexpr double usual_number = 500.0;
  const double interval = (stop - start) / usual_number;
  return interval > finest_output_interval(start, stop) ? interval : stop - start;
}

OutputTimes::OutputTimes(double start, double stop, double interval)
    : start_(start),
      stop_(stop),
      interval_(interval),
      coincidence_(coincidence(start, stop, interval)),
      next_(start) {}

OutputTimes::OutputTimes(double interval, std::vector<double> times)
    : start_(times.front()),
      stop_(times.back()),
      interval_(interval),
      coincidence_(coincidence(start_, stop_, interval)),
      next_(times.front()),
      listed_(std::move(times)) {}

void OutputTimes::advance() {
  if (next_ >= stop_) {
    next_ = std::numeric_limits<double>::infinity();
    return;
  }
  if (!listed_.empty()) {
    const double before = next_;
    while (next_ <= before) next_ = listed_[at(++count_)];  // the last one is larger
    return;
  }
  const double before = next_;
  next_ = start_ + static_cast<double>(++count_) * interval_;
  if (!(next_ > before && next_ < stop_ - coincidence_)) next_ = stop_;
}

bool OutputTimes::precedes(double time) const noexcept { return next_ < time && !coincide(next_, time); }

bool OutputTimes::coincide(double time, double other) const noexcept {
  // Between the times of a list there may be many orders of magnitude: near the start of a long run they are told apart
  // by what they are themselves.
  const double same =
      listed_.empty()
          ? coincidence_
          : std::clamp(part_of_time * largest(time, other),
                       std::min(few_roundings * largest(start_, stop_), coincidence_), coincidence_);
  return std::abs(time - other) <= same;
}

void OutputTimes::skip_through(double time) {
  // The stop time is none that an event may stand for: what is final is what the motion after it comes to.
  while ((next_ <= time || coincide(next_, time)) && std::isfinite(next_) &&
         !(next_ >= stop_ && time < stop_))
    advance();
}

}  // namespace mti
