#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace mti {

/// The runs that a process has to make, as its threads take them. It is open while more may come.
class RunQueue {
 public:
  void put(const std::vector<long>& runs);
  /// No more come.
  void close();
  /// No more come, and what waits is not made.
  void abandon();

  /// The next run; waits where there is none in an open queue. Nothing once none is left in a closed one.
  [[nodiscard]] std::optional<long> take();
  [[nodiscard]] long waiting() const;
  [[nodiscard]] bool is_closed() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<long> runs_;
  bool closed_ = false;
};

}  // namespace mti
