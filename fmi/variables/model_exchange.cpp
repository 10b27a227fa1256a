#include "fmi/variables/model_exchange.hpp"

#include "mti/common/at.hpp"
#include "solvers/mode_sets/formula.hpp"
#include "solvers/multimode/all_modes.hpp"

namespace mti::fmi {
namespace {

std::string equation_of(const Model& model, int row) { return model.equation_names[at(row)]; }

}  // namespace

std::string modes_text(const ModeSpace& space, const ModeSet& set) {
  const ModeSet care = space.care_of(set);
  const std::string text = formula(
      set, care, [&](int variable) { return space.name(variable); }, 5);
  return text == "true" ? "" : " in the modes where " + text;
}

std::optional<std::string> why_singular(const Model& model, const AllModes& all) {
  const ModeSpace& space = all.space;
  if (space.contradictory()) return "it has no modes";
  const ModeSet singular = space.considered(all.parts.singular);
  if (singular.empty()) return std::nullopt;
  for (std::size_t i = 0; i < all.parts.over_equations.size(); ++i)
    if (const ModeSet over = space.considered(all.parts.over_equations[i]); !over.empty())
      return "equation " + equation_of(model, static_cast<int>(i)) + " belongs to an over-determined part" +
             modes_text(space, over);
  return "it is structurally singular" + modes_text(space, singular);
}

std::optional<std::string> why_no_model_exchange(const Model& model) {
  if (model.is_discrete()) return "its time is discrete";
  try {
    const AllModes all(model, most_nodes_looked_at);
    const ModeSpace& space = all.space;
    if (auto why = why_singular(model, all)) return why;
    for (std::size_t i = 0; i < all.offsets.c.size(); ++i)
      if (!all.offsets.c[i].levels.empty())
        if (const ModeSet higher = space.considered(all.offsets.c[i].levels.front()); !higher.empty())
          return "equation " + equation_of(model, static_cast<int>(i)) +
                 " has to be differentiated (index above 1)" + modes_text(space, higher);
    for (int state = 0; state < model.signature.n(); ++state) {
      const ModeSet still =
          space.considered(all.offsets.d[at(state)].equals(0) | all.parts.absent[at(state)]);
      if (!still.empty())
        return "no equation gives the derivative of " + model.signature.states()[at(state)].name +
               modes_text(space, still);
    }
    return std::nullopt;
  } catch (const ModeSetTooLarge&) {
    return "its modes are too many to look at all of them";
  }
}

}  // namespace mti::fmi
