#include "solvers/fitting/experiment_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/common/wording.hpp"
#include "solvers/run_options/output_times.hpp"

namespace mti {
namespace {

using Eigen::Index;

std::string number(double value) { return text::format_number(value, 6); }

/// Fills residuals and J of an experiment row by row, and says of which rows the derivatives are not known.
class ResidualRows {
 public:
  ResidualRows(const Trajectory& run, int rows, const Eigen::VectorXd& values)
      : run_(run), parameters_(values.size()), values_(values) {
    evaluation_.point.residuals.resize(rows);
    evaluation_.point.jacobian.resize(rows, parameters_);
  }

  /// `derivatives` has one entry for each parameter; `size` of what is measured.
  void add(double predicted, double measured, double deviation, std::span<const double> derivatives, double t,
           double noise, double size) {
    ResidualPoint& point = evaluation_.point;
    point.residuals(row_) = (predicted - measured) / deviation;
    std::vector<int> unknown;
    for (Index j = 0; j < parameters_; ++j) {
      point.jacobian(row_, j) =
          is_rounding(derivatives[at(j)], j, size) ? 0.0 : derivatives[at(j)] / deviation;
      if (!std::isfinite(point.jacobian(row_, j))) unknown.push_back(static_cast<int>(j));
    }
    if (!unknown.empty()) note(std::move(unknown), t);
    evaluation_.exact += 0.5 * (noise / deviation) * (noise / deviation);
    ++row_;
  }

  ResidualEvaluation finish() { return std::move(evaluation_); }

 private:
  /// A change of the parameter by its own size, or by 1 where a guess is closer to zero, changes nothing that a run would know: what
  /// is there is rounding of restarts.
  [[nodiscard]] bool is_rounding(double derivative, Index parameter, double size) const {
    constexpr double least = 1e-12;
    return std::abs(derivative) * std::max(1.0, std::abs(values_(parameter))) <= least * size;
  }

  void note(std::vector<int> unknown, double t) {
    std::string reason = reason_at(t, unknown.front());
    auto& notes = evaluation_.point.unknown;
    const auto known = std::ranges::find_if(
        notes, [&](const UnknownRows& rows) { return rows.parameters == unknown && rows.reason == reason; });
    UnknownRows& rows =
        known != notes.end() ? *known : notes.emplace_back(UnknownRows{{}, unknown, std::move(reason)});
    rows.rows.push_back(static_cast<int>(row_));
  }

  /// What made the derivative undefined, last of all before or at t.
  [[nodiscard]] std::string reason_at(double t, int parameter) const {
    std::string reason = "the derivative is infinite or no number";
    for (const Event& event : run_.events) {
      if (event.time > t) break;
      for (const UndefinedSensitivity& undefined : event.undefined)
        if (std::ranges::count(undefined.parameters, parameter) > 0)
          reason = undefined.reason + ", t = " + number(event.time);
    }
    return reason;
  }

  const Trajectory& run_;
  Index parameters_, row_ = 0;
  const Eigen::VectorXd& values_;  ///< of the parameters
  ResidualEvaluation evaluation_;
};

/// The last row that is at a time or so near to it that it counts as one with it; nothing where the run ends before it.
std::optional<std::size_t> row_at(const Trajectory& run, const OutputTimes& outputs, double time) {
  const std::span<const double> times = run.times();
  auto rows = static_cast<std::size_t>(std::ranges::upper_bound(times, time) - times.begin());
  // A time that coincides with an event has no row of its own; one that has is not that of the next datum.
  const bool is_there = rows > 0 && run.time(rows - 1) == time;
  while (!is_there && rows < run.size() && outputs.coincide(time, run.time(rows))) ++rows;
  if (rows == 0 || !outputs.coincide(time, run.time(rows - 1))) return std::nullopt;
  return rows - 1;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

ExperimentResiduals::ExperimentResiduals(const FitExperiment& experiment, std::vector<std::string> quantities,
                                         SimulationOptions simulation)
    : experiment_(experiment),
      quantities_(std::move(quantities)),
      simulation_(std::move(simulation)),
      asked_(with_parameters(experiment.source, quantities_)) {
  for (const MeasuredSignal& measured : experiment.signals) size_ += static_cast<int>(measured.time.size());
  for (const MeasuredEvents& measured : experiment.events) size_ += static_cast<int>(measured.time.size());
}

DifferentiatedModel ExperimentResiduals::model_at(const Eigen::VectorXd& values) const {
  Source source = asked_.source;
  for (std::size_t j = 0; j < quantities_.size(); ++j)
    for (ParameterSource& parameter : source.parameters)
      if (parameter.name == asked_.directions[j].parameter) parameter.value = values(static_cast<Index>(j));
  if (experiment_.settled) source = experiment_.settled(source);
  return build_with_derivatives(source, quantities_);
}

SimulationOptions ExperimentResiduals::options_of(const Model& model) const {
  constexpr double usual = 1e-8;
  SimulationOptions options = simulation_;
  if (!options.rtol) options.rtol = std::min(model.experiment.rtol, usual);
  if (!options.atol) options.atol = std::min(model.experiment.atol, usual);
  if (experiment_.start) options.start = experiment_.start;
  if (experiment_.stop) options.stop = experiment_.stop;
  const double start = options.start.value_or(model.experiment.start);
  std::vector<double> times = {start};
  for (const MeasuredSignal& measured : experiment_.signals)
    times.insert(times.end(), measured.time.begin(), measured.time.end());
  if (!options.stop) {
    double stop = *std::ranges::max_element(times);
    for (const MeasuredEvents& measured : experiment_.events)
      if (!measured.time.empty())
        stop = std::max(stop, measured.time.back() + 0.5 * (measured.time.back() - start));
    options.stop = stop;
  }
  times.push_back(*options.stop);
  sort_distinct(times);
  options.output_times = std::move(times);
  return options;
}

ResidualEvaluation ExperimentResiduals::refused(std::string reason) const {
  return {.kind = ResidualEvaluation::Kind::refused,
          .message = (experiment_.name.empty() ? "" : experiment_.name + ": ") + std::move(reason)};
}

ResidualEvaluation ExperimentResiduals::at(const Eigen::VectorXd& values, const Limits& limits) {
  try {
    DifferentiatedModel differentiated = model_at(values);
    SimulationOptions options = options_of(differentiated.model);
    options.sensitivities = std::move(differentiated.derivatives);
    options.stop_token = limits.stop;
    options.max_seconds = std::min(options.max_seconds, limits.seconds);
    ++runs_;
    const Trajectory run = simulate(differentiated.model, options);
    const OutcomeKind outcome = run.outcome.kind;
    if (outcome == OutcomeKind::interrupted ||
        (outcome == OutcomeKind::time_budget && options.max_seconds == limits.seconds))
      return {.kind = ResidualEvaluation::Kind::ended};
    return residuals_of(differentiated.model, run, values);
  } catch (const InvalidModel& invalid) {  // of these values: a root of a negative parameter, …
    return refused(invalid.faults().front().message);
  } catch (const InvalidOption& invalid) {
    return refused(invalid.faults().front().message);
  }
}

ResidualEvaluation ExperimentResiduals::residuals_of(const Model& model, const Trajectory& run,
                                                     const Eigen::VectorXd& values) const {
  const SimulationOptions options = options_of(model);
  const ResolvedOptions asked = resolve(model, options);
  const OutputTimes outputs(asked.output_interval, options.output_times);
  ResidualRows rows(run, size_, values);
  const auto ended = [&](double time) {
    return refused("the run ends before t = " + number(time) + ": " + to_string(run.outcome.kind) +
                   (run.outcome.message.empty() ? "" : ", " + run.outcome.message));
  };
  for (const MeasuredSignal& measured : experiment_.signals) {
    if (run.size() == 0) return ended(asked.start);
    const std::size_t column = run.column(measured.signal);
    const std::size_t first = run.sensitivities.column(measured.signal, asked_.directions.front().label);
    const double size = largest(measured.value), noise = asked.rtol * size;
    for (std::size_t k = 0; k < measured.time.size(); ++k) {
      const auto row = row_at(run, outputs, measured.time[k]);
      if (!row) return ended(measured.time[k]);
      rows.add(run.value(*row, column), measured.value[k], measured.deviation,
               run.sensitivities.row(*row).subspan(first, quantities_.size()), measured.time[k], noise, size);
    }
  }
  for (const MeasuredEvents& measured : experiment_.events) {
    const auto event = std::get<NamedEvent>(find_event(model, measured.event));
    std::vector<std::size_t> positions = positions_of(event, run.events);
    // What follows from the start values alone is at no time that could be measured.
    std::erase_if(positions, [&](std::size_t k) { return run.events[k].kind == EventKind::initial; });
    if (positions.size() < measured.time.size()) {
      if (run.outcome.kind != OutcomeKind::reached_stop) return ended(measured.time[positions.size()]);
      return refused("the run up to t = " + number(asked.stop) + " has " +
                     counted(static_cast<long>(positions.size()), "event") + " " + measured.event +
                     ", measured were " + std::to_string(measured.time.size()));
    }
    const double size = asked.stop - asked.start, noise = asked.rtol * size;
    for (std::size_t k = 0; k < measured.time.size(); ++k) {
      const Event& found = run.events[positions[k]];
      rows.add(found.time, measured.time[k], measured.deviation, found.sensitivity, found.time, noise, size);
    }
  }
  return rows.finish();
}

}  // namespace mti
