#include "program/guard/interrupt.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>

namespace mti {

namespace {

/// Signals within this time are one request. Less than a second.
constexpr std::chrono::nanoseconds same_request = std::chrono::milliseconds(500);

/// Wakes the waiting thread at the end: a signal whose default is to be ignored.
constexpr int wake_up = SIGURG;

/// Libraries may have started threads before main (a threaded BLAS does), which do not block the signals and
/// would let them end the process. A handler passes on to the waiting thread what arrives there; a handler
/// can be told which thread that is by a variable of static duration only.
std::atomic<pthread_t> waiting_thread{};

extern "C" void pass_on(int signal) { pthread_kill(waiting_thread.load(), signal); }

void set_action(const struct sigaction& action) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;  // started by nohup
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

InterruptWatch::InterruptWatch() {
  sigemptyset(&endings_);
  sigaddset(&endings_, SIGINT);
  sigaddset(&endings_, SIGTERM);
  sigaddset(&endings_, SIGHUP);
  sigset_t awaited = endings_;
  sigaddset(&awaited, wake_up);
  pthread_sigmask(SIG_BLOCK, &awaited, &mask_before_);  // threads made from here on inherit this
  thread_ = std::jthread([this, awaited](const std::stop_token& ended) { wait(awaited, ended); });
  waiting_thread = thread_.native_handle();
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  set_action(action);
}

InterruptWatch::~InterruptWatch() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  set_action(action);
  thread_.request_stop();
  pthread_kill(thread_.native_handle(), wake_up);
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void InterruptWatch::wait(const sigset_t& awaited, const std::stop_token& ended) {
  for (int signal = wake_up; signal == wake_up; sigwait(&awaited, &signal))
    if (ended.stop_requested()) return;
  interrupted_.request_stop();
  // Who sends several at once asks for one thing: SIGTERM and SIGHUP come together where a session ends.
  const auto first = std::chrono::steady_clock::now();
  for (auto left = same_request; left.count() > 0;) {
    const timespec wait_for{0, left.count()};
    sigtimedwait(&awaited, nullptr, &wait_for);
    if (ended.stop_requested()) return;
    left = same_request -
           std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - first);
  }
  // The next one ends the process: it is delivered here, for only this thread lets it in.
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  set_action(action);
  pthread_sigmask(SIG_UNBLOCK, &endings_, nullptr);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait(lock, ended, [] { return false; });
}

}  // namespace mti
