#include "program/guard/command_limit.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "io/files/temporary_name.hpp"
#include "program/console/exit_status.hpp"
#include "program/console/messages.hpp"
#include "program/guard/guarded_run.hpp"

namespace mti {

/// A look from outside, by a thread of its own, while nothing is over.
struct CommandLimit::Watch {
  using Clock = std::chrono::steady_clock;

  double seconds;
  std::string file;
  std::stop_token stop;
  Clock::time_point begun = Clock::now();
  std::mutex mutex = {};
  std::condition_variable ended = {};
  bool over = false, reads = true, prints = false;
  std::string writes = {};
  std::thread thread = {};

  [[nodiscard]] double seconds_used() const {
    return std::chrono::duration<double>(Clock::now() - begun).count();
  }

  void look() {
    constexpr std::chrono::milliseconds between_looks(20), grace(200);
    std::optional<Clock::time_point> asked;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, between_looks, [this] { return over; })) {
      if (!asked && (stop.stop_requested() || seconds_used() > seconds)) asked = Clock::now();
      if (asked && (reads || Clock::now() - *asked > grace)) leave();
    }
  }

  [[noreturn]] void leave() const {
    const bool interrupted = stop.stop_requested();
    const std::string where = prints            ? " before all of the result was printed"
                              : !writes.empty() ? " before " + writes + " was written"
                              : reads           ? " before the run began"
                                                : " before there was a result";
    if (!writes.empty()) remove_unfinished(writes);
    print_faults(file, {{interrupted ? "interrupted" : "time_budget", "",
                         (interrupted ? "stopped" : "the time budget was used up") + where}});
    leave_process(static_cast<int>(ExitStatus::ended_early));
  }
};

CommandLimit::CommandLimit(double seconds, std::string file, std::stop_token stop)
    : watch_(new Watch{.seconds = seconds, .file = std::move(file), .stop = std::move(stop)}) {
  const bool limited = seconds > 0.0 && seconds < std::numeric_limits<double>::infinity();
  if (!limited) watch_->seconds = std::numeric_limits<double>::infinity();
  if (limited || watch_->stop.stop_possible())
    watch_->thread = std::thread([watch = watch_.get()] { watch->look(); });
}

CommandLimit::CommandLimit(std::string file, std::stop_token stop)
    : CommandLimit(std::numeric_limits<double>::infinity(), std::move(file), std::move(stop)) {
  reading_is_done();
}

CommandLimit::~CommandLimit() { results_are_there(); }

void CommandLimit::reading_is_done() {
  const std::lock_guard lock(watch_->mutex);
  watch_->reads = false;
}

void CommandLimit::results_are_printed() {
  const std::lock_guard lock(watch_->mutex);
  watch_->prints = true;
}

void CommandLimit::results_are_there() {
  {
    const std::lock_guard lock(watch_->mutex);
    watch_->over = true;
  }
  watch_->ended.notify_all();
  if (watch_->thread.joinable()) watch_->thread.join();
}

void CommandLimit::results_are_written(std::string path) {
  const std::lock_guard lock(watch_->mutex);
  watch_->writes = std::move(path);
}

double CommandLimit::seconds_left() const {
  return std::max(watch_->seconds - watch_->seconds_used(), std::numeric_limits<double>::min());
}

}  // namespace mti
