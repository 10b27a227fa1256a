#include "python/bindings/interruptible.hpp"

#include <chrono>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

namespace py = pybind11;

namespace mti::python {
namespace {

/// How long a Ctrl-C may wait until it is seen.
constexpr std::chrono::milliseconds between_looks(20);

}  // namespace

std::optional<py::error_already_set> interruptibly(const std::function<void(std::stop_token)>& work) {
  std::optional<py::error_already_set> raised;
  std::stop_source stop;
  const py::gil_scoped_release unlocked;
  std::packaged_task<void()> task([&] { work(stop.get_token()); });
  std::future<void> result = task.get_future();
  std::jthread thread;
  try {
    thread = std::jthread(std::move(task));
  } catch (const std::system_error&) {  // no room for a thread: then without a look at signals
    work(stop.get_token());
    return raised;
  }
  while (result.wait_for(between_looks) != std::future_status::ready) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) continue;
    raised.emplace();  // takes the exception over; of several the last one
    stop.request_stop();
  }
  if (!raised) result.get();
  return raised;
}

void interruptibly_or_raise(const std::function<void(std::stop_token)>& work) {
  if (const auto raised = interruptibly(work)) throw *raised;
}

}  // namespace mti::python
