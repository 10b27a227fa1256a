#include "io/studies/run_queue.hpp"

namespace mti {

void RunQueue::put(const std::vector<long>& runs) {
  {
    const std::lock_guard hold(mutex_);
    runs_.insert(runs_.end(), runs.begin(), runs.end());
  }
  changed_.notify_all();
}

void RunQueue::close() {
  {
    const std::lock_guard hold(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void RunQueue::abandon() {
  {
    const std::lock_guard hold(mutex_);
    runs_.clear();
  }
  close();
}

std::optional<long> RunQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !runs_.empty(); });
  if (runs_.empty()) return std::nullopt;
  const long run = runs_.front();
  runs_.pop_front();
  return run;
}

long RunQueue::waiting() const {
  const std::lock_guard hold(mutex_);
  return static_cast<long>(runs_.size());
}

bool RunQueue::is_closed() const {
  const std::lock_guard hold(mutex_);
  return closed_;
}

}  // namespace mti
