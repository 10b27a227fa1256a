// Switches that accumulate: the run goes on at their limit.
#include <algorithm>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/blocks/larger_errors.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {

/// The constraints of the last two turns of the pattern: a turn of intervals may be half of one of surfaces.
std::vector<int> Simulation::accumulating_constraints(std::size_t period) const {
  std::vector<int> rows = recorder_.recent_constraints(2 * period);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void Simulation::note_accumulation(const ZenoDetector::Limit& limit, bool followed) {
  recorder_.add_accumulation(
      {state_.here.t, limit.ratio, limit.uncertainty, followed, accumulating_constraints(limit.period)});
}

/// The switches are lost in the errors, and what is left until they accumulate is skipped: the successor
/// problem is posed at the limit itself, on the surfaces that were met again and again, without the laws of
/// reached constraints. What the limit is uncertain by counts as zero there.
void Simulation::pass_limit(const ZenoDetector::Limit& limit) {
  Instant& here = state_.here;
  const double time = std::max(limit.time, here.t);
  if (time >= std::min(resolved_.stop, t_breakpoint_)) return;  // something else comes before it

  // Where: the states of the limit, moved onto the surfaces as far as they are uncertain or have an error anyway.
  const std::vector<int> surfaces = accumulating_constraints(limit.period);
  const Approach::Point point = approach_.at_limit(time, limit.period);
  std::vector<double> weights = point.uncertainty;
  for (int i = 0; i < signature_.n(); ++i)
    weights[at(i)] += accuracy_.of(signature_.state_row(i), point.x[at(i)]);
  std::vector<double> v = here.v;
  std::copy(point.x.begin(), point.x.end(), v.begin() + signature_.state_row(0));
  for (int i = 0; i < signature_.m(); ++i)
    if (!signature_.inputs()[at(i)].binary) v[at(signature_.input_row(i))] = here.pieces[at(i)].value(time);
  put_on_surfaces(state_.system->g, surfaces, signature_, weights, v);
  record_outputs_towards(time, v);

  const double uncertain = (time - here.t) + limit.uncertainty;
  here.t = time;
  here.time_uncertainty += uncertain;
  here.v = std::move(v);
  here.accumulates = true;
  const LargerErrors larger(accuracy_, signature_.state_row(0), point.uncertainty);

  // Which mode: that one follows at all is asked first, so that a limit without one is reported as such.
  const Successor successor = search_.find(here, state_.mode);
  if (successor.status != Successor::Status::found && successor.status != Successor::Status::step)
    return end_at_limit(limit, in_mode(signature_, here.v) + ", and no motion goes on from there: " +
                                   diagnosis(successor, state_.mode, model_));
  zeno_ = {};
  note_accumulation(limit, true);
  // Where nothing changes any more at the limit, no event of it has passed the output times up to there.
  if (enter_mode(EventKind::zeno)) record_outputs_here(time);
  gathered_ = state_.mode.slides;
}

/// Output times on the way to a limit at v: the states are no farther from the line to it than they are uncertain
/// there.
void Simulation::record_outputs_towards(double time, std::span<const double> v) {
  const Instant& here = state_.here;
  std::vector<double> between = here.v;
  const auto at_time = [&](double t) -> std::span<const double> {
    const double part = (t - here.t) / (time - here.t);
    for (int row = signature_.state_row(0); row < signature_.algebraic_row(0); ++row)
      between[at(row)] = here.v[at(row)] + part * (v[at(row)] - here.v[at(row)]);
    return between;
  };
  for (double t = outputs_.next(); outputs_.precedes(time); t = outputs_.next()) {
    recorder_.add_row(t, 0, state_.mode, at_time(t));
    outputs_.advance();
  }
  if (recorder_.keeps_dense() && time > here.t) recorder_.add_dense(here.t, time, 1, at_time);
}

/// Nothing follows, close to a limit.
void Simulation::end_at_limit(const ZenoDetector::Limit& limit, const std::string& why) {
  if (limit.time < std::min(resolved_.stop, t_breakpoint_))
    state_.here.t = std::max(state_.here.t, limit.time);
  note_accumulation(limit, false);
  finish({OutcomeKind::zeno, "switching times accumulate at t = " + number(limit.time) +
                                 " (ratio of successive intervals " + number(limit.ratio) + ")" + why});
}

}  // namespace mti
