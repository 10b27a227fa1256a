// Switches that accumulate: the run goes on at their limit.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/polynomials/polynomial_roots.hpp"
#include "solvers/accumulation/rows_at_limit.hpp"
#include "solvers/blocks/larger_errors.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/rest/on_surfaces.hpp"
#include "solvers/rest/rest_at_limit.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {

void Simulation::note_accumulation(const Accumulations::Found& found, bool followed) {
  recorder_.add_accumulation(
      {state_.here.t, found.limit.ratio, found.limit.uncertainty, followed, found.constraints});
}

bool Simulation::goes_on(int state, const Accumulations::Found& found) {
  const Course course = course_of(*state_.motion, signature_.state_row(state));
  return approach_.goes_on(state, found.limit.period, found.constraints,
                           [&](double tau) { return value_of(course, tau); });
}

/// Without what tends to a time of its own, as well as that is known, and is independent of what tends to this limit. Nothing where the
/// event is one of those.
std::optional<Accumulations::Found> Simulation::told_apart(Accumulations::Found found) const {
  std::vector<int> apart;
  for (const auto& near : found.near) apart.push_back(near.constraint);
  const auto tends_elsewhere = [&](int row) { return std::ranges::find(apart, row) != apart.end(); };
  // What depends on what tends to the limit tends to it, too, and so on.
  const auto depends = [&](int row) {
    return std::ranges::any_of(found.constraints, [&](int other) {
      return !tends_elsewhere(other) && !approach_.are_independent(row, other);
    });
  };
  for (auto one = std::ranges::find_if(apart, depends); one != apart.end();
       one = std::ranges::find_if(apart, depends))
    apart.erase(one);
  if (apart.size() == found.constraints.size()) return found;
  const std::vector<int>& met = approach_.events().back().constraints;
  if (!met.empty() && std::ranges::all_of(met, tends_elsewhere)) return std::nullopt;
  std::erase_if(found.constraints, tends_elsewhere);
  std::erase_if(found.near, [&](const auto& near) { return tends_elsewhere(near.constraint); });
  return found;
}

/// Without constraints of states alone to all of which the events do nothing: they happened to be met in between.
Accumulations::Found Simulation::without_bystanders(const Accumulations::Found& found) {
  Accumulations::Found rest = found;
  std::erase_if(rest.constraints, [&](int row) {
    const std::vector<int> states =
        states_in(state_.system->g, std::span(&row, 1), state_.here.v, signature_);
    return !states.empty() && state_.system->has_unknowns[at(row)] == 0 &&
           std::ranges::all_of(states, [&](int state) { return goes_on(state, found); });
  });
  return rest.constraints.empty() ? found : rest;
}

/// States that take part are at the limit of their events. The others do not know of it: they go on, as the Taylor
/// coefficients of the motion from the last event on say. Where these do not reach to the limit there is nothing yet: what
/// is left becomes less with every event. Within the resolution of time states that are too fast for that follow
/// their mean rates.
std::optional<Approach::Point> Simulation::limit_of_states(const Accumulations::Found& found, double time) {
  const Instant& here = state_.here;
  const double left = time - here.t;
  std::vector<int> held = states_in(state_.system->g, found.constraints, here.v, signature_);
  std::vector<int> unchanged;
  for (int state = 0; state < signature_.n(); ++state)
    if (goes_on(state, found)) unchanged.push_back(state);
  std::erase_if(held, [&](int state) { return std::ranges::binary_search(unchanged, state); });
  const auto at_limit = [&] {
    Approach::Point at =
        approach_.at_limit(time, found.limit.uncertainty, found.limit.period, found.constraints, held);
    for (const int state : unchanged)
      if (std::ranges::find(held, state) == held.end()) {
        at.takes_part[mti::at(state)] = 0;
        at.uncertainty[mti::at(state)] = at.error[mti::at(state)] = 0.0;
      }
    return at;
  };
  Approach::Point point = at_limit();
  bool reaches = true;
  for (int i = 0; i < signature_.n(); ++i) {
    if (point.takes_part[at(i)] != 0) continue;
    const int row = signature_.state_row(i);
    if (left_open(course_of(*state_.motion, row), left) <= accuracy_.of(row, here.v[at(row)])) continue;
    reaches = false;
    held.push_back(i);
  }
  if (!reaches && left > accuracy_.resolution) return std::nullopt;
  if (!reaches) point = at_limit();
  for (int i = 0; i < signature_.n(); ++i)
    if (point.takes_part[at(i)] == 0)
      point.x[at(i)] = value_of(course_of(*state_.motion, signature_.state_row(i)), left);
  return point;
}

/// The present motion comes to a constraint once more that is met again and again, or holds something of what takes part.
/// What has stopped does not, whatever turns there were before.
bool Simulation::leads_on(const Accumulations::Found& found, const Approach::Point& point) {
  bool has_any = false;
  for (const int row : state_.system->live_constraints) {
    const std::vector<int> states =
        states_in(state_.system->g, std::span(&row, 1), state_.here.v, signature_);
    const bool by_states =
        std::ranges::any_of(states, [&](int state) { return point.takes_part[at(state)] != 0; });
    if (!by_states && !std::ranges::binary_search(found.constraints, row)) continue;
    has_any = has_any || by_states;
    for (int k = 1; k <= course_degree; ++k)
      if (const Ball c = state_.motion->constraint(row, k); c.value > c.error) return true;
  }
  return !has_any;
}

/// On the way to a limit at `time` constraints are met that hold nothing of what takes part in it.
bool Simulation::meets_others_before(double time, const Accumulations::Found& found,
                                     const Approach::Point& point) {
  const double left = time - state_.here.t;
  for (const int row : state_.system->live_constraints) {
    if (std::ranges::binary_search(found.constraints, row)) continue;
    const std::vector<int> states =
        states_in(state_.system->g, std::span(&row, 1), state_.here.v, signature_);
    if (std::ranges::any_of(states, [&](int state) { return point.takes_part[at(state)] != 0; })) continue;
    Course c{};
    for (int k = 0; k <= course_degree; ++k) c[at(k)] = state_.motion->constraint(row, k).value;
    const Ball now = state_.motion->constraint(row, 0);
    const bool has_law = !reach_laws(model_, std::span(&row, 1)).empty();
    const double level = now.value < -now.error ? -now.error : has_law ? std::max(now.value, 0.0) : now.error;
    const double resolution = machine_epsilon * std::abs(time);
    if (first_rise(c, level, 0.0, left, resolution)) return true;
  }
  return false;
}

/// What takes part in a limit crosses a boundary on its way to v there, by more than it is known: that is an event of its own.
bool Simulation::crosses_others_before(const Accumulations::Found& found, const Approach::Point& point,
                                       std::span<const double> v) {
  const RowMap& g = state_.system->g;
  const int first = signature_.state_row(0);
  return std::ranges::any_of(state_.system->live_constraints, [&](int row) {
    if (state_.system->has_unknowns[at(row)] != 0 || std::ranges::binary_search(found.constraints, row))
      return false;
    const Ball now = state_.motion->constraint(row, 0);
    double error = now.error;
    bool takes_part = false;
    g.gradient(row, v, [&](int signal, double slope) {
      if (signal < first || signal >= first + signature_.n()) return;
      takes_part = takes_part || point.takes_part[at(signal - first)] != 0;
      error += std::abs(slope) * point.error[at(signal - first)];
    });
    return takes_part && now.value < -now.error && g.value(row, v) > error;
  });
}

/// Of limits that are further apart than what is asked of times.
void Simulation::warn_of_near_limits(const Accumulations::Found& found) {
  for (const auto& [constraint, time] : found.near)
    if (std::abs(time - found.limit.time) > accuracy_.asked_of_times())
      recorder_.warn(
          "switching times of constraint " + constraint_name(model_, state_.mode, constraint) +
          " accumulate at t = " + number(time) +
          ", which this tolerance does not tell from the limit at t = " + number(found.limit.time) +
          ": the run takes both for one; a smaller atol or rtol tells them apart");
}

/// Of states that switches move on and on, however many there are.
void Simulation::warn_of_endless(const Accumulations::Found& found) {
  for (const int state : approach_.without_limit(found.limit.period, found.constraints)) {
    const int row = signature_.state_row(state);
    recorder_.warn(signature_.row_name(row) +
                   " has no limit where switching times accumulate at t = " + number(found.limit.time) +
                   ", for what these switches change it by does not become smaller: it goes on from " +
                   number(state_.here.v[at(row)]) + ", as the last of them that is seen leaves it");
  }
}

/// The switches are lost in the errors, and what is left until they accumulate is skipped. Nothing where it cannot be, or
/// something else comes before the limit, or at it.
std::optional<WayToLimit> Simulation::way_to_limit(const Accumulations::Found& every) {
  const auto of_one = told_apart(every);
  if (!of_one) return std::nullopt;
  Accumulations::Found found = without_bystanders(*of_one);
  const Instant& here = state_.here;
  const double time = std::max(found.limit.time, here.t);
  if (time >= std::min(resolved_.stop, t_breakpoint_)) return std::nullopt;
  // Where: the states of the limit, moved onto the surfaces as far as they are uncertain or have an error anyway.
  std::optional<Approach::Point> point = limit_of_states(found, time);
  if (!point || !leads_on(found, *point) || meets_others_before(time, found, *point)) return std::nullopt;
  std::vector<double> weights = point->uncertainty;
  for (int i = 0; i < signature_.n(); ++i)
    weights[at(i)] += accuracy_.of(signature_.state_row(i), point->x[at(i)]);
  std::vector<double> v = here.v;
  std::copy(point->x.begin(), point->x.end(), v.begin() + signature_.state_row(0));
  for (int i = 0; i < signature_.n(); ++i)
    if (point->takes_part[at(i)] == 0)
      v[at(signature_.derivative_row(i))] =
          slope_of(course_of(*state_.motion, signature_.state_row(i)), time - here.t);
  put_inputs(here, signature_, time, v);
  RowsAtLimit there = rows_at_limit(state_.system->g, found.constraints, signature_, accuracy_,
                                    approach_.events(), *point, v);
  if (!there.is_limit && time - here.t > accuracy_.asked_of_times()) return std::nullopt;
  if (there.is_limit && !there.rows.empty()) found.constraints = std::move(there.rows);
  put_on_surfaces(state_.system->g, found.constraints, signature_, weights, v);
  const std::vector<int> turning = rows_that_turn_back(*state_.motion, found.constraints, time - here.t);
  Instant limit = here;
  limit.t = time;
  limit.vouched.reset();
  // Laws turn rates round, be it without a slope that uses them up: those of bodies in a pile, by each other.
  std::vector<int> with_laws = turning;
  for (const int row : found.constraints)
    if (!reach_laws(model_, std::span(&row, 1)).empty()) with_laws.push_back(row);
  sort_distinct(with_laws);
  const auto rest = [&](const std::vector<int>& rows) {
    return put_to_rest({model_, state_.system, accuracy_, limit, rows, point->takes_part, weights}, v);
  };
  const bool rests = rest(with_laws) || (with_laws != turning && rest(turning));
  if (!rests && !with_laws.empty()) point->error = point->uncertainty;
  if (time - here.t > accuracy_.resolution && crosses_others_before(found, *point, v)) return std::nullopt;
  return WayToLimit{std::move(found), time, *std::move(point), std::move(weights), std::move(v), accuracy_};
}

/// The successor problem is posed at the limit itself, on the surfaces that were met again and again, without the laws of
/// reached constraints. What the limit is uncertain by counts as zero there.
void Simulation::pass_limit(const WayToLimit& way) {
  const Accumulations::Found& found = way.found;
  Instant& here = state_.here;
  record_outputs_on(way);
  keep_dense_on(way, way.time);
  warn_of_endless(found);

  // What is on the way to the limit is not told from being there; for all else it is as well known as that.
  here.t = way.time;
  here.time_uncertainty = found.limit.uncertainty + 4.0 * machine_epsilon * std::abs(way.time);
  here.v = with_equations(way.time, way.v);
  here.accumulates = true;
  here.same_instant = here.time_uncertainty;
  here.answered = found.constraints;
  const LargerErrors larger(accuracy_, signature_.state_row(0), way.point.error);

  // Which mode: that one follows at all is asked first, so that a limit without one is reported as such.
  const Successor successor = search_.find(here, state_.mode);
  if (successor.status != Successor::Status::found && successor.status != Successor::Status::step)
    return end_at_limit(found, in_mode(signature_, here.v) + ", and no motion goes on from there: " +
                                   diagnosis(successor, state_.mode, model_));
  if (const RisenLaws risen = risen_laws(model_, state_.mode.z, successor.mode.z); !risen.names.empty())
    return end_at_limit(found, in_mode(signature_, here.v) + ", and no motion goes on from there: " +
                                   risen.names.front() + " is due again and again");
  accumulations_.forget(found.constraints);
  warn_of_near_limits(found);
  note_accumulation(found, true);
  // Where nothing changes any more at the limit, no event of it has passed the output times up to there.
  const bool entered = enter_mode(EventKind::zeno);
  here.same_instant = accuracy_.same_instant();
  if (entered) record_outputs_here(way.time);
  gathered_ = state_.mode.slides;
}

/// A run that was left between an event and the limit found there goes on as one that was not. False if it pauses on the way.
bool Simulation::goes_ahead() {
  if (ahead_->time > limit_) {
    record_outputs_on(*ahead_);
    paused_at_ = limit_;
    return false;
  }
  const WayToLimit way = *std::exchange(ahead_, std::nullopt);
  const Accuracy own = std::exchange(accuracy_, way.accuracy);
  pass_limit(way);
  accuracy_ = own;
  return true;
}

/// v on the way to a limit.
std::vector<double> Simulation::values_on(const WayToLimit& way, double t) const {
  return with_equations(t, point_on(way, state_, signature_, t));
}

/// v with ẋ and y as the equations give them for its states, where they are what follows from states.
std::vector<double> Simulation::with_equations(double t, std::vector<double> v) const {
  if (!state_.system->plan->plain()) return v;
  Instant at = state_.here;
  at.t = t;
  at.v = v;
  at.vouched.reset();
  const Motion motion(model_, state_.system, accuracy_, at);
  if (!motion.solved()) return v;
  std::copy_n(motion.v().begin(), signature_.n(), v.begin());
  const auto y = signature_.algebraic_row(0);
  std::copy_n(motion.v().begin() + y, signature_.p(), v.begin() + y);
  return v;
}

/// Output times on the way, up to the end of the advance.
void Simulation::record_outputs_on(const WayToLimit& way) {
  for (double t = outputs_.next(); outputs_.precedes(way.time) && t <= limit_; t = outputs_.next()) {
    recorder_.add_row(t, 0, state_.mode, values_on(way, t));
    outputs_.advance();
  }
}

/// Nothing follows, close to a limit.
void Simulation::end_at_limit(const Accumulations::Found& found, const std::string& why) {
  const ZenoDetector::Limit& limit = found.limit;
  if (limit.time < std::min(resolved_.stop, t_breakpoint_))
    state_.here.t = std::max(state_.here.t, limit.time);
  note_accumulation(found, false);
  finish({OutcomeKind::zeno, "switching times accumulate at t = " + number(limit.time) +
                                 " (ratio of successive intervals " + number(limit.ratio) + ")" + why});
}

}  // namespace mti
