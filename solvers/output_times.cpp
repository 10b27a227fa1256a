#include "solvers/output_times.hpp"

#include <cmath>
#include <limits>

namespace mti {
namespace {

/// Times closer than this part of the interval are the same output time.
constexpr double coincidence = 1e-9;

}  // namespace

OutputTimes::OutputTimes(double start, double stop, double interval)
    : start_(start), stop_(stop), interval_(interval), next_(start) {}

void OutputTimes::advance() {
  if (next_ >= stop_) {
    next_ = std::numeric_limits<double>::infinity();
    return;
  }
  next_ = start_ + static_cast<double>(++count_) * interval_;
  if (!(next_ < stop_ - coincidence * interval_)) next_ = stop_;
}

void OutputTimes::skip_through(double time) {
  while (next_ <= time + coincidence * interval_ && std::isfinite(next_)) advance();
}

}  // namespace mti
