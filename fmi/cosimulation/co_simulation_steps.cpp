#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "fmi/cosimulation/co_simulation.hpp"
#include "mti/common/number.hpp"

// Steps: up to where they were asked for, to an event, or to where the importer ends them from within.

namespace mti::fmi {
namespace {

/// The distance from |t| to the next larger number.
double last_digit_of(double t) {
  return std::nextafter(std::abs(t), std::numeric_limits<double>::infinity()) - std::abs(t);
}

/// The first of start + k·interval beyond t; a point that t differs from by roundings alone is passed.
double next_on_grid(double t, double start, double interval) {
  constexpr double roundings = 1e-9;
  return start + (std::floor((t - start) / interval + roundings) + 1.0) * interval;
}

}  // namespace

/// Importers add step sizes h, or multiply them, or count in decimal digits of a step. With u the last digit of the largest
/// time and k = |t − t_start|/h steps, of which each rounds a sum once, two such times are the same where
///
///     |a − b| ≤ max(4 u,  10⁻⁶ h,  min(k u, h/2))
///
/// as each of two sums is off by k u/2 at most, and never by half a step.
bool CoSimulation::is_same_time(double a, double b, double size) const {
  constexpr double roundings = 4.0, digits = 1e-6;
  const double start = now_.experiment.start;
  const double last_digit = last_digit_of(std::max({std::abs(a), std::abs(b), std::abs(start)}));
  const double steps = std::max(std::abs(a - start), std::abs(b - start)) / size;
  return std::abs(a - b) <=
         std::max({roundings * last_digit, digits * size, std::min(steps * last_digit, 0.5 * size)});
}

double CoSimulation::next_sample() const {
  return next_on_grid(now_.time, now_.experiment.start, fmu_->model.sample_time);
}

std::optional<double> CoSimulation::sample_up_to(double goal, double size) const {
  if (!is_sampled_in_event_mode()) return std::nullopt;
  const double sample = next_sample();
  return sample < goal || is_same_time(sample, goal, size) ? std::optional(sample) : std::nullopt;
}

StepEnd CoSimulation::take_sample() {
  return std::exchange(now_.ticks, false) && run_->time() < now_.time ? run_->advance(now_.time)
                                                                      : run_->settle();
}

/// In continuous time the rows of a result by default, as a step of the run may be as long as it likes; none where times do not
/// tell them apart.
double CoSimulation::next_intermediate_point(double least) const {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (!use_.intermediate_update) return none;
  const Model& model = fmu_->model;
  const double interval = model.is_discrete() ? model.sample_time : resolve(model, {}).output_interval;
  const double point = next_on_grid(now_.time, now_.experiment.start, std::max(interval, least));
  return point > now_.time ? point : none;
}

std::optional<double> CoSimulation::tell_intermediate_point() {
  const Phase phase = std::exchange(now_.phase, Phase::intermediate);
  const std::optional<double> asked = use_.intermediate_update(now_.time);
  now_.phase = phase;
  return use_.early_return ? asked : std::nullopt;
}

StepEnd CoSimulation::go_on(double& goal) {
  constexpr double most_points = 1e5;  // of one step
  const double least = (goal - now_.time) / most_points;
  for (;;) {
    const double point = next_intermediate_point(least);
    keeps_left_limits_ = use_.event_mode;
    const StepEnd end = run_->advance(std::min(point, goal));
    keeps_left_limits_ = false;
    now_.time = run_->time();
    if (end != StepEnd::reached || now_.time >= goal) return end;
    if (const auto asked = tell_intermediate_point(); asked && *asked < goal)
      goal = std::max(*asked, now_.time);
    if (now_.time >= goal) return StepEnd::reached;
  }
}

StepReport CoSimulation::do_step(double time, double size) {
  if (!(size > 0.0) || !std::isfinite(size))
    throw Refused("expected a step size above zero, found " + text::format_number(size));
  if (!is_same_time(time, now_.time, size))
    throw Refused("the step begins at " + text::format_number(time) + ", and the instance stands at " +
                  text::format_number(now_.time));
  const auto& stop = now_.experiment.stop;
  if (stop && time + size > *stop && !is_same_time(time + size, *stop, size))
    throw Refused("the step ends at " + text::format_number(time + size) + ", beyond the stop time " +
                  text::format_number(*stop));
  const double asked = std::max(time + size, now_.time);
  double goal = asked;
  now_.shown.reset();
  inputs_are_new_ = false;
  StepEnd begun = extend_horizon(goal);
  StepReport report;
  for (;;) {
    const StepEnd decided = std::exchange(begun, StepEnd::reached);
    const bool is_decided = decided != StepEnd::reached;
    const std::optional<double> sample = is_decided ? std::nullopt : sample_up_to(goal, size);
    if (sample) {
      now_.time = *sample;
      now_.ticks = true;
      const bool is_last = *sample >= goal || is_same_time(*sample, goal, size);
      report.event = use_.early_return || is_last;
      report.early = !is_last;
      if (report.event) break;
    }
    const StepEnd end = is_decided ? decided : sample ? take_sample() : go_on(goal);
    if (end == StepEnd::event && !is_decided) tell_event();
    if (tell_assertions()) report.status = Status::warning;
    if (end == StepEnd::ended) {
      report.status = std::max(report.status, tell_end());
      report.ended = true;
    }
    report.early = now_.time < asked;
    report.event =
        end == StepEnd::event && !sample && use_.event_mode && (use_.early_return || now_.time >= goal);
    if (report.ended || report.event || (end == StepEnd::reached && !sample)) break;
    now_.shown.reset();
  }
  if (report.ended) now_.shown.reset();
  report.time = now_.time;
  return report;
}

}  // namespace mti::fmi
