#include "program/console/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace mti {

Progress::Progress(double start, double stop, bool wanted, const char* quantity)
    : start_(start), stop_(stop), wanted_(wanted && ::isatty(STDERR_FILENO) == 1), quantity_(quantity) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);  // back to the first column, erase the line
}

void Progress::show(double time) {
  if (!wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  const double part = stop_ > start_ ? std::clamp((time - start_) / (stop_ - start_), 0.0, 1.0) : 1.0;
  std::fprintf(stderr, "\r\x1b[K%s %.6g of %.6g (%.0f %%)", quantity_, time, stop_, 100 * part);
  std::fflush(stderr);
}

}  // namespace mti
