#include "solvers/admissibility/admissibility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/restart/impulse_signs.hpp"

namespace mti {
namespace {

/// Orders beyond which a motion on a boundary counts as staying there. docs/theory.md asks for
/// max(4, 1 + degrees of freedom); more than this many coefficients are below rounding anyway.
constexpr int largest_order = 24;

bool is_zero(const Ball& number) { return std::abs(number.value) <= number.error; }

/// Admissibility on a mode whose structure leaves (ẋ, y) without a unique solution.
Admissibility check_structure(const std::shared_ptr<const ModeSystem>& judged) {
  const ModeSystem& system = *judged;
  const std::vector<int>& over_determined = system.plan->over_determined;
  Admissibility verdict;
  verdict.system = judged;
  verdict.equations = system.broken_equations;
  verdict.equations.insert(verdict.equations.end(), over_determined.begin(), over_determined.end());
  verdict.constraints = system.broken_constraints;
  verdict.unknowns = over_determined.empty() ? system.ambiguous : system.plan->under_determined;
  verdict.rejection = verdict.equations.empty() ? Rejection::not_unique : Rejection::no_solution;
  return verdict;
}

enum class Side { inside, violated, rising };

/// The parabola g + g₁τ + g₂τ² rises, turns back, and its top g + g₁²/(4|g₂|) is zero within the error of g:
/// at the accuracy of the run this cannot be distinguished from touching the boundary.
bool only_touches(const Ball& g, const Ball& first, const Ball& second) {
  return second.value < -second.error &&
         g.value + first.value * first.value / (4.0 * -second.value) <= g.error;
}

/// The first number that is not zero, of a constraint that is within its error of zero.
template <class Coefficient>
Side direction_of(const Coefficient& coefficient_of, const Ball& g, double time_uncertainty, int orders,
                  int& order_used) {
  for (int k = 1; k <= orders; ++k) {
    order_used = k + 1;
    Ball coefficient = coefficient_of(k);
    if (is_zero(coefficient)) continue;
    if (coefficient.value < 0.0) return Side::inside;
    const Ball next = coefficient_of(k + 1);
    if (k == 1 && only_touches(g, coefficient, next)) return Side::inside;
    coefficient.error += (k + 1) * std::abs(next.value) * time_uncertainty;
    if (!is_zero(coefficient)) return Side::rising;
  }
  return Side::inside;
}

struct Standing {
  Side side = Side::inside;
  bool near = false;  ///< within twice its error of the boundary, or beyond
  int order = 0;      ///< highest order of Taylor coefficients that took part in the decision
};

/// Where a constraint with these Taylor coefficients stands and goes: b and c of the successor problem.
///
/// With no orders to look at, the value decides alone.
template <class Coefficient, class RateOfBeginning>
Standing standing_of(const Coefficient& coefficient, const RateOfBeginning& rate_of_beginning,
                     double time_uncertainty, int orders) {
  Ball g = coefficient(0);
  if (g.value < -2.0 * g.error && time_uncertainty == 0.0) return {};
  if (orders == 0) return {g.value > g.error ? Side::violated : Side::inside, true, 0};
  const Ball slope = coefficient(1);
  const double known = g.error, by_motion = std::abs(slope.value) * time_uncertainty;
  g.error += by_motion;
  const bool near = g.value >= -2.0 * g.error;
  // Parts that depend on the time alone: a fast motion has left its beginning behind within that time, yet where
  // it begins does not depend on it more than the motion that ends does.
  if (const double size = std::abs(g.value); size > known && size <= g.error)
    g.error = known + std::min(by_motion, rate_of_beginning() * time_uncertainty);
  if (g.value < -g.error) return {Side::inside, near, 1};
  if (g.value > g.error) return {Side::violated, near, time_uncertainty > 0.0 ? 1 : 0};
  Standing standing{Side::inside, near, 0};
  standing.side = direction_of(coefficient, g, time_uncertainty, orders, standing.order);
  return standing;
}

/// The largest number of names of each kind in a message.
constexpr std::size_t most_verdict_names = 6;

}  // namespace

namespace {

/// The restart's impulses against the constraints.
void check_impulses(const Motion& motion, Admissibility& verdict) {
  const std::vector<ImpulsivePart> parts = motion.restart().impulsive_parts();
  if (parts.empty()) return;
  for (const int row : motion.system().live_constraints) {
    const ImpulseSign sign = impulse_sign(motion.system().g, row, motion.v(), parts);
    if (sign == ImpulseSign::none || sign == ImpulseSign::allowed) continue;
    verdict.constraints.push_back(row);
    verdict.decided_at.push_back(-1);
    if (sign == ImpulseSign::forbidden) {
      verdict.rejection = Rejection::constraint_violated;
      verdict.by_impulse = true;
    } else if (verdict.rejection == Rejection::none) {
      verdict.rejection = Rejection::restart_refused;
    }
  }
}

/// Admissibility on a motion that has been posed; `candidates` are the constraints that need to be looked at.
Admissibility check_motion(const Model& model, const std::shared_ptr<const ModeSystem>& system,
                           const Instant& instant, std::shared_ptr<Motion> kept,
                           const std::vector<int>& candidates) {
  Admissibility verdict;
  verdict.system = system;
  Motion& motion = *kept;
  if (motion.status() == Motion::Status::unsolvable_structure) return check_structure(system);
  if (motion.status() != Motion::Status::solved) {
    verdict.rejection = motion.status() == Motion::Status::contradiction ? Rejection::no_solution
                        : motion.status() == Motion::Status::not_unique  ? Rejection::not_unique
                        : motion.status() == Motion::Status::refused     ? Rejection::restart_refused
                                                                         : Rejection::no_convergence;
    verdict.equations = motion.culprits();
    verdict.unknowns = motion.undetermined();
    verdict.constraints = system->broken_constraints;
    verdict.rank = motion.rank();
    verdict.off_position = motion.restart().status == Restart::Status::off_position;
    verdict.reason = describe(motion.restart(), model, system->mode);
    return verdict;
  }
  verdict.constraints = system->broken_constraints;
  verdict.decided_at.assign(verdict.constraints.size(), -1);
  if (!verdict.constraints.empty()) verdict.rejection = Rejection::constraint_violated;
  check_impulses(motion, verdict);
  const int orders = orders_of_decision(model, *system);
  for (const int row : candidates) {
    const Standing standing =
        standing_of([&](int k) { return motion.constraint(row, k); },
                    [&] { return motion.rate_of_beginning(row); }, instant.time_uncertainty, orders);
    if (standing.near) verdict.near.push_back(row);
    if (standing.side == Side::inside ||
        std::find(verdict.constraints.begin(), verdict.constraints.end(), row) != verdict.constraints.end())
      continue;
    verdict.constraints.push_back(row);
    verdict.decided_at.push_back(standing.order);
    if (standing.side == Side::violated)
      verdict.rejection = Rejection::constraint_violated;
    else if (verdict.rejection == Rejection::none)
      verdict.rejection = Rejection::constraint_rising;
  }
  verdict.motion = std::move(kept);
  return verdict;
}

/// Live constraints that may stand elsewhere than in the base: near their boundary there, frozen anew, or
/// with an unknown whose value has changed.
std::vector<int> affected_constraints(const Model& model, const SignalRows& rows, const ModeSystem& system,
                                      const Motion& motion, const Admissibility& base) {
  std::vector<int> affected = base.near;
  const auto add = [&](int signal) {
    const std::span<const int> with = rows.g.with(signal);
    affected.insert(affected.end(), with.begin(), with.end());
  };
  const Signature& signature = model.signature;
  for (int i = 0; i < signature.q(); ++i)
    if (system.mode.z[at(i)] != base.system->mode.z[at(i)]) add(signature.binary_row(i));
  for (int i = 0; i < signature.r(); ++i)
    if (system.mode.pre[at(i)] != base.system->mode.pre[at(i)]) add(signature.pre_row(i));
  for (const int unknown : motion.varied()) add(unknown);
  std::sort(affected.begin(), affected.end());
  affected.erase(std::unique(affected.begin(), affected.end()), affected.end());
  std::erase_if(affected, [&](int row) { return system.constraint_form[at(row)] != RowForm::live; });
  return affected;
}

/// The obstacle may be that numbers cancel, or that rows follow from others.
bool may_be_recombined(const Motion& motion) {
  switch (motion.status()) {
    case Motion::Status::solved:
    case Motion::Status::refused:
      return false;
    case Motion::Status::unsolvable_structure:
      return !motion.system().plan->over_determined.empty() && motion.system().broken_equations.empty();
    case Motion::Status::contradiction:
    case Motion::Status::not_unique:
    case Motion::Status::no_convergence:
      break;
  }
  return motion.restart().status != Restart::Status::off_position;
}

/// Whether recombined rows have a motion, or show which rows contradict each other, or why there is no restart.
/// Otherwise the deficiency is described better in terms of the original rows.
bool says_more(const Motion& recombined) {
  return recombined.status() == Motion::Status::solved || recombined.status() == Motion::Status::refused ||
         !recombined.system().broken_equations.empty() || !recombined.restart().done();
}

/// The motion of the original rows, or where there is none that of the recombined rows.
std::shared_ptr<Motion> or_recombined(std::shared_ptr<Motion> motion, const Model& model,
                                      const Accuracy& accuracy, const Instant& instant) {
  if (!may_be_recombined(*motion)) return motion;
  const std::shared_ptr<const ModeSystem> other = motion->system().recombined(model);
  if (!other) return motion;
  auto second = std::make_shared<Motion>(model, other, accuracy, instant);
  return says_more(*second) ? second : motion;
}

Admissibility forbidden(std::shared_ptr<const ModeSystem> system) {
  Admissibility verdict;
  if (system->entangled)
    verdict.reason = system->mode.slides.size() > SurfaceColumns::most_joined
                         ? "logic joins more than " + std::to_string(SurfaceColumns::most_joined) +
                               " surfaces in one product"
                         : "a latch would follow several surfaces, of which the one met last decides";
  verdict.rejection = Rejection::forbidden;
  verdict.system = std::move(system);
  return verdict;
}

}  // namespace

int orders_of_decision(const Model& model, const ModeSystem& system) {
  if (model.is_discrete()) return 0;
  return std::clamp(std::max(1 + model.signature.n(), 2 + system.plan->depth), 4, largest_order);
}

bool stays_inside(const std::function<Ball(int k)>& coefficient, double time_uncertainty, int orders) {
  return standing_of(
             coefficient, [] { return std::numeric_limits<double>::infinity(); }, time_uncertainty, orders)
             .side == Side::inside;
}

std::shared_ptr<Motion> motion_in(const Model& model, const std::shared_ptr<const ModeSystem>& system,
                                  const Accuracy& accuracy, const Instant& instant) {
  // What was singular at one point of a mode is singular at all of them, where rows could be recombined.
  if (const auto known = system->known_recombined()) {
    auto motion = std::make_shared<Motion>(model, known, accuracy, instant);
    if (motion->status() == Motion::Status::solved) return motion;
  }
  return or_recombined(std::make_shared<Motion>(model, system, accuracy, instant), model, accuracy, instant);
}

Admissibility check_admissibility(const Model& model, std::shared_ptr<const ModeSystem> system,
                                  const Accuracy& accuracy, const Instant& instant) {
  if (system->forbidden || system->entangled) return forbidden(std::move(system));
  auto motion = motion_in(model, system, accuracy, instant);
  system = motion->shared_system();
  return check_motion(model, system, instant, std::move(motion), system->live_constraints);
}

Admissibility check_variation(const Model& model, const SignalRows& rows,
                              std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
                              const Instant& instant, const Admissibility& base) {
  if (system->forbidden) return forbidden(std::move(system));
  auto motion = std::make_shared<Motion>(model, system, accuracy, instant, &rows, base.motion);
  motion = or_recombined(std::move(motion), model, accuracy, instant);
  system = motion->shared_system();
  const std::vector<int> affected = motion->is_variation()
                                        ? affected_constraints(model, rows, *system, *motion, base)
                                        : system->live_constraints;
  return check_motion(model, system, instant, std::move(motion), affected);
}

std::string describe(const Admissibility& verdict, const Model& model) {
  const Mode& mode = verdict.system->mode;
  std::vector<std::string> equation_list, constraint_list;
  for (const int row : verdict.equations) equation_list.push_back(equation_name(model, mode, row));
  for (const int row : verdict.constraints) constraint_list.push_back(constraint_name(model, mode, row));
  const std::string equations = name_list(equation_list, most_verdict_names),
                    constraints = name_list(constraint_list, most_verdict_names);
  std::vector<std::string> signals;
  for (const int row : verdict.unknowns) signals.push_back(model.signature.row_name(row));
  if (!verdict.reason.empty()) return verdict.reason;
  const auto [rank_found, size] = verdict.rank;
  // Rows that cancel at every point have been recombined where numbers do that; where signals would have to,
  // a signal for what they share shows their structure.
  const std::string rank = size == 0
                               ? ""
                               : " (rank " + std::to_string(rank_found) + " of " + std::to_string(size) +
                                     "; if these rows cancel at every point, introduce what they share,"
                                     " such as the current through a capacitor, as a signal)";
  switch (verdict.rejection) {
    case Rejection::none:
      return "admissible";
    case Rejection::forbidden:
      return "an invariant excludes it";
    case Rejection::no_solution:
      return "no solution of " + equations + rank +
             (signals.empty() ? "" : "; not determined: " + name_list(signals, most_verdict_names));
    case Rejection::not_unique:
      return "not determined: " + name_list(signals, most_verdict_names) +
             (equations.empty() ? "" : " by " + equations) + rank;
    case Rejection::restart_refused:
      return "the sign of different impulses multiplied with each other is not decided in " + constraints;
    case Rejection::no_convergence:
      return "no solution found of " + equations;
    case Rejection::constraint_violated:
      return "violates " + constraints + (verdict.by_impulse ? " (by an impulse)" : "");
    case Rejection::constraint_rising:
      return "leaves through " + constraints;
    case Rejection::not_attracting:
      return "slides where a side does not press on the surface of " + constraints;
  }
  return {};
}

}  // namespace mti
