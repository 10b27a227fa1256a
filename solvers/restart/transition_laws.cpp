#include "solvers/restart/transition_laws.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "solvers/restart/law_balance.hpp"
#include "solvers/restart/position_projection.hpp"

namespace mti {
namespace {

bool same_columns(const SparseColumns& a, const SparseColumns& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() && a.isApprox(b, 0.0);
}

bool same_law(const Transition& a, const Transition& b) {
  return a.replaces == b.replaces && same_columns(a.equations.S(), b.equations.S()) &&
         same_columns(a.equations.Phi(), b.equations.Phi());
}

void add_law(DueLaws& due, const Transition& law) {
  if (std::none_of(due.begin(), due.end(), [&](const Transition* other) { return same_law(*other, law); }))
    due.push_back(&law);
}

}  // namespace

DueLaws reach_laws(const Model& model, std::span<const int> constraints) {
  DueLaws due;
  for (const Transition& law : model.transitions)
    if (law.when == Transition::When::reach &&
        std::find(constraints.begin(), constraints.end(), law.target) != constraints.end())
      add_law(due, law);
  return due;
}

DueLaws change_laws(const Model& model, std::span<const char> z_before, std::span<const char> z_after) {
  DueLaws due;
  if (z_before.empty()) return due;
  for (const Transition& law : model.transitions) {
    if (law.when == Transition::When::reach) continue;
    const auto binary = at(law.target);
    if (z_before[binary] != z_after[binary] && (z_after[binary] != 0) == (law.when == Transition::When::rise))
      add_law(due, law);
  }
  return due;
}

Restart restart_under_laws(const RestartPlace& place, const DueLaws& laws) {
  if (place.system.plan->differentiated()) {
    Restart positions = settle_positions(place, -2);
    if (!positions.done()) return positions;
  }
  return balance_under_laws(place, laws);
}

}  // namespace mti
