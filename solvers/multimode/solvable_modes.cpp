#include "solvers/multimode/solvable_modes.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The incidence of f against (ẋ, y) alone: x is given.
SymbolicIncidence for_given_states(SymbolicIncidence incidence, int states) {
  for (auto& row : incidence.entries) {
    for (SymbolicIncidence::Entry& entry : row)
      if (entry.signal < states) entry.present = entry.derivative;
    std::erase_if(row, [](const SymbolicIncidence::Entry& entry) { return entry.present.empty(); });
  }
  return incidence;
}

ModeSet united(const std::vector<ModeSet>& sets) {
  ModeSet all;
  for (const ModeSet& set : sets) all |= set;
  return all;
}

/// What one view of the unknowns leaves over in the modes `where`.
struct Open {
  std::vector<ModeSet> equations;  ///< of each equation: where it is in an over-determined part
  std::vector<ModeSet> signals;    ///< of each signal: where it is in an under-determined part
};

Open open_in(const SymbolicIncidence& incidence, const Considered& considered) {
  MultimodeParts parts = multimode_parts(incidence, considered, FirstMatching(incidence, considered));
  // In singular modes absent signals are listed as well.
  for (std::size_t j = 0; j < parts.absent.size(); ++j) parts.under_signals[j] |= parts.absent[j];
  return {std::move(parts.over_equations), std::move(parts.under_signals)};
}

}  // namespace

SolvableModes solvable_modes(const Model& model, long long nodes, std::span<const ModeSet> left_out) {
  const DiagramLimit limit(nodes);
  SolvableModes result{.space = ModeSpace(model, ModeSpace::Rules::followed, nodes)};
  const Considered considered = within_effort(result.space, nodes);
  const int n = model.signature.n();
  const SymbolicIncidence incidence =
      without_rows(symbolic_incidence(model.f(), model.signature, result.space), left_out);
  const auto signals = at(incidence.signals);
  result.absent = absent_signals(incidence, considered);
  std::vector<ModeSet> in_constraint(signals);
  for (const auto& row : symbolic_incidence(model.g(), model.signature, result.space).entries)
    for (const SymbolicIncidence::Entry& entry : row) in_constraint[at(entry.signal)] |= entry.present;

  Open open = open_in(for_given_states(incidence, n), considered);
  for (int i = 0; i < n; ++i) open.signals[at(i)] -= result.absent[at(i)];
  result.over_determined = united(open.equations);
  if (!model.is_discrete() && !result.over_determined.empty()) {
    // There equations may have to be differentiated.
    const ModeSet elsewhere = result.over_determined;
    const auto take = [&](std::vector<ModeSet>& sets, const std::vector<ModeSet>& others) {
      for (std::size_t i = 0; i < sets.size(); ++i) sets[i] = (sets[i] - elsewhere) | (others[i] & elsewhere);
    };
    const Open differentiated = open_in(incidence, considered);
    take(open.equations, differentiated.equations);
    take(open.signals, differentiated.signals);
    for (int i = 0; i < n; ++i) open.signals[at(i)] -= result.absent[at(i)];
    result.over_determined = united(open.equations);
  }
  for (std::size_t j = 0; j < signals; ++j)
    result.lacking |= j < at(n) ? open.signals[j] : open.signals[j] & considered(in_constraint[j]);
  result.under_determined = result.lacking - result.over_determined;
  const ModeSet unsolvable = result.unsolvable();
  for (std::size_t j = 0; j < signals; ++j)
    result.undetermined.push_back(j < at(n) ? ModeSet::none()
                                            : open.signals[j] - unsolvable - result.absent[j]);
  result.surplus = std::move(open.equations);
  result.open = std::move(open.signals);
  return result;
}

Mode mode_within(const ModeSet& set, const ModeSpace& space, const Signature& signature, Mode like) {
  std::vector<int> input_of_row(at(signature.size()), -1);
  int next = 0;
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary) input_of_row[at(signature.input_row(i))] = next++;
  const auto value_of = [&](int variable) -> char& {
    const int row = space.row_of(variable);
    const int input = input_of_row[at(row)];
    return input >= 0 ? like.binary_inputs[at(input)] : like.z[at(row - signature.binary_row(0))];
  };
  const auto walk = [&](ModeSet rest) {
    while (!rest.is_constant()) {
      const int variable = rest.variable();
      char& value = value_of(variable);
      ModeSet side = value != 0 ? rest.high() : rest.low();
      if (side.empty()) {
        value = value != 0 ? 0 : 1;
        side = value != 0 ? rest.high() : rest.low();
      }
      rest = std::move(side);
    }
  };
  const ModeSet considered = space.considered(set);
  std::vector<char> chosen(at(space.variables()), 0);
  for (const int variable : considered.support()) chosen[at(variable)] = 1;
  walk(considered);
  // Other rules share no binary with these.
  for (const ModeSet& factor : space.factors())
    if (const std::vector<int> support = factor.support();
        std::ranges::none_of(support, [&](int variable) { return chosen[at(variable)] != 0; }))
      walk(factor);
  like.pre.clear();
  for (const int binary : signature.pre()) like.pre.push_back(like.z[at(binary)]);
  return like;
}

ModeSet only_mode(const Mode& mode, const ModeSpace& space) {
  ModeSet here = ModeSet::all();
  // From the lowest variable up each step makes one node.
  for (int variable = space.variables() - 1; variable >= 0; --variable) {
    const ModeSet one = ModeSet::where(variable);
    here &= space.contains(one, mode) ? one : !one;
  }
  return here;
}

}  // namespace mti
