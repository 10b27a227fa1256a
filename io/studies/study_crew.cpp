#include "io/studies/study_crew.hpp"

#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "io/studies/study_rows.hpp"

namespace mti {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// How long others of a team are waited for that should have heard of the end.
constexpr double patience = 60.0;

}  // namespace

void StudyCrew::work(long threads, const StudyOptions& options, RunSharing& sharing) {
  const std::chrono::milliseconds between_looks(options.team != nullptr ? 1 : 20);
  constexpr std::chrono::milliseconds between_reports(20);
  const Clock::time_point begun = Clock::now();
  Clock::time_point reported = begun;
  std::optional<Clock::time_point> ended;
  const std::stop_callback forward(options.stop_token, [this] { stop_.request_stop(); });
  std::vector<std::jthread> crew;
  // Threads wait for what they are given: where this one has to leave, there is nothing more.
  struct Leaving {
    explicit Leaving(StudyCrew& own) : crew(own) {}
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;
    StudyCrew& crew;
    ~Leaving() {
      crew.stop_.request_stop();
      crew.queue_.abandon();
    }
  } const leaving(*this);
  std::unique_lock lock(mutex_);
  try {
    for (; at_work_ < threads; ++at_work_) crew.emplace_back([this] { make_runs(); });
  } catch (const std::system_error&) {  // no room for more threads
    if (crew.empty()) fail();
  }
  while (!ended_.wait_for(lock, between_looks, [this] { return at_work_ == 0; }) || !sharing.is_over()) {
    const bool all_ended = at_work_ == 0, has_failed = failure_ != nullptr;
    lock.unlock();  // what follows takes its time
    if (seconds_since(begun) > options.max_seconds) stop_.request_stop();
    sharing.tend(made_, stop_.stop_requested());
    if (options.progress && !has_failed && Clock::now() - reported >= between_reports) {
      reported = Clock::now();
      report(options, sharing);
    }
    if (all_ended) {
      if (!ended && stop_.stop_requested()) ended = Clock::now();
      if (options.team != nullptr && ended && seconds_since(*ended) > patience) {
        options.team->give_up();
        if (!has_failed) throw TeamLeft();
        break;
      }
      std::this_thread::sleep_for(between_looks);
    }
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
}

/// What it throws comes out once the others of a team know that this process makes no more runs.
void StudyCrew::report(const StudyOptions& options, const RunSharing& sharing) {
  try {
    options.progress(sharing.made(), sharing.runs());
  } catch (...) {
    const std::lock_guard hold(mutex_);
    fail();
  }
}

void StudyCrew::fail() {
  if (!failure_) failure_ = std::current_exception();
  stop_.request_stop();
}

void StudyCrew::make_runs() {
  try {
    StudyWorker worker(plan_, points_);
    while (!stop_.stop_requested()) {
      const auto run = queue_.take();
      if (!run) break;
      const auto row = worker.row(*run, stop_.get_token());
      if (!row) break;
      if (row->trajectory && trajectories_ != nullptr) trajectories_->add(*row->trajectory);
      journal_.add(csv_line(row->cells));  // the run is there
      ++made_;
    }
  } catch (...) {
    const std::lock_guard hold(mutex_);
    fail();
  }
  const std::lock_guard hold(mutex_);
  --at_work_;
  ended_.notify_all();
}

}  // namespace mti
