#include "python/bindings/interruptible_run.hpp"

#include <chrono>
#include <future>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

namespace py = pybind11;

namespace mti::python {
namespace {

/// How long a Ctrl-C may wait until it is seen.
constexpr std::chrono::milliseconds between_looks(20);

}  // namespace

InterruptedRun run_interruptibly(const Model& model, SimulationOptions options) {
  InterruptedRun run;
  std::stop_source stop;
  options.stop_token = stop.get_token();
  const py::gil_scoped_release unlocked;
  std::packaged_task<Trajectory()> task([&] { return simulate(model, options); });
  std::future<Trajectory> result = task.get_future();
  std::jthread thread;
  try {
    thread = std::jthread(std::move(task));
  } catch (const std::system_error&) {  // no room for a thread: then without a look at signals
    run.trajectory = simulate(model, options);
    return run;
  }
  while (result.wait_for(between_looks) != std::future_status::ready) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) continue;
    run.raised.emplace();  // takes the exception over; of several the last one
    stop.request_stop();
  }
  run.trajectory = result.get();
  return run;
}

}  // namespace mti::python
