#include "solvers/solvability/singular_modes.hpp"

#include <vector>

#include "mti/common/at.hpp"
#include "solvers/mode_sets/formula.hpp"
#include "solvers/mode_sets/mode_count.hpp"
#include "solvers/multimode/multimode_offsets.hpp"
#include "solvers/solvability/redundant_rows.hpp"

namespace mti {
namespace {

/// Names of those with a set that is not empty, the first few.
template <class Name>
std::string listed(const std::vector<ModeSet>& sets, Name name) {
  constexpr int most = 6;
  std::string text;
  int count = 0;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (!sets[i].empty() && ++count <= most) text += (text.empty() ? "" : ", ") + name(static_cast<int>(i));
  return count > most ? text + " and " + std::to_string(count - most) + " more" : text;
}

ModeSet over_determined(const MultimodeParts& parts) {
  ModeSet all;
  for (const ModeSet& set : parts.over_equations) all |= set;
  return all;
}

std::string sentence(const Model& model, const ModeSpace& space, const MultimodeParts& parts) {
  std::vector<ModeSet> considered = space.factors();
  const std::string all = count_modes(considered, space.variables());
  considered.push_back(parts.singular);
  const std::string singular = count_modes(considered, space.variables());
  const auto equation = [&](int i) { return model.equation_names[at(i)]; };
  const auto signal = [&](int j) { return model.signature.row_name(row_of_signal(model.signature, j)); };
  std::string text =
      singular + " of " + all + (all == "1" ? " mode is" : " modes are") + " structurally singular";
  if (singular != all)
    text += ", where " + formula(parts.singular, space.care_of(parts.singular),
                                 [&](int variable) { return space.name(variable); });
  if (const std::string over = listed(parts.over_equations, equation); !over.empty())
    text += "; over-determined by " + over;
  if (const std::string under = listed(parts.under_signals, signal); !under.empty())
    text += "; under-determined are " + under;
  return text;
}

}  // namespace

std::optional<std::string> warn_of_singular_modes(const Model& model) {
  constexpr long long nodes = 3'000'000;
  const DiagramLimit limit(nodes);
  try {
    const ModeSpace space(model, ModeSpace::Rules::followed, nodes);
    if (space.variables() == 0 || space.contradictory()) return std::nullopt;
    const Considered considered = within_effort(space, nodes);
    const SymbolicIncidence incidence = symbolic_incidence(model.f(), model.signature, space);
    MultimodeParts parts = multimode_parts(incidence, considered, FirstMatching(incidence, considered));
    if (parts.singular.empty()) return std::nullopt;
    // What a run leaves out makes no mode over-determined; it is warned of by itself.
    RedundantRows redundant(model, space);
    while (redundant.find_more(over_determined(parts))) {
      const SymbolicIncidence left = without_rows(incidence, redundant.left_out());
      parts = multimode_parts(left, considered, FirstMatching(left, considered));
    }
    if (parts.singular.empty()) return std::nullopt;
    return sentence(model, space, parts);
  } catch (const ModeSetTooLarge&) {
    return std::nullopt;
  }
}

}  // namespace mti
