#pragma once

#include <chrono>
#include <string>

namespace mti {

/// A line on the terminal that shows how far a run has come, from its second second on.
///
/// Nothing is shown where standard error is no terminal. The line is wiped at the end.
class Progress {
 public:
  /// `quantity` is what goes from start to stop.
  Progress(double start, double stop, bool wanted, const char* quantity = "t =");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double time);

 private:
  using Clock = std::chrono::steady_clock;
  double start_, stop_;
  bool wanted_;
  const char* quantity_;
  bool shown_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

}  // namespace mti
