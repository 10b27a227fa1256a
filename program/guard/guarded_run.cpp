#include "program/guard/guarded_run.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "io/netcdf/netcdf_file.hpp"
#include "mti/common/number.hpp"

namespace mti {
namespace {

using Clock = std::chrono::steady_clock;

/// What looks at the budget ends well within the first; what is made of its results has the rest of the half second in
/// which the program answers.
constexpr std::chrono::milliseconds grace_of_runs(200), grace_of_results(250);

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// What the run has, with the outcome that it could not give itself. The guard stays locked: the run stands
/// still. Nothing if the run has ended meanwhile, which returns its results itself.
std::optional<Trajectory> take(RunningTrajectory& running, const SimulationOptions& options) {
  const bool interrupted = options.stop_token.stop_requested();
  running.guard.lock();
  if (running.taken) {
    running.guard.unlock();
    return std::nullopt;
  }
  Trajectory trajectory = std::move(running.trajectory);
  const double end = trajectory.size() > 0 ? trajectory.time(trajectory.size() - 1) : 0.0;
  trajectory.outcome = {interrupted ? OutcomeKind::interrupted : OutcomeKind::time_budget,
                        std::string(interrupted ? "stopped" : "the time budget was used up") + " at t = " +
                            text::format_number(end, 9) + ", in the middle of a long piece of work",
                        end};
  trajectory.statistics.events = static_cast<long>(trajectory.events_in_all());
  return trajectory;
}

}  // namespace

bool Patience::asked_for(std::chrono::milliseconds grace) {
  if (!asked_ && (stop_.stop_requested() || seconds_since(begun_) > seconds_)) asked_ = Clock::now();
  return asked_ && Clock::now() - *asked_ > grace;
}

GuardedRun run_guarded(const Model& model, SimulationOptions options, Patience& patience,
                       const RunWork& work) {
  static RunningTrajectory running;  // of an abandoned run: its thread may still be there when this returns
  running.taken = false;
  options.running = &running;
  std::packaged_task<Trajectory()> task([&model, options, work] { return work(model, options); });
  std::future<Trajectory> result = task.get_future();
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error&) {  // no room for a thread: then without a look from outside
    return {work(model, options), false};
  }
  if (!patience.awaits(result, grace_of_runs))
    if (std::optional<Trajectory> trajectory = take(running, options)) return {*std::move(trajectory), true};
  return {result.get(), false};
}

std::optional<std::string> make_in_time(const std::function<std::string()>& work, Patience& patience) {
  std::packaged_task<std::string()> task(work);
  std::future<std::string> result = task.get_future();
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error&) {  // no room for a thread
    return work();
  }
  if (!patience.awaits(result, grace_of_results)) return std::nullopt;
  return result.get();
}

void leave_process(int status) {
  if (::ftrylockfile(stdout) == 0) std::fflush(stdout);  // else its reader may take no more for ever
  std::fflush(stderr);
  std::_Exit(status);
}

int status_of_process(int status) {
  if (netcdf::has_unfinished_files()) leave_process(status);
  return status;
}

}  // namespace mti
