#include "solvers/output_times.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace mti {
namespace {

/// Times closer than this part of the interval are the same output time.
constexpr double coincidence = 1e-9;

}  // namespace

OutputTimes::OutputTimes(double start, double stop, double interval)
    : start_(start), stop_(stop), interval_(interval), next_(start) {}

OutputTimes::OutputTimes(double interval, std::vector<double> times)
    : start_(times.front()),
      stop_(times.back()),
      interval_(interval),
      next_(times.front()),
      listed_(std::move(times)) {}

void OutputTimes::advance() {
  if (next_ >= stop_) {
    next_ = std::numeric_limits<double>::infinity();
    return;
  }
  if (!listed_.empty()) {
    next_ = listed_[static_cast<std::size_t>(++count_)];
    return;
  }
  next_ = start_ + static_cast<double>(++count_) * interval_;
  if (!(next_ < stop_ - coincidence * interval_)) next_ = stop_;
}

bool OutputTimes::precedes(double time) const noexcept { return next_ < time && !coincide(next_, time); }

bool OutputTimes::coincide(double time, double other) const noexcept {
  return std::abs(time - other) <= coincidence * interval_;
}

void OutputTimes::skip_through(double time) {
  while (next_ <= time + coincidence * interval_ && std::isfinite(next_)) advance();
}

}  // namespace mti
