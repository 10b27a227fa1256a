#include "solvers/laws/transition_laws.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "mti/model/same_law.hpp"
#include "solvers/laws/law_balance.hpp"
#include "solvers/restart/impulse_balance.hpp"
#include "solvers/restart/position_projection.hpp"

namespace mti {
namespace {

/// Stage −1 holds impulses of ζ at most: no row of it needs to know what ζ is.
bool weights_follow(const RestartPlace& place) {
  const int first = place.model.signature.binary_row(0);
  return std::ranges::all_of(place.system.plan->blocks, [&](const SolutionBlock& block) {
    for (std::size_t j = 0; j < block.e.size(); ++j)
      if (block.unknowns[j] >= first && block.e[j] > 0) return false;
    return true;
  });
}

/// A law in a mode that slides. Before and after the instant the motion chatters from side to side, and the law acts on
/// one of them: weights ζ have no impulses, so that x⁺ is found without the surfaces. Where it lies on them within its
/// errors it is put there as any x⁻ is; the mode goes on from there only.
Restart restart_beside_surfaces(const RestartPlace& place, const DueLaws& laws, LawsOf laws_of) {
  Restart result = balance_under_laws(place, laws, Surfaces::apart);
  result.apart = true;
  if (!result.done()) return result;
  const Signature& signature = place.model.signature;
  reset_errors(place);
  for (int i = 0; i < signature.n(); ++i)  // what the law makes of the errors of x⁻
    place.series.at(signature.state_row(i), 0).error += result.dirac[at(i)].error;
  widen_errors(place);
  const std::vector<double> given = place.v;
  const Restart settled =
      settle_positions(place, -1, Metric::of_accuracy, place.system.parts->without_surfaces());
  if (!settled.done()) {
    put_back(place, given);
    if (laws_of == LawsOf::next_mode) result.failure = settled.failure;
  }
  reset_errors(place);
  return result;
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

std::vector<int> reached_anew(const std::vector<int>& reached, std::vector<int>& answered) {
  const auto is_in = [](const std::vector<int>& rows, int row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
  };
  std::erase_if(answered, [&](int row) { return !is_in(reached, row); });
  std::vector<int> anew;
  for (const int row : reached)
    if (!is_in(answered, row)) anew.push_back(row);
  return anew;
}

DueLaws change_laws(const Model& model, std::span<const char> z_before, std::span<const char> z_after) {
  DueLaws due;
  if (z_before.empty()) return due;
  for (const Transition& law : model.transitions) {
    if (!is_of_change(law)) continue;
    const auto binary = at(law.target);
    if (z_before[binary] != z_after[binary] && (z_after[binary] != 0) == (law.when == Transition::When::rise))
      add_law(due, law);
  }
  return due;
}

RisenLaws risen_laws(const Model& model, std::span<const char> z_before, std::span<const char> z_after) {
  RisenLaws risen;
  for (const Transition& law : model.transitions) {
    const auto binary = at(law.target);
    if (law.when != Transition::When::risen || z_before[binary] != 0 || z_after[binary] == 0) continue;
    if (!law.emit.empty()) risen.emitted.push_back(law.emit);
    risen.names.push_back(law.emit.empty() ? model.signature.binaries()[binary].name : law.emit);
    if (law.equations.rows() > 0 || !law.replaces.empty()) add_law(risen.due, law);
  }
  return risen;
}

bool has_risen_laws(const Model& model) {
  return std::ranges::any_of(model.transitions,
                             [](const Transition& law) { return law.when == Transition::When::risen; });
}

bool has_risen_law(const Model& model, int binary) {
  return std::ranges::any_of(model.transitions, [&](const Transition& law) {
    return law.when == Transition::When::risen && law.target == binary;
  });
}

bool holds(const Transition& law, int row) {
  for (int k = 0; k < law.equations.columns(); ++k)
    for (SparseColumns::InnerIterator factor(law.equations.S(), k); factor; ++factor)
      if (factor.row() == row) return true;
  return false;
}

void add_states(const RowMap& law, int row, const Signature& signature, std::vector<int>& states) {
  for (const RowMap::Term& term : law.terms(row))
    for (const RowMap::Factor& factor : law.factors(term.column))
      if (factor.signal >= signature.n() && factor.signal < signature.size()) states.push_back(factor.signal);
}

std::set<int> replaced_rows(const DueLaws& laws, const RowMap& f) {
  std::set<int> replaced;
  for (const Transition* law : laws) {
    replaced.insert(law->replaces.begin(), law->replaces.end());
    if (!law->replaces.empty()) continue;
    for (const int state : law->assigned)
      for (int row = 0; state >= 0 && row < f.rows(); ++row)
        for (const RowMap::Term& term : f.terms(row))
          for (const RowMap::Factor& factor : f.factors(term.column))
            if (factor.signal == state) replaced.insert(row);  // rows of S: ẋ come first
  }
  return replaced;
}

Restart restart_under_laws(const RestartPlace& place, const DueLaws& laws, LawsOf laws_of) {
  if (place.system.plan->differentiated()) {
    const SeparateParts& parts = *place.system.parts;
    Restart positions = settle_positions(place, -2, Metric::of_reactions, parts.with_surfaces);
    if (positions.done() && !parts.with_surfaces.empty())
      positions = settle_positions(place, -2, Metric::of_accuracy, parts.without_surfaces());
    if (!positions.done()) return positions;
  }
  if (place.system.sliding.empty() || !weights_follow(place))
    return balance_under_laws(place, laws, Surfaces::together);
  const std::vector<double> left = place.v;
  Restart result = restart_beside_surfaces(place, laws, laws_of);
  if (result.done() || result.failure.kind == SolveFailure::Kind::off_position) return result;
  // The mode's rows may need the surfaces to determine what jumps.
  put_back(place, left);
  return balance_under_laws(place, laws, Surfaces::together);
}

}  // namespace mti
