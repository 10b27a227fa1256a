#include "solvers/multimode/jumping_states.hpp"

#include "mti/common/at.hpp"
#include "mti/lifting/continuity.hpp"
#include "solvers/mode_sets/formula.hpp"
#include "solvers/multimode/all_modes.hpp"

namespace mti {
namespace {

/// " where z1 and not z2", or nothing.
std::string modes_phrase(const ModeSpace& space, const ModeSet& set) {
  constexpr std::size_t most_terms = 5;
  const std::string text = formula(
      set, space.care_of(set), [&](int variable) { return space.name(variable); }, most_terms);
  return text == "true" ? "" : " where " + text;
}

/// Why states may jump from mode to mode; empty: they do not.
std::string reason_of_modes(const Model& model) {
  constexpr long long most_nodes_examined = 30'000'000;
  try {
    const AllModes all(model, most_nodes_examined);
    const ModeSpace& space = all.space;
    if (space.contradictory()) return "the model has no modes";
    if (const ModeSet singular = space.considered(all.parts.singular); !singular.empty())
      return "the model is structurally singular" + modes_phrase(space, singular);
    for (std::size_t i = 0; i < all.offsets.c.size(); ++i) {
      const auto& levels = all.offsets.c[i].levels;
      if (levels.empty()) continue;
      if (const ModeSet higher = space.considered(levels.front()); !higher.empty())
        return "states are tied by " + model.equation_names[i] + modes_phrase(space, higher);
    }
    for (int state = 0; state < model.signature.n(); ++state) {
      const ModeSet still =
          space.considered(all.offsets.d[at(state)].equals(0) | all.parts.absent[at(state)]);
      if (!still.empty())
        return "no equation gives der(" + model.signature.states()[at(state)].name + ")" +
               modes_phrase(space, still);
    }
    return {};
  } catch (const ModeSetTooLarge&) {
    return "the modes are too many to look at all of them";
  }
}

/// The states whose new value a law has something to say about.
void add_laws(const Model& model, std::vector<std::string>& reasons) {
  const Signature& signature = model.signature;
  for (const Transition& law : model.transitions) {
    const SparseColumns& S = law.equations.S();
    for (int column = 0; column < S.outerSize(); ++column)
      for (SparseColumns::InnerIterator factor(S, column); factor; ++factor) {
        const int row = static_cast<int>(factor.row());
        if (row >= 2 * signature.n()) continue;
        const int state = row < signature.n() ? row : row - signature.n();
        reasons[at(state)] = "a transition law sets " + signature.states()[at(state)].name;
      }
  }
}

}  // namespace

std::vector<std::string> jumping_states(const Model& model) {
  std::string reason;
  if (model.is_discrete())
    reason = "states change from sample to sample";
  else if (!has_one_smooth_mode(model))
    reason = reason_of_modes(model);
  std::vector<std::string> reasons(at(model.signature.n()), reason);
  add_laws(model, reasons);
  return reasons;
}

}  // namespace mti
