#include "solvers/stepping/followed_impacts.hpp"

#include "solvers/recording/run_recorder.hpp"
#include "solvers/run_limits/run_budget.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {

std::optional<RunSnapshot> followed_impacts(const Model& model, const SimulationOptions& options,
                                            const RunSnapshot& behind_event, double t) {
  constexpr long most_events = 1000;  // of a limit, whose intervals become shorter by a factor
  SimulationOptions quiet = options;
  quiet.progress = nullptr;
  quiet.observe = nullptr;
  quiet.sink = nullptr;
  quiet.warn = nullptr;
  quiet.explain = false;
  quiet.max_events = most_events;
  RunRecorder recorder(model, quiet);
  RunBudget budget(quiet.max_seconds, quiet.stop_token, {});
  Simulation simulation(model, quiet, recorder, budget);
  simulation.follow_each();
  simulation.resume(behind_event, false);
  simulation.advance(t, false);
  if (simulation.ended() || simulation.time() < t) return std::nullopt;
  return simulation.snapshot();
}

}  // namespace mti
