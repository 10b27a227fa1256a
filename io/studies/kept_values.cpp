#include "io/studies/kept_values.hpp"

#include <algorithm>
#include <cmath>

#include "io/results/result_columns.hpp"
#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/run_options/output_times.hpp"
#include "solvers/run_options/samples.hpp"

namespace mti {
namespace {

using Kind = KeptQuantity::Kind;

bool needs_the_whole_run(Kind kind) {
  return kind == Kind::minimum || kind == Kind::maximum || kind == Kind::integral || kind == Kind::average;
}

/// From row `row` to the next one signals go on without a jump.
bool is_stretch(const Trajectory& run, std::size_t row) {
  return row + 1 < run.size() && run.time(row) < run.time(row + 1);
}

/// max over the run of `sign` times a signal.
double greatest(const Trajectory& run, std::size_t column, double sign) {
  double result = sign * run.value(0, column);
  for (std::size_t row = 1; row < run.size(); ++row) result = std::max(result, sign * run.value(row, column));
  return run.dense.empty() ? result : std::max(result, run.dense.greatest(column, sign));
}

/// ∫ v dt; in discrete time Σ v_k Ts over the samples before the last.
double integral_of(const Trajectory& run, std::size_t column) {
  if (!run.dense.empty()) return run.dense.integral(column);
  double sum = 0.0;
  for (std::size_t row = 0; row < run.size(); ++row)
    if (is_stretch(run, row)) sum += run.value(row, column) * (run.time(row + 1) - run.time(row));
  return sum;
}

/// Where the model of a run has what a quantity is about: a model of components may have more or less in another run.
class KeptPlaces {
 public:
  KeptPlaces(const Model& model, const Trajectory& run, const ResolvedOptions& asked)
      : model_(model), run_(run), asked_(asked), outputs_(asked.start, asked.stop, asked.output_interval) {}

  [[nodiscard]] std::optional<std::size_t> column(const std::string& name) const {
    const auto found = std::ranges::find(run_.names(), name);
    if (run_.size() == 0 || found == run_.names().end()) return std::nullopt;
    return static_cast<std::size_t>(found - run_.names().begin());
  }

  /// The value after everything that happens at a time, be it a rounding later: that of the last row that coincides with
  /// it. In discrete time that of the sample before.
  [[nodiscard]] std::optional<double> value_at(std::size_t column, double time) const {
    if (run_.size() == 0) return std::nullopt;
    const bool samples = model_.is_discrete();
    if (samples) time = last_sample_until(model_, asked_.start, time);
    const auto is_same = [&](double other) {
      return samples ? std::abs(time - other) < 0.5 * model_.sample_time : outputs_.coincide(time, other);
    };
    if (time > run_.outcome.end_time && !is_same(run_.outcome.end_time)) return std::nullopt;
    const std::span<const double> times = run_.times();
    auto rows = static_cast<std::size_t>(std::ranges::upper_bound(times, time) - times.begin());
    while (rows < run_.size() && is_same(run_.time(rows))) ++rows;
    if (rows == 0) return std::nullopt;
    if (run_.dense.empty() || is_same(run_.time(rows - 1))) return run_.value(rows - 1, column);
    return run_.at(time, column, Side::right);
  }

  /// The times of the events that a quantity is about.
  [[nodiscard]] std::vector<double> times(const KeptQuantity& quantity) const {
    std::vector<double> found;
    if (const auto event = find_event(model_, EventName{quantity.event, quantity.signal}))
      for (const std::size_t k : positions_of(*event, run_.events)) found.push_back(run_.events[k].time);
    return found;
  }

 private:
  const Model& model_;
  const Trajectory& run_;
  ResolvedOptions asked_;
  OutputTimes outputs_;
};

std::optional<double> value_of(const KeptQuantity& quantity, const KeptPlaces& places,
                               const Trajectory& run) {
  const bool complete = run.outcome.kind == OutcomeKind::reached_stop;
  if (quantity.kind == Kind::event_time) {
    const std::vector<double> times = places.times(quantity);
    return at(quantity.number) <= times.size() ? std::optional(times[at(quantity.number - 1)]) : std::nullopt;
  }
  if (quantity.kind == Kind::event_count)
    return complete ? std::optional(static_cast<double>(places.times(quantity).size())) : std::nullopt;
  const auto column = places.column(quantity.signal);
  if (!column) return std::nullopt;
  if (quantity.kind == Kind::value_at) return places.value_at(*column, quantity.time);
  if (!complete) return std::nullopt;
  switch (quantity.kind) {
    case Kind::minimum:
      return -greatest(run, *column, -1.0);
    case Kind::maximum:
      return greatest(run, *column, 1.0);
    case Kind::integral:
      return integral_of(run, *column);
    case Kind::average:
      return integral_of(run, *column) / (run.time(run.size() - 1) - run.time(0));
    default:
      return run.value(run.size() - 1, *column);
  }
}

}  // namespace

SimulationOptions options_of_run(const StudyPlan& plan, const Model& model) {
  SimulationOptions options = plan.simulation;
  const bool keeps_rows = !plan.trajectories.empty();
  // A model of other factors may lack signals that the plan names.
  options.rates = keeps_rows && has_rates(chosen_columns(model, {.signals = plan.trajectories}));
  if (model.is_discrete()) {  // all samples
    options.output_interval = model.sample_time;
    return options;
  }
  if (keeps_rows || std::ranges::any_of(
                        plan.kept, [](const KeptQuantity& kept) { return needs_the_whole_run(kept.kind); })) {
    options.dense = true;
    return options;
  }
  const ResolvedOptions resolved = resolve(model, options);
  options.output_times = {resolved.start, resolved.stop};
  // A run of other factors may end before, or begin later.
  for (const KeptQuantity& kept : plan.kept)
    if (kept.kind == Kind::value_at && kept.time > resolved.start && kept.time < resolved.stop)
      options.output_times.push_back(kept.time);
  sort_distinct(options.output_times);
  return options;
}

std::vector<std::optional<double>> kept_values(const StudyPlan& plan, const Model& model,
                                               const Trajectory& run) {
  const KeptPlaces places(model, run, resolve(model, plan.simulation));
  std::vector<std::optional<double>> values;
  for (const KeptQuantity& quantity : plan.kept) {
    std::optional<double> value = value_of(quantity, places, run);
    if (value && !std::isfinite(*value)) value.reset();
    values.push_back(value);
  }
  return values;
}

RunTrajectory kept_trajectory(const StudyPlan& plan, long number, const Model& model, const Trajectory& run) {
  const ResultColumns columns(model, run, {.signals = plan.trajectories});
  RunTrajectory kept{.run = number, .names = columns.names()};
  kept.values.resize(kept.names.size());
  std::vector<double> values(kept.names.size());
  for (std::size_t row = 0; row < run.size(); ++row) {
    kept.time.push_back(run.time(row));
    kept.side.push_back(static_cast<signed char>(run.side(row)));
    columns.read(run, row, values);
    for (std::size_t column = 0; column < values.size(); ++column)
      kept.values[column].push_back(values[column]);
  }
  return kept;
}

}  // namespace mti
