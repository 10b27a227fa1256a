#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/multimode/mode_changes.hpp"

namespace mti {
namespace {

/// Signals, x first, then y, whose values after the instant occur in the rows of a law.
std::vector<std::vector<int>> signals_of(const Transition& law, const Signature& signature) {
  std::vector<std::vector<int>> signals(at(static_cast<int>(law.equations.Phi().rows())));
  for (int k = 0; k < law.equations.columns(); ++k)
    for (SparseColumns::InnerIterator weight(law.equations.Phi(), k); weight; ++weight)
      for (SparseColumns::InnerIterator factor(law.equations.S(), k); factor; ++factor) {
        const int row = static_cast<int>(factor.row());
        if (row < signature.state_row(0) || row >= signature.size()) continue;  // left limits come after v
        const int signal = signal_of_row(signature, row);
        if (signal >= 0) signals[at(static_cast<int>(weight.row()))].push_back(signal);
      }
  for (std::vector<int>& row : signals) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return signals;
}

/// Equations that the law puts out of force, with the modes: those named, else those with der(s) of its "s =
/// …".
std::vector<ModeSet> replaced_rows(const Transition& law, const AllModes& modes) {
  std::vector<ModeSet> replaced(modes.incidence.entries.size());
  for (const int equation : law.replaces) replaced[at(equation)] = ModeSet::all();
  if (!law.replaces.empty()) return replaced;
  for (std::size_t i = 0; i < replaced.size(); ++i)
    for (const SymbolicIncidence::Entry& entry : modes.incidence.entries[i])
      if (std::ranges::find(law.assigned, entry.signal) != law.assigned.end())
        replaced[i] |= entry.derivative;
  return replaced;
}

/// Modes that the law can lead to.
ModeSet entered_by(const Transition& law, const AllModes& modes, const Signature& signature) {
  ModeSet regular = !modes.parts.singular;
  if (law.when == Transition::When::reach) return regular;
  const ModeSet one = ModeSet::where(modes.space.variable_of(signature.binary_row(law.target)));
  if (law.when == Transition::When::risen) return regular;  // another mode may follow at the same instant
  return law.when == Transition::When::rise ? regular & one : regular - one;
}

/// Of rows that hold der(s) of the law's "s = …" those that the other signals cannot do without stay, and a state whose der is
/// in such rows alone keeps its value (restart_under_laws): behind all others, as far as they can be matched.
void add_rows_that_stay(const std::vector<ModeSet>& replaced, const ModeSet& entered, const AllModes& modes,
                        int states, ConditionalPattern& pattern, std::vector<ModeSet>& active) {
  std::vector<ModeSet> in_force(at(states));
  for (std::size_t row = 0; row < active.size(); ++row)
    for (const ConditionalPattern::Entry& entry : pattern.rows[row])
      if (entry.column < states) in_force[at(entry.column)] |= entry.where & active[row];
  for (int state = 0; state < states; ++state) {
    pattern.add_row({{state, ModeSet::all()}});
    active.push_back(entered - in_force[at(state)]);
  }
  for (std::size_t i = 0; i < replaced.size(); ++i) {
    std::vector<ConditionalPattern::Entry> entries = modes.offsets.leading.rows[i];
    for (auto& entry : entries) entry.where &= replaced[i];
    pattern.add_row(std::move(entries));
    active.push_back(modes.incidence.active[i] & entered & replaced[i]);
  }
}

LawParts parts_of(int transition, const AllModes& modes, const Model& model) {
  const Transition& law = model.transitions[at(transition)];
  const ModeSpace& space = modes.space;
  const Considered considered = within_effort(space);
  const ModeSet entered = space.considered(entered_by(law, modes, model.signature));
  const std::vector<ModeSet> replaced = replaced_rows(law, modes);

  ConditionalPattern pattern(modes.incidence.signals);
  std::vector<ModeSet> active;
  for (std::size_t i = 0; i < replaced.size(); ++i) {
    std::vector<ConditionalPattern::Entry> entries = modes.offsets.leading.rows[i];
    for (auto& entry : entries) entry.where -= replaced[i];
    pattern.add_row(std::move(entries));
    active.push_back(considered((modes.incidence.active[i] & entered) - replaced[i]));
  }
  for (const std::vector<int>& row : signals_of(law, model.signature)) {
    std::vector<ConditionalPattern::Entry> entries;
    for (const int signal : row) entries.push_back({signal, ModeSet::all()});
    pattern.add_row(std::move(entries));
    active.push_back(entered);
  }
  const std::size_t needed = active.size();
  if (law.replaces.empty())
    add_rows_that_stay(replaced, entered, modes, model.signature.n(), pattern, active);

  LawParts parts;
  parts.transition = transition;
  parts.signals.resize(at(modes.incidence.signals));
  parts.equations.resize(replaced.size());
  parts.law_equations.resize(needed - replaced.size());
  MultimodeMatching matching(pattern);
  for (std::size_t i = 0; i < active.size(); ++i) {
    const auto search = matching.match(pattern, static_cast<int>(i), active[i], considered);
    if (i >= needed) continue;
    parts.over_determined |= search.unmatched;
    for (const auto& [row, where] : search.rows)
      (at(row) < replaced.size() ? parts.equations[at(row)]
                                 : parts.law_equations[at(row) - replaced.size()]) |= where;
  }
  const auto under = matching.reached_from_free_columns(pattern, considered);
  for (std::size_t j = 0; j < parts.signals.size(); ++j) {
    // What is absent keeps its value where the law gives it none.
    const ModeSet there = entered - modes.parts.absent[j];
    parts.signals[j] = considered(under.columns[j] & there);
    parts.under_determined |= considered(matching.free(static_cast<int>(j)) & there);
  }
  return parts;
}

}  // namespace

std::vector<LawParts> law_parts(const AllModes& modes, const Model& model) {
  std::vector<LawParts> parts;
  for (std::size_t t = 0; t < model.transitions.size(); ++t)
    parts.push_back(parts_of(static_cast<int>(t), modes, model));
  return parts;
}

}  // namespace mti
