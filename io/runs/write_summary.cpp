#include "io/runs/write_summary.hpp"

#include <string>
#include <string_view>

#include "mti/common/at.hpp"

namespace mti {
namespace {

using json::in_line;
using json::Writer;

void write_accumulations(Writer& out, const Model& model, const Trajectory& trajectory) {
  out.begin_array();
  for (const Accumulation& limit : trajectory.accumulations) {
    out.begin_object(in_line).member("time", limit.time).member("ratio", limit.ratio);
    out.member("uncertainty", limit.uncertainty).member("followed", limit.followed);
    out.key("constraints").begin_array(in_line);
    for (const int constraint : limit.constraints) out.value(model.constraint_names[at(constraint)]);
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

std::string_view name_of(LinearSolver solver) {
  switch (solver) {
    case LinearSolver::dense:
      return "dense";
    case LinearSolver::klu:
      return "klu";
    case LinearSolver::automatic:
      break;
  }
  return "auto";
}

std::string_view name_of(IntegratorChoice integrator) {
  switch (integrator) {
    case IntegratorChoice::series:
      return "series";
    case IntegratorChoice::flow:
      return "flow";
    case IntegratorChoice::ida:
      return "ida";
    case IntegratorChoice::automatic:
      break;
  }
  return "auto";
}

void write_options(Writer& out, const Model& model, const SimulationOptions& options) {
  const ResolvedOptions resolved = resolve(model, options);
  out.begin_object();
  out.member("start", resolved.start).member("stop", resolved.stop);
  out.member("rtol", resolved.rtol).member("atol", resolved.atol);
  out.member("output_interval", resolved.output_interval);
  out.member("max_seconds", options.max_seconds);  // null: no limit
  out.member("max_events", options.max_events).member("max_candidates", options.max_candidates);
  if (!options.sensitivities.empty()) {
    out.key("sensitivities").begin_array(in_line);
    for (const ParameterDerivative& parameter : options.sensitivities) out.value(parameter.name);
    out.end_array();
  }
  out.member("sliding", options.sliding);
  out.member("integrator", name_of(options.integrator));
  out.member("linear_solver", name_of(options.linear_solver));
  out.end_object();
}

void write_statistics(Writer& out, const Trajectory& trajectory) {
  const Statistics& statistics = trajectory.statistics;
  out.begin_object();
  out.member("steps", statistics.steps).member("series_steps", statistics.series_steps);
  out.member("flow_steps", statistics.flow_steps);
  out.member("residual_evaluations", statistics.residual_evaluations);
  out.member("jacobian_evaluations", statistics.jacobian_evaluations);
  out.member("error_test_failures", statistics.error_test_failures);
  out.member("events", statistics.events).member("candidates", statistics.candidates);
  out.member("modes_visited", statistics.modes_visited);
  out.member("rows", static_cast<long>(trajectory.rows_in_all()));
  out.member("non_finite_values", trajectory.non_finite_values());
  out.member("wall_seconds", statistics.wall_seconds);
  out.end_object();
}

}  // namespace

void write_summary(Writer& out, const Model& model, const Trajectory& trajectory,
                   const SimulationOptions& options, WithExplanation explained) {
  out.begin_object();
  out.member("outcome", to_string(trajectory.outcome.kind)).member("message", trajectory.outcome.message);
  out.member("end_time", trajectory.outcome.end_time);
  if (explained == WithExplanation::yes && !trajectory.outcome.explanation.empty())
    write_explanation(out.key("explanation"), trajectory.outcome.explanation);
  write_statistics(out.key("statistics"), trajectory);
  write_accumulations(out.key("accumulations"), model, trajectory);
  out.key("warnings").begin_array();
  for (const std::string& warning : trajectory.warnings) out.value(warning);
  out.end_array();
  out.key("assertions").begin_array();
  for (const auto& [assertion, time] : trajectory.broken_assertions)
    out.begin_object(in_line)
        .member("name", assertion.name)
        .member("time", time)
        .member("level", assertion.is_error ? "error" : "warning")
        .member("message", assertion.message)
        .end_object();
  out.end_array();
  out.key("undetermined").begin_array();
  for (const int row : trajectory.undetermined) out.value(model.signature.row_name(row));
  out.end_array();
  out.key("absent").begin_array();
  for (const Absence& absence : trajectory.absences)
    out.begin_object(in_line)
        .member("signal", model.signature.row_name(absence.row))
        .member("from", absence.from)
        .member("to", absence.to)
        .end_object();
  out.end_array();
  write_options(out.key("options"), model, options);
  out.member("model", model.name).member("version", MTI_VERSION);
  out.end_object();
}

}  // namespace mti
