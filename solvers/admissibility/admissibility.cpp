#include "solvers/admissibility/admissibility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/common/wording.hpp"
#include "solvers/admissibility/impulse_verdict.hpp"
#include "solvers/admissibility/met_later.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/motion/domain_end.hpp"

namespace mti {
namespace {

/// Orders beyond which a motion on a boundary counts as staying there. docs/theory.md asks for
/// max(4, 1 + degrees of freedom); more than this many coefficients are below rounding anyway.
constexpr int largest_order = 24;

bool is_zero(const Ball& number) { return std::abs(number.value) <= number.error; }

/// Without a motion there is nothing to look at but why.
Rejection rejection_of(const SolveFailure& failure) {
  switch (failure.kind) {
    case SolveFailure::Kind::none:
      return Rejection::none;
    case SolveFailure::Kind::structure:
      return failure.equations.empty() ? Rejection::not_unique : Rejection::no_solution;
    case SolveFailure::Kind::contradiction:
    case SolveFailure::Kind::off_position:
      return Rejection::no_solution;
    case SolveFailure::Kind::not_unique:
      return Rejection::not_unique;
    case SolveFailure::Kind::jumping_coefficient:
    case SolveFailure::Kind::product_of_impulses:
      return Rejection::restart_refused;
    case SolveFailure::Kind::singular:
    case SolveFailure::Kind::no_convergence:
    case SolveFailure::Kind::not_finite:
      break;
  }
  return Rejection::no_convergence;
}

enum class Side { inside, violated, rising };

/// The parabola g + g₁τ + g₂τ² rises, turns back, and its top g + g₁²/(4|g₂|) is zero within the error of g:
/// at the accuracy of the run this cannot be distinguished from touching the boundary.
bool only_touches(const Ball& g, const Ball& first, const Ball& second) {
  return second.value < -second.error &&
         g.value + first.value * first.value / (4.0 * -second.value) <= g.error;
}

/// c: the first number of Dg, D²g, … that is not zero, of a constraint that is within its error of zero. For small
/// τ > 0 the value g(t₀ + τ) = g_k τ^k + O(τ^(k+1)) has the sign of g_k = D^k g / k!. A motion that all orders leave at
/// zero stays on the boundary, which is inside. A hump behind which what a `when` waits for has been false is none that only touches:
/// without it that would not become true anew.
template <class Coefficient>
Side direction_of(const Coefficient& coefficient_of, const Ball& g, double time_uncertainty, int orders,
                  bool may_touch, int& order_used, bool& is_open) {
  for (int k = 1; k <= orders; ++k) {
    order_used = k + 1;
    Ball coefficient = coefficient_of(k);
    if (is_zero(coefficient)) continue;
    if (coefficient.value < 0.0) return Side::inside;
    const Ball next = coefficient_of(k + 1);
    if (k == 1 && may_touch && only_touches(g, coefficient, next)) return Side::inside;
    // The instant is known to δt only, and g_k(t₀ + δt) = g_k + (k + 1) g_{k+1} δt + …: a rise that may be none at the
    // true instant is left to the next order. A fall needs no such care, for it turns nothing down.
    coefficient.error += (k + 1) * std::abs(next.value) * time_uncertainty;
    if (!is_zero(coefficient)) return Side::rising;
  }
  is_open = true;
  return Side::inside;
}

struct Standing {
  Side side = Side::inside;
  bool near = false;     ///< within twice its error of the boundary, or beyond
  int order = 0;         ///< highest order of Taylor coefficients that took part in the decision
  bool is_open = false;  ///< inside, since no order stands clear of its error
};

/// Where a constraint with these Taylor coefficients stands and goes: b and c of the successor problem.
///
///     g < −ε              inside, whatever its derivatives are
///     g >  ε              violated
///     |g| ≤ ε             the first non-zero of Dg, D²g, … decides
///
/// with ε = (what the signals leave open) + |Dg|·δt. With no orders to look at, the value decides alone.
template <class Coefficient, class RateOfBeginning>
Standing standing_of(const Coefficient& coefficient, const RateOfBeginning& rate_of_beginning,
                     double time_uncertainty, int orders, bool may_touch = true) {
  Ball g = coefficient(0);
  // Nothing else can bring it back to zero; most rows end here, and no derivative is computed for them.
  if (g.value < -2.0 * g.error && time_uncertainty == 0.0) return {};
  if (orders == 0) return {g.value > g.error ? Side::violated : Side::inside, true, 0};
  const Ball slope = coefficient(1);
  const double known = g.error,
               by_motion = time_uncertainty > 0.0 ? std::abs(slope.value) * time_uncertainty : 0.0;
  g.error += by_motion;
  const bool near = g.value >= -2.0 * g.error;
  // Parts that depend on the time alone: a fast motion has left its beginning behind within that time, yet where
  // it begins does not depend on it more than the motion that ends does.
  if (const double size = std::abs(g.value); size > known && size <= g.error)
    g.error = known + std::min(by_motion, rate_of_beginning() * time_uncertainty);
  if (g.value < -g.error) return {Side::inside, near, 1};
  if (g.value > g.error) return {Side::violated, near, time_uncertainty > 0.0 ? 1 : 0};
  Standing standing{Side::inside, near, 0};
  standing.side =
      direction_of(coefficient, g, time_uncertainty, orders, may_touch, standing.order, standing.is_open);
  return standing;
}

/// The same for a constraint of a mode along its motion. Where fast states relax the motion is known from then on: a row
/// that is outside on the slow motion, and inside by the time at which they have relaxed, has never been outside; of one that
/// no state held quasi-steady moves there it may be true only as far as the motion that ends would have brought it by then.
Standing standing_in(const Model& model, const Instant& instant, Motion& motion, int row, int orders) {
  const bool may_touch = !waited_for(model, instant, row).becomes_false;
  const Standing standing =
      standing_of([&](int k) { return motion.constraint(row, k); },
                  [&] { return motion.rate_of_beginning(row); }, instant.time_uncertainty, orders, may_touch);
  if (standing.side == Side::rising && is_met_later(model, instant, motion, row))
    return {Side::inside, true, standing.order};
  if (standing.side != Side::violated || motion.relaxation() == 0.0 || orders == 0) return standing;
  const Ball g = motion.constraint(row, 0), slope = motion.constraint(row, 1);
  if (!(slope.value < -slope.error)) return standing;
  const double within = motion.relaxation();
  const bool falls_at_once =
      g.value <= -slope.value * within &&
      (within <= motion.held_duration() || g.value <= g.error + motion.rate_of_beginning(row) * within);
  return falls_at_once ? Standing{Side::inside, true, 2} : standing;
}

/// The largest number of names of each kind in a message.
constexpr std::size_t most_verdict_names = 6;

/// A binary that slides lies between 0 and 1. One that is known to no less than that is not determined: its surface depends on
/// it by rounding alone.
SolveFailure undetermined_slides(Motion& motion) {
  constexpr double whole_range = 1.0;
  SolveFailure failure;
  for (const int row : motion.system().sliding)
    if (!(motion.signal(row, 0).error < whole_range)) failure.signals.push_back(row);
  if (!failure.signals.empty()) failure.kind = SolveFailure::Kind::not_unique;
  return failure;
}

/// Admissibility on a motion that has been posed; `candidates` are the constraints that need to be looked at.
Admissibility check_motion(const Model& model, const std::shared_ptr<const ModeSystem>& system,
                           const Instant& instant, std::shared_ptr<Motion> kept,
                           const std::vector<int>& candidates) {
  Admissibility verdict;
  verdict.system = system;
  Motion& motion = *kept;
  verdict.failure = motion.solved() ? undetermined_slides(motion) : motion.failure();
  if (verdict.failure) {
    verdict.rejection = rejection_of(verdict.failure);
    verdict.constraints = system->broken_constraints;
    if (verdict.rejection == Rejection::restart_refused)
      turn_down_by_impulses(motion, model.signature.n(), verdict);
    return verdict;
  }
  if (instant.ends_domain) {
    const std::vector<std::size_t> stayed = at_domain_ends(model, motion).kept;
    if (!stayed.empty()) {
      verdict.failure = at_end_of(model.function_texts[stayed.front()], motion.system());
      verdict.rejection = Rejection::no_solution;
      return verdict;
    }
  }
  // b for rows that the mode makes numbers, then the impulses on the way to x⁺, then b and c at x⁺. A row that is
  // broken twice is listed once, by what came first.
  verdict.constraints = system->broken_constraints;
  verdict.decided_at.assign(verdict.constraints.size(), -1);
  if (!verdict.constraints.empty()) verdict.rejection = Rejection::constraint_violated;
  const std::vector<int> passing = check_impulses(motion, instant, model.signature, verdict);
  const int orders = orders_of_decision(model, *system);
  for (const int row : candidates) {
    const Standing standing = standing_in(model, instant, motion, row, orders);
    if (standing.near) verdict.near.push_back(row);
    if (standing.near && standing.side == Side::inside && orders > 0)
      verdict.doubt = std::max(
          verdict.doubt, doubt_of(model.signature, motion, row, instant.time_uncertainty, standing.is_open));
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
  verdict.only_impulses_pass =
      !verdict.constraints.empty() && verdict.rejection != Rejection::restart_refused &&
      std::ranges::all_of(verdict.constraints, [&](int row) { return std::ranges::count(passing, row) > 0; });
  verdict.motion = std::move(kept);
  return verdict;
}

/// Live constraints that may stand elsewhere than in the base: near their boundary there, frozen anew, or
/// with an unknown whose value has changed. Any other row has the value that it has in the base, where it is clearly
/// inside (g < −2ε); so it is inside here as well.
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
  switch (motion.failure().kind) {
    case SolveFailure::Kind::none:
    case SolveFailure::Kind::off_position:
    case SolveFailure::Kind::jumping_coefficient:
    case SolveFailure::Kind::product_of_impulses:
    case SolveFailure::Kind::not_finite:
      return false;
    case SolveFailure::Kind::structure:
      return !motion.system().plan->over_determined.empty() && motion.system().broken_equations.empty();
    case SolveFailure::Kind::singular:
    case SolveFailure::Kind::contradiction:
    case SolveFailure::Kind::not_unique:
    case SolveFailure::Kind::no_convergence:
      break;
  }
  return true;
}

/// Whether recombined rows have a motion, or show which rows contradict each other, or why there is no restart.
/// Otherwise the deficiency is described better in terms of the original rows.
bool says_more(const Motion& recombined) {
  return recombined.solved() || !recombined.system().broken_equations.empty() ||
         recombined.failure().stage == SolveFailure::Stage::restart;
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
  // Where g, Dg, …, Dⁿg vanish along a linear motion of n states under constant inputs, all further derivatives do
  // (Cayley and Hamilton). In a mode of higher index hidden constraints fix as many derivatives as the plan takes, and
  // the first that is free comes behind them.
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
    if (motion->solved()) return motion;
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

/// An impulse may have no sign in some other constraint, which refuses the restart; and a constraint that the variation
/// does not affect is not looked at.
bool is_excluded_by(const Model& model, const SignalRows& rows,
                    const std::shared_ptr<const ModeSystem>& system, const Accuracy& accuracy,
                    const Instant& instant, const Admissibility& base, int constraint) {
  return system->forbidden ||
         orders_that_exclude(model, rows, system, accuracy, instant, base, std::span(&constraint, 1))[0] >= 0;
}

std::vector<int> orders_that_exclude(const Model& model, const SignalRows& rows,
                                     const std::shared_ptr<const ModeSystem>& system,
                                     const Accuracy& accuracy, const Instant& instant,
                                     const Admissibility& base, std::span<const int> constraints) {
  std::vector<int> orders(constraints.size(), -1);
  const auto is_live = [&](int row) { return system->constraint_form[at(row)] == RowForm::live; };
  if (system->forbidden || std::ranges::none_of(constraints, is_live)) return orders;
  Motion motion(model, system, accuracy, instant, &rows, base.motion);
  if (!motion.solved() || !motion.restart().impulsive_parts().empty()) return orders;
  const std::vector<int> affected = motion.is_variation()
                                        ? affected_constraints(model, rows, *system, motion, base)
                                        : system->live_constraints;
  const int most = orders_of_decision(model, *system);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (!is_live(constraints[i]) || !std::ranges::binary_search(affected, constraints[i])) continue;
    const Standing standing = standing_in(model, instant, motion, constraints[i], most);
    if (standing.side != Side::inside) orders[i] = standing.order;
  }
  return orders;
}

std::string describe(const Admissibility& verdict, const Model& model) {
  const Mode& mode = verdict.system->mode;
  if (verdict.failure) return describe(verdict.failure, model, mode);
  if (!verdict.reason.empty()) return verdict.reason;
  std::vector<std::string> names;
  for (const int row : verdict.constraints) names.push_back(constraint_name(model, mode, row));
  const std::string constraints = name_list(names, most_verdict_names);
  switch (verdict.rejection) {
    case Rejection::none:
      return "admissible";
    case Rejection::forbidden:
      return "an invariant excludes it";
    case Rejection::restart_refused:
      return "the sign of different impulses multiplied with each other is not decided in " + constraints;
    case Rejection::constraint_violated:
      return "violates " + constraints + (verdict.by_impulse ? " (by an impulse)" : "");
    case Rejection::constraint_rising:
      return "leaves through " + constraints;
    case Rejection::not_attracting:
      return "slides where a side does not press on the surface of " + constraints;
    case Rejection::no_solution:
    case Rejection::not_unique:
    case Rejection::no_convergence:
      break;  // these have a failure
  }
  return {};
}

}  // namespace mti
