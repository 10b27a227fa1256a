#include "solvers/multimode/conditional_graph.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/multimode/multimode_components.hpp"

namespace mti {
namespace {

/// Equation a depends on equation b where a contains the signal that b is matched with.
ConditionalDigraph dependencies(const SymbolicIncidence& incidence, const MultimodeOffsets& offsets,
                                const Considered& considered, const ModeSet& singular) {
  const ConditionalPattern& leading = offsets.leading;
  ConditionalDigraph graph;
  graph.successors.resize(leading.rows.size());
  for (std::size_t a = 0; a < leading.rows.size(); ++a) {
    graph.nodes.push_back(considered(incidence.active[a] - singular));
    for (const auto& [column, where] : leading.rows[a]) {
      if (where.empty()) continue;
      for (const auto& [b, entry] : leading.columns[at(column)]) {
        if (at(b) == a) continue;
        const ModeSet edge = where & offsets.matching.matched(b, entry);
        if (!edge.empty()) graph.successors[a][b] |= edge;
      }
    }
  }
  return graph;
}

/// Parts the modes of a component by the signals that its equations are matched with.
void add_blocks(const ConditionalComponent& component, const MultimodeOffsets& offsets,
                const Considered& considered, std::vector<ConditionalBlock>& blocks) {
  std::map<int, ModeSet> solved;
  for (const int equation : component.nodes) {
    const auto& entries = offsets.leading.rows[at(equation)];
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const ModeSet where =
          considered(offsets.matching.matched(equation, static_cast<int>(e)) & component.where);
      if (!where.empty()) solved[entries[e].column] |= where;
    }
  }
  std::vector<ConditionalBlock> parts{{component.nodes, {}, component.where}};
  for (const auto& [signal, modes] : solved) {
    std::vector<ConditionalBlock> without;
    for (ConditionalBlock& part : parts) {
      const ModeSet in = part.where & modes;
      if (in.empty()) continue;
      if (ModeSet out = considered(part.where - in); !out.empty())
        without.push_back({part.equations, part.signals, std::move(out)});
      part.signals.push_back(signal);
      part.where = in;
    }
    std::ranges::move(without, std::back_inserter(parts));
  }
  std::ranges::move(parts, std::back_inserter(blocks));
}

/// The blocks that solve for one signal. They have no mode in common; found by halving, so that a search
/// meets only the halves with modes that are asked for.
class Solvers {
 public:
  void add(int block, const ModeSet& where) { leaves_.emplace_back(block, where); }

  /// Calls found(block, modes) for every solver with modes in `asked`.
  template <class Found>
  void find(const ModeSet& asked, Found found) {
    if (unions_.empty() && !leaves_.empty()) {
      unions_.resize(2 * std::bit_ceil(leaves_.size()));
      unite(1, 0, leaves_.size());
    }
    if (!leaves_.empty()) find(1, 0, leaves_.size(), asked, found);
  }

 private:
  void unite(std::size_t node, std::size_t first, std::size_t last) {
    if (last - first == 1) {
      unions_[node] = leaves_[first].second;
      return;
    }
    const std::size_t middle = (first + last) / 2;
    unite(2 * node, first, middle);
    unite(2 * node + 1, middle, last);
    unions_[node] = unions_[2 * node] | unions_[2 * node + 1];
  }
  template <class Found>
  void find(std::size_t node, std::size_t first, std::size_t last, const ModeSet& asked, Found& found) const {
    const ModeSet here = asked & unions_[node];
    if (here.empty()) return;
    if (last - first == 1) {
      found(leaves_[first].first, here);
      return;
    }
    const std::size_t middle = (first + last) / 2;
    find(2 * node, first, middle, here, found);
    find(2 * node + 1, middle, last, here, found);
  }

  std::vector<Conditional> leaves_;
  std::vector<ModeSet> unions_;  ///< a complete binary tree from index 1
};

std::vector<ConditionalEdge> edges_between(const std::vector<ConditionalBlock>& blocks,
                                           const ConditionalPattern& leading, const Considered& considered) {
  std::vector<Solvers> solvers(leading.columns.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const int signal : blocks[b].signals) solvers[at(signal)].add(static_cast<int>(b), blocks[b].where);
  std::vector<ConditionalEdge> edges;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::map<int, ModeSet> from;
    for (const int equation : blocks[b].equations)
      for (const auto& [signal, there] : leading.rows[at(equation)]) {
        if (there.empty() || std::ranges::binary_search(blocks[b].signals, signal)) continue;
        solvers[at(signal)].find(there & blocks[b].where, [&](int solver, const ModeSet& where) {
          from[solver] |= considered(where);
        });
      }
    for (auto& [solver, where] : from)
      if (!where.empty()) edges.push_back({solver, static_cast<int>(b), std::move(where)});
  }
  return edges;
}

}  // namespace

ConditionalGraph conditional_graph(const SymbolicIncidence& incidence, const MultimodeOffsets& offsets,
                                   const Considered& considered, const ModeSet& singular) {
  ConditionalGraph graph;
  for (const ConditionalComponent& component :
       conditional_components(dependencies(incidence, offsets, considered, singular), considered))
    add_blocks(component, offsets, considered, graph.blocks);
  std::ranges::sort(graph.blocks, [](const ConditionalBlock& l, const ConditionalBlock& r) {
    return std::tie(l.equations, l.signals) < std::tie(r.equations, r.signals);
  });
  graph.edges = edges_between(graph.blocks, offsets.leading, considered);
  return graph;
}

std::vector<int> solving_order(const ConditionalGraph& graph,
                               const std::function<bool(const ModeSet&)>& in_mode) {
  std::vector<char> present(graph.blocks.size(), 0);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) present[b] = in_mode(graph.blocks[b].where) ? 1 : 0;
  std::vector<int> needs(graph.blocks.size(), 0);
  std::vector<std::vector<int>> users(graph.blocks.size());
  for (const ConditionalEdge& edge : graph.edges)
    if (present[at(edge.from)] != 0 && present[at(edge.block)] != 0 && in_mode(edge.where)) {
      ++needs[at(edge.block)];
      users[at(edge.from)].push_back(edge.block);
    }
  using Ready = std::pair<int, int>;  // lowest signal, block
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto enter = [&](int b) { ready.emplace(graph.blocks[at(b)].signals.front(), b); };
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    if (present[b] != 0 && needs[b] == 0) enter(static_cast<int>(b));
  std::vector<int> order;
  while (!ready.empty()) {
    const int b = ready.top().second;
    ready.pop();
    order.push_back(b);
    for (const int user : users[at(b)])
      if (--needs[at(user)] == 0) enter(user);
  }
  return order;
}

}  // namespace mti
