#include <algorithm>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/admissibility/admissibility.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/simulation/simulation.hpp"

// Where functions and quotients end: poles that a step has passed, domains that are left, crossed or entered.
namespace mti {

/// Series end before those that no divisor tells of.
std::optional<DomainEnd> Simulation::pole_in_step(double end) {
  const double begin = state_.here.t;
  const auto v = [&](double t) { return std::span(segment_.output(t, *state_.system, false)); };
  if (auto pole = poles_.in_step(begin, end, *state_.system, v)) return pole;
  if (segment_.reads_all_derivatives()) return std::nullopt;
  const auto with_rates = [&](double t) { return std::span(segment_.output(t, *state_.system, true)); };
  const auto pole = singular_.in_step(begin, end, with_rates);
  if (!pole) return std::nullopt;
  return DomainEnd{.t = pole->t, .text = signature_.row_name(pole->signal), .is_singular = true};
}

/// A step has led over a pole. What is read of it near the pole is none of the motion: it is made again, up to beside the pole,
/// or the run ends where the step began.
void Simulation::go_up_to(const DomainEnd& pole) {
  Instant& here = state_.here;
  step_.reset();
  poles_.forget();
  segment_.read(here.t, state_, here.v);
  const bool is_new = !std::exchange(pole_ahead_, pole);
  if (is_new && beside_pole() > here.t && restart_segment()) return;
  finish({OutcomeKind::left_domain, describe(pole, in_mode(signature_, here.v))});
}

double Simulation::beside_pole() const {
  return pole_ahead_ ? pole_ahead_->t - accuracy_.resolution : std::numeric_limits<double>::infinity();
}

/// What `before` led to, and what follows from there, may meet at a pole.
std::optional<DomainEnd> Simulation::pole_at_event(const std::shared_ptr<const ModeSystem>& before,
                                                   const std::vector<double>& left) const {
  const Instant& here = state_.here;
  if (!here.has_past || poles_.empty() || before == nullptr || before == state_.system) return std::nullopt;
  std::optional<Motion> ends;
  const auto slope_before = [&](int signal) -> std::optional<double> {
    if (!ends) {
      Instant arrived = here;
      arrived.v = left;
      arrived.vouched.reset();
      ends.emplace(model_, before, accuracy_, arrived);
    }
    return ends->solved() ? std::optional(ends->signal(signal, 1).value) : std::nullopt;
  };
  const auto slope_after = [&](int signal) { return std::optional(state_.motion->signal(signal, 1).value); };
  return poles_.at_event(here.t, accuracy_.resolution, {*before, left, slope_before},
                         {*state_.system, here.v, slope_after});
}

/// Many steps one after the other have been of a few roundings of the time: at a pole they would go on so for ever.
bool Simulation::stands_still(double t) {
  constexpr double few_roundings = 16.0;
  constexpr int most_steps = 100;
  const bool tiny = t - state_.here.t < few_roundings * machine_epsilon * std::abs(t);
  tiny_steps_ = tiny ? tiny_steps_ + 1 : 0;
  if (tiny_steps_ < most_steps) return false;
  tiny_steps_ = 0;
  return true;
}

std::optional<Ending> Simulation::end_of_domain() const {
  const auto end = domain_end(model_, state_.system, accuracy_, state_.here);
  return end ? std::optional(ending_at(*end)) : std::nullopt;
}

Ending Simulation::ending_at(const DomainEnd& end) const {
  return {OutcomeKind::left_domain, describe(end, in_mode(signature_, state_.here.v))};
}

/// What leaves no mode admissible at a boundary may be that a function ends there, whose argument rounding holds on the side of
/// the mode that ends. True if the run goes on, or has ended so. A function that rests at its end has nothing to do with that
/// unless it makes the motion admissible.
bool Simulation::dead_end_is_of_a_domain() {
  const auto end = domain_end(model_, state_.system, accuracy_, state_.here);
  if (comes_to_rest(Rest::stays, true) || crosses_end_of_domain() || comes_to_rest(Rest::touches, true))
    return true;
  if (!end || end->rests) return false;
  finish(ending_at(*end));
  return true;
}

/// A boundary may be where the domain of a function ends, as of sqrt(x) where x > 0: what follows may do without it, or
/// enter another domain. Once at an instant each.
bool Simulation::goes_on_from_end_of_domain() {
  const double t = state_.here.t;
  if (domain_left_at_ == t)
    return enters_domain() || comes_to_rest(Rest::stays) || comes_to_rest(Rest::touches);
  domain_left_at_ = t;
  stand_at(t, t, accuracy_.resolution);
  state_.here.vouched.reset();
  return switches_at_end() || enters_domain() || comes_to_rest(Rest::stays) || crosses_end_of_domain() ||
         comes_to_rest(Rest::touches);
}

/// A mode that does without the function follows.
bool Simulation::switches_at_end() {
  state_.here.ends_domain = true;
  const bool switches = switches_here();
  if (switches) enter_mode(EventKind::switch_mode);
  state_.here.ends_domain = false;
  return switches;
}

/// The functions at the ends of their domains stay there from here on. What only touches the end is found away from it before
/// long, on the one side or the other.
bool Simulation::comes_to_rest(Rest how, bool admissibly) {
  if (!has_ends_at_zero_) return false;
  const auto rest = motion_at_rest(model_, cache_, accuracy_, state_.here, state_.mode, how);
  if (!rest) return false;
  if (admissibly && !check_admissibility(model_, rest->shared_system(), accuracy_, state_.here).admissible())
    return false;
  const RunState moves = state_;
  state_.system = rest->shared_system();
  state_.mode = state_.system->mode;
  if (restart_segment()) return true;
  state_ = moves;
  return false;
}

/// An integrator may go on beside the end of a domain, by ever shorter steps.
bool Simulation::rests_at(double t) {
  if (!has_ends_at_zero_) return false;
  if (!may_come_to_rest(model_, *state_.system, accuracy_, segment_.output(t, *state_.system, false)))
    return false;
  const RunState goes_on = state_;
  stand_at(t, t, 0.0);
  event_resolution_ = accuracy_.resolution;  // the end is reached within ε, at any time of that
  state_.here.vouched.reset();
  if (switches_at_end() || comes_to_rest(Rest::stays)) return true;
  state_ = goes_on;
  moving_ = true;
  return false;
}

/// Beside the end of a domain, and on the way inside.
bool Simulation::gets_away_from_end() {
  if (!has_ends_at_zero_) return false;
  Motion motion(model_, state_.system, accuracy_, state_.here);
  return motion.solved() && leaves_end_at_once(model_, motion, state_.here.t) && begins_beyond(motion);
}

bool Simulation::begins_at_rest() {
  if (!has_ends_at_zero_ || std::exchange(has_begun_at_rest_, true)) return false;
  const auto rest =
      motion_that_begins_at_rest(model_, cache_, accuracy_, state_.here, state_.mode, Rest::stays);
  if (rest) state_.mode = rest->system().mode;
  return rest != nullptr;
}

/// Something moves the argument of a function that has rested up to here.
void Simulation::end_rest(double t) {
  stand_at(t, t, 0.0);
  state_.mode.resting = still_at_rest(model_, state_.mode, accuracy_, state_.here.v);
  state_.system = motion_in(model_, cache_.get(state_.mode), accuracy_, state_.here)->shared_system();
  if (restart_segment() || goes_on_from_end_of_domain()) return;
  if (auto end = end_of_domain()) return finish(*std::move(end));
  finish({OutcomeKind::solver_failure,
          "at t = " + number(t) + in_mode(signature_, state_.here.v) + " the equations have no solution"});
}

/// A motion that enters the domain of a function where its slope is infinite, as of x' = 1 − sqrt(x) from x = 0, has no step
/// of a usual length there. ẋ of the instant leads inside. Where what is open about x leaves it open through the function whether it
/// does, as of x' = 10⁻⁴ − sqrt(x), which comes to rest within ε of 0, it is what ẋ is with the function at its end.
bool Simulation::enters_domain() {
  Motion motion(model_, state_.system, accuracy_, state_.here);
  if (!motion.solved()) return false;
  const AtDomainEnds ends = at_domain_ends(model_, motion);
  if (!ends.entered.empty() && ends.kept.empty()) return begins_beyond(motion);
  const Mode held = with_ends_held(model_, cache_, accuracy_, state_.here, state_.mode);
  if (ends.kept.empty() || held.resting == state_.mode.resting) return false;
  Motion at_end(model_, cache_.get(held), accuracy_, state_.here);
  return at_end.solved() &&
         std::ranges::all_of(ends.kept, [&](std::size_t i) { return enters(model_, at_end, i); }) &&
         begins_beyond(at_end);
}

/// Of sqrt(abs(h)) both modes end where h is 0, but for rounding: beyond it the other one has a value.
bool Simulation::crosses_end_of_domain() {
  const Motion motion(model_, state_.system, accuracy_, state_.here);
  if (!motion.solved()) return false;
  const RunState stays = state_;
  const double jumped_off_at = jumped_off_at_;
  const int jumps_in_a_row = jumps_in_a_row_;
  // Several ends that lie within ε of each other are crossed at once.
  for (const double part : {0.1, 1.0, 10.0}) {
    if (!jump_off(motion, part)) break;
    if (switches_here()) {
      keep_line_from(stays.here.t, stays.here.v);
      enter_mode(EventKind::switch_mode);
      return true;
    }
    state_ = stays;
    jumped_off_at_ = jumped_off_at;
    jumps_in_a_row_ = jumps_in_a_row;
  }
  return false;
}

/// The same mode goes on a little farther along its ẋ.
bool Simulation::begins_beyond(const Motion& motion) {
  const double begin = state_.here.t;
  const std::vector<double> v = state_.here.v;
  if (!jump_off(motion) || !restart_segment()) return false;
  keep_line_from(begin, v);
  return true;
}

/// Along ẋ, by so little that no state moves by more than this part of ε: what it does to states that have nothing to do with the end
/// is nothing then. False where that has got the motion nowhere several times in a row.
bool Simulation::jump_off(const Motion& motion, double part) {
  Instant& here = state_.here;
  constexpr double roundings = 64.0 * machine_epsilon, far = 1e3;
  constexpr int most_in_a_row = 16;
  double length = accuracy_.resolution;
  for (int i = 0; i < signature_.n(); ++i) {
    const int row = signature_.state_row(i);
    const double rate = std::abs(motion.v()[at(signature_.derivative_row(i))]);
    if (rate * length > part * accuracy_.of(row, here.v[at(row)]))
      length = part * accuracy_.of(row, here.v[at(row)]) / rate;
  }
  length = std::min(std::max(length, roundings * std::abs(here.t)),
                    0.5 * (std::min(resolved_.stop, t_breakpoint_) - here.t));
  if (!(here.t + length > here.t)) return false;
  jumps_in_a_row_ = here.t - jumped_off_at_ < far * length ? jumps_in_a_row_ + 1 : 0;
  if (jumps_in_a_row_ > most_in_a_row) return false;
  for (int i = 0; i < signature_.n(); ++i)
    here.v[at(signature_.state_row(i))] += length * motion.v()[at(signature_.derivative_row(i))];
  here.t += length;
  jumped_off_at_ = here.t;
  return true;
}

}  // namespace mti
