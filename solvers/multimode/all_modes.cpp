#include "solvers/multimode/all_modes.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

int value_in(const ModeNumber& number, const std::function<bool(const ModeSet&)>& in_mode) {
  return static_cast<int>(std::ranges::count_if(number.levels, in_mode));
}

}  // namespace

AllModes::AllModes(ModeSpace space_, SymbolicIncidence incidence_, MultimodeParts parts_,
                   MultimodeOffsets offsets_, ConditionalGraph graph_)
    : space(std::move(space_)),
      incidence(std::move(incidence_)),
      parts(std::move(parts_)),
      offsets(std::move(offsets_)),
      graph(std::move(graph_)) {}

AllModes AllModes::of(const Model& model, long long nodes) {
  ModeSpace space(model, ModeSpace::Rules::followed, nodes);
  const Considered considered = within_effort(space, nodes);
  SymbolicIncidence incidence = symbolic_incidence(model.f(), model.signature, space);
  FirstMatching first(incidence, considered);
  MultimodeParts parts = multimode_parts(incidence, considered, first);
  MultimodeOffsets offsets = multimode_offsets(incidence, considered, std::move(first), parts.singular);
  ConditionalGraph graph = conditional_graph(incidence, offsets, considered, parts.singular);
  return {std::move(space), std::move(incidence), std::move(parts), std::move(offsets), std::move(graph)};
}

bool AllModes::is_considered(const Mode& mode) const {
  return std::ranges::all_of(space.factors(), [&](const ModeSet& set) { return space.contains(set, mode); });
}

ModeStructure AllModes::structure_of(const Model& model, const Mode& mode) const {
  const Signature& signature = model.signature;
  const std::function<bool(const ModeSet&)> in_mode = [&](const ModeSet& set) {
    return space.contains(set, mode);
  };
  ModeStructure result;
  for (int i = 0; i < model.equations(); ++i)
    if (in_mode(incidence.active[at(i)])) result.equations.push_back(i);
  for (int j = 0; j < incidence.signals; ++j) result.signals.push_back(row_of_signal(signature, j));
  std::vector<char> is_absent;
  for (int j = 0; j < incidence.signals; ++j) {
    is_absent.push_back(in_mode(parts.absent[at(j)]) ? 1 : 0);
    if (is_absent.back() != 0) result.absent.push_back(row_of_signal(signature, j));
  }
  if (in_mode(parts.singular)) {
    result.singular = true;
    const auto read = [&](const std::vector<ModeSet>& equations, const std::vector<ModeSet>& signals) {
      ModePart part;
      for (std::size_t i = 0; i < equations.size(); ++i)
        if (in_mode(equations[i])) part.equations.push_back(static_cast<int>(i));
      for (std::size_t j = 0; j < signals.size(); ++j)
        if (in_mode(signals[j])) part.signals.push_back(result.signals[j]);
      return part;
    };
    result.overdetermined = read(parts.over_equations, parts.over_signals);
    result.underdetermined = read(parts.under_equations, parts.under_signals);
    return result;
  }
  for (const int i : result.equations) {
    result.c.push_back(value_in(offsets.c[at(i)], in_mode));
    result.index = std::max(result.index, result.c.back());
    result.degrees_of_freedom -= result.c.back();
  }
  for (const ModeNumber& order : offsets.d) {
    result.d.push_back(value_in(order, in_mode));
    result.degrees_of_freedom += result.d.back();
  }
  result.conclude(signature.n());
  for (const int b : solving_order(graph, in_mode)) {
    const ConditionalBlock& block = graph.blocks[at(b)];
    ModePart& part = result.blocks.emplace_back();
    part.equations = block.equations;
    for (const int signal : block.signals) part.signals.push_back(result.signals[at(signal)]);
  }
  return result;
}

}  // namespace mti
