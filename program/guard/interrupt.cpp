#include "program/guard/interrupt.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

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

void end_process_as_usual() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  set_action(action);
}

/// Takes signals up to half a second after the first one: who sends several at once asks for one thing, and SIGTERM and
/// SIGHUP come together where a session ends. False if `ended` before.
bool swallow(const sigset_t& signals, std::chrono::steady_clock::time_point first,
             const std::stop_token& ended = {}) {
  while (true) {
    const auto left = same_request - std::chrono::duration_cast<std::chrono::nanoseconds>(
                                         std::chrono::steady_clock::now() - first);
    if (left.count() <= 0) return true;
    const timespec wait_for{0, left.count()};
    sigtimedwait(&signals, nullptr, &wait_for);
    if (ended.stop_requested()) return false;
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
  thread_.request_stop();
  pthread_kill(thread_.native_handle(), wake_up);
  thread_.join();
  if (!interrupted_.stop_requested()) {
    end_process_as_usual();
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
    return;
  }
  // What the command has been asked to end for may not be all of the request: the rest of it must not end the process
  // while it says what there is. Only a thread that has waited for it lets the next one in.
  std::thread rest([endings = endings_, first = first_] {
    swallow(endings, first);
    end_process_as_usual();
    pthread_sigmask(SIG_UNBLOCK, &endings, nullptr);
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  });
  waiting_thread = rest.native_handle();
  rest.detach();
}

void InterruptWatch::wait(const sigset_t& awaited, const std::stop_token& ended) {
  for (int signal = wake_up; signal == wake_up; sigwait(&awaited, &signal))
    if (ended.stop_requested()) return;
  first_ = std::chrono::steady_clock::now();
  interrupted_.request_stop();
  if (!swallow(awaited, first_, ended)) return;
  // The next one ends the process: it is delivered here, for only this thread lets it in.
  end_process_as_usual();
  pthread_sigmask(SIG_UNBLOCK, &endings_, nullptr);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait(lock, ended, [] { return false; });
}

}  // namespace mti
