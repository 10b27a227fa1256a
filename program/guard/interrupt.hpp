#pragma once

#include <chrono>
#include <csignal>
#include <stop_token>
#include <thread>

namespace mti {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP requests a stop instead of ending the process, with those of
/// the half second after it, which are the same request; a later one ends it as usual. After a stop that
/// goes on beyond the end of the watch.
///
/// The signals are blocked and waited for by a thread of their own, so nothing has to be done inside a signal
/// handler, where a stop may not be requested.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] std::stop_token token() const { return interrupted_.get_token(); }

 private:
  void wait(const sigset_t& awaited, const std::stop_token& ended);

  sigset_t endings_{}, mask_before_{};
  std::chrono::steady_clock::time_point first_;  ///< signal, once a stop is requested
  std::stop_source interrupted_;
  std::jthread thread_;
};

}  // namespace mti
