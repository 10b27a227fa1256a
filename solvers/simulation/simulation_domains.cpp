#include <algorithm>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/simulation/simulation.hpp"

// Where functions and quotients end: poles that a step has passed, domains that are left, crossed or entered.
namespace mti {

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

std::optional<Ending> Simulation::end_of_domain() const {
  const auto end = domain_end(model_, state_.system, accuracy_, state_.here);
  if (!end) return std::nullopt;
  return Ending{OutcomeKind::left_domain, describe(*end, in_mode(signature_, state_.here.v))};
}

/// A boundary may be where the domain of a function ends, as of sqrt(x) where x > 0: what follows may do without it, or
/// enter another domain. Once at an instant each.
bool Simulation::goes_on_from_end_of_domain() {
  const double t = state_.here.t;
  if (domain_left_at_ == t) return enters_domain();
  domain_left_at_ = t;
  stand_at(t, t, accuracy_.resolution);
  state_.here.vouched.reset();
  state_.here.ends_domain = true;
  const bool switches = switches_here();
  if (switches) enter_mode(EventKind::switch_mode);
  state_.here.ends_domain = false;
  return switches || enters_domain() || crosses_end_of_domain();
}

/// A motion that enters the domain of a function where its slope is infinite, as of x' = 1 − sqrt(x) from x = 0, has no step
/// of a usual length there. ẋ of the instant leads inside within the resolution of time.
bool Simulation::enters_domain() {
  Motion motion(model_, state_.system, accuracy_, state_.here);
  if (!motion.solved()) return false;
  const AtDomainEnds ends = at_domain_ends(model_, motion);
  return !ends.entered.empty() && ends.kept.empty() && jump_off(motion) && restart_segment();
}

/// Of sqrt(abs(h)) both modes end where h is 0, but for rounding: beyond it the other one has a value.
bool Simulation::crosses_end_of_domain() {
  const Motion motion(model_, state_.system, accuracy_, state_.here);
  RunState stays = state_;
  const double jumped_off_at = jumped_off_at_;
  if (motion.solved() && jump_off(motion) && switches_here()) {
    enter_mode(EventKind::switch_mode);
    return true;
  }
  state_ = std::move(stays);
  jumped_off_at_ = jumped_off_at;
  return false;
}

/// Along ẋ by the resolution of time. False for a motion that has hardly got away from where it last did so.
bool Simulation::jump_off(const Motion& motion) {
  Instant& here = state_.here;
  constexpr double far = 1e3;
  const double length =
      std::min(accuracy_.resolution, 0.5 * (std::min(resolved_.stop, t_breakpoint_) - here.t));
  if (!(here.t + length > here.t) || here.t - jumped_off_at_ < far * length) return false;
  for (int i = 0; i < signature_.n(); ++i)
    here.v[at(signature_.state_row(i))] += length * motion.v()[at(signature_.derivative_row(i))];
  here.t += length;
  jumped_off_at_ = here.t;
  return true;
}

}  // namespace mti
