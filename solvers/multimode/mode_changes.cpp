#include "solvers/multimode/mode_changes.hpp"

#include <deque>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

ModeSet moved(const ModeSet& set, const ModeSpace& space, int offset) {
  if (set.is_constant()) return set;
  std::vector<int> places;
  for (int variable = 0; variable < space.variables(); ++variable) places.push_back(2 * variable + offset);
  return set.renamed(places);
}

/// Pairs of modes that are considered and asked for.
class Pairs {
 public:
  Pairs(const ModeSpace& space, const ModeSet& before, const ModeSet& after)
      : considered_(of_both(space)), asked_(of_before(before, space) & of_after(after, space)) {}

  [[nodiscard]] ModeSet considered(const ModeSet& set) const {
    const ModeSet asked = set & asked_;
    return asked & considered_.met_by(asked);
  }

 private:
  static IndependentSets of_both(const ModeSpace& space) {
    std::vector<ModeSet> sets;
    for (const ModeSet& factor : space.factors()) {
      sets.push_back(of_before(factor, space));
      sets.push_back(of_after(factor, space));
    }
    return IndependentSets(std::move(sets));
  }

  IndependentSets considered_;
  ModeSet asked_;
};

}  // namespace

ModeSet of_before(const ModeSet& set, const ModeSpace& space) { return moved(set, space, 0); }
ModeSet of_after(const ModeSet& set, const ModeSpace& space) { return moved(set, space, 1); }

ModeChanges mode_changes(const AllModes& modes, const Model& model, const ModeSet& before,
                         const ModeSet& after) {
  const ModeSpace& space = modes.space;
  const ModeSet& singular = modes.parts.singular;
  const Pairs pairs(space, before - singular, after - singular);
  const ConditionalGraph& graph = modes.graph;

  ModeChanges changes;
  std::vector<char> differentiated;  // somewhere
  for (const ModeNumber& c : modes.offsets.c) differentiated.push_back(c.levels.empty() ? 0 : 1);
  const std::vector<ModeSet> changed = changed_rows(model.f(), space, differentiated);
  for (std::size_t i = 0; i < changed.size(); ++i)
    changes.new_rows.push_back(
        differentiated[i] == 0
            ? ModeSet::none()
            : pairs.considered(of_after(modes.offsets.c[i].levels.front(), space) & changed[i]));

  // From the blocks with new rows along the edges of z' to all that take something from them.
  std::vector<ModeSet> disturbed(graph.blocks.size());
  std::vector<std::vector<std::pair<int, ModeSet>>> users(graph.blocks.size());
  for (const ConditionalEdge& edge : graph.edges)
    users[at(edge.from)].emplace_back(edge.block, of_after(edge.where, space));
  std::deque<std::pair<int, ModeSet>> open;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    ModeSet anew;
    for (const int equation : graph.blocks[b].equations) anew |= changes.new_rows[at(equation)];
    if (anew.empty()) continue;
    anew = pairs.considered(anew & of_after(graph.blocks[b].where, space));
    disturbed[b] = anew;
    if (!anew.empty()) open.emplace_back(static_cast<int>(b), std::move(anew));
  }
  while (!open.empty()) {
    const auto [block, where] = std::move(open.front());
    open.pop_front();
    for (const auto& [user, edge] : users[at(block)]) {
      ModeSet fresh = pairs.considered((where & edge) - disturbed[at(user)]);
      if (fresh.empty()) continue;
      disturbed[at(user)] |= fresh;
      open.emplace_back(user, std::move(fresh));
    }
  }

  const auto signals = at(modes.incidence.signals);
  const int n = model.signature.n();
  changes.jumps.resize(signals);
  changes.impulses.resize(signals);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    if (disturbed[b].empty()) continue;
    for (const int signal : graph.blocks[b].signals) {
      const ModeNumber& d = modes.offsets.d[at(signal)];
      changes.impulses[at(signal)] |= pairs.considered(disturbed[b] & of_after(d.equals(0), space));
      if (signal < n)
        changes.jumps[at(signal)] |= pairs.considered(disturbed[b] & of_after(d.equals(1), space));
    }
  }
  std::vector<ModeSet> has_derivative(at(n));
  for (const auto& row : modes.incidence.entries)
    for (const SymbolicIncidence::Entry& entry : row)
      if (entry.signal < n) has_derivative[at(entry.signal)] |= entry.derivative;
  for (int state = 0; state < n; ++state) {
    const ModeSet keeps = has_derivative[at(state)] | modes.parts.absent[at(state)];
    changes.jumps[at(state)] |= pairs.considered(of_before(keeps, space) - of_after(keeps, space));
  }
  for (const ModeSet& set : changes.jumps) changes.any_jump |= set;
  for (const ModeSet& set : changes.impulses) changes.any_impulse |= set;
  return changes;
}

}  // namespace mti
