#pragma once

#include <optional>
#include <vector>

#include "io/study_journals/trajectory_journal.hpp"
#include "io/study_plans/study_plan.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// What has to be asked of a run so that `kept` can be found in it: extremes and integrals need the polynomials of its
/// steps, the others no rows but those at the times that are kept.
[[nodiscard]] SimulationOptions options_of_run(const StudyPlan& plan, const Model& model);

/// The kept quantities of a run, in their order; nothing where the run has not come so far, or has no such event.
///
/// Extremes are those of the rows, and of the polynomials on both sides of each row that is a local extreme: one that
/// rises and falls again between two rows is missed. Integrals are those of the polynomials of all steps. Both are as
/// accurate as the run. The value at a time is that after an event which counts as one output time with it
/// (OutputTimes::coincide).
[[nodiscard]] std::vector<std::optional<double>> kept_values(const StudyPlan& plan, const Model& model,
                                                             const Trajectory& run);

/// The rows of a run that the plan keeps; `model` and `run` are those of the run.
[[nodiscard]] RunTrajectory kept_trajectory(const StudyPlan& plan, long number, const Model& model,
                                            const Trajectory& run);

}  // namespace mti
