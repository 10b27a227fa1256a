// Turns that tend to a limit, and what changes their law.
#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/rest/on_surfaces.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {
namespace {

/// By this part of themselves numbers are the same.
constexpr double same = 1e-6;

bool differ(double a, double b) { return std::abs(a - b) > same * (std::abs(a) + std::abs(b)); }

}  // namespace

/// To limits that are farther ahead than what is asked of times.
std::vector<int> Simulation::tending_ahead() {
  return accumulations_.tending_beyond(state_.here.t + accuracy_.asked_of_times());
}

Simulation::Turns Simulation::turns_ahead() {
  Turns turns = turns_of(tending_ahead(), state_.here, state_.mode);
  turns.arrived = rows_arrived_at();
  return turns;
}

Simulation::Turns Simulation::turns_of(std::vector<int> constraints, const Instant& instant,
                                       const Mode& mode) const {
  if (constraints.empty()) return {};
  std::vector<double> curvatures = curvatures_of(constraints, instant, mode), v = instant.v;
  put_inputs(instant, signature_, instant.t, v);
  return {.constraints = std::move(constraints), .curvatures = std::move(curvatures), .v = std::move(v)};
}

std::vector<double> Simulation::curvatures_of(std::span<const int> constraints, const Instant& instant,
                                              const Mode& mode) const {
  std::vector<double> curvatures;
  const Admissibility same_mode = search_.check_unchanged(instant, mode);
  if (same_mode.motion == nullptr) return curvatures;
  for (const int row : constraints) curvatures.push_back(same_mode.motion->constraint(row, 2).value);
  return curvatures;
}

/// Where inputs jump, or other parts switch, so may the law of turns: by what D²g is, or by what their laws hold. Those from before tell
/// nothing of the limit of those to come.
void Simulation::forget_turned(const Turns& before) {
  state_.here.arrived.insert(state_.here.arrived.end(), before.arrived.begin(), before.arrived.end());
  if (before.constraints.empty()) return;
  const Turns now = turns_of(before.constraints, state_.here, state_.mode);
  const auto is_moved = [&](const Transition& law) {
    for (int row = signature_.state_row(0); row < signature_.size(); ++row)
      if (differ(before.v[at(row)], now.v[at(row)]) && holds(law, row)) return true;
    return false;
  };
  const bool any_risen = std::ranges::any_of(model_.transitions, [&](const Transition& law) {
    return law.when == Transition::When::risen && is_moved(law);
  });
  std::vector<int> turned;
  for (std::size_t i = 0; i < before.constraints.size(); ++i) {
    const int row = before.constraints[i];
    const bool by_motion = i < std::min(now.curvatures.size(), before.curvatures.size()) &&
                           differ(now.curvatures[i], before.curvatures[i]);
    const bool by_law = std::ranges::any_of(reach_laws(model_, std::span(&row, 1)),
                                            [&](const Transition* law) { return is_moved(*law); });
    if (by_motion || by_law || any_risen) turned.push_back(row);
  }
  if (turned.empty()) return;
  accumulations_.forget(turned);
  approach_.forget(turned, [&](int constraint) { return states_with(constraint); });
}

/// States in a constraint, and those that its laws set; none where it has no laws of its own.
std::vector<int> Simulation::states_with(int constraint) const {
  const DueLaws laws = reach_laws(model_, std::span(&constraint, 1));
  if (laws.empty()) return {};
  std::vector<int> states = states_in(cache_.rows().g, std::span(&constraint, 1), state_.here.v, signature_);
  for (int i = 0; i < signature_.n(); ++i)
    if (std::ranges::any_of(laws,
                            [&](const Transition* law) { return holds(*law, signature_.state_row(i)); }))
      states.push_back(i);
  return states;
}

/// An event that met nothing of what tends to a limit, and nothing that each turn meets: what happens in each of them belongs to their law.
void Simulation::forget_turned_by(const Event& event, const Mode& before, const std::vector<double>& left) {
  std::vector<int> tending = tending_ahead();
  const auto tends = [&](int row) { return std::ranges::find(tending, row) != tending.end(); };
  const auto recurs = [&](int row) { return accumulations_.is_met_in_each_turn(row); };
  if (tending.empty() || std::ranges::any_of(event.constraints, tends) ||
      std::ranges::any_of(event.constraints, recurs))
    return;
  Instant arrived = state_.here;
  arrived.v = left;
  arrived.vouched.reset();
  forget_turned(turns_of(std::move(tending), arrived, before));
}

}  // namespace mti
