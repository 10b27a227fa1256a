#include "solvers/multimode/multimode_components.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

using Edges = std::vector<std::map<int, ModeSet>>;

Edges reversed(const Edges& edges) {
  Edges result(edges.size());
  for (std::size_t a = 0; a < edges.size(); ++a)
    for (const auto& [b, where] : edges[a]) result[at(b)].emplace(static_cast<int>(a), where);
  return result;
}

/// The modes in which each node may be on a cycle: those with a predecessor and a successor of which the same
/// is known. Stops early where the modes part without end; what is left out then is left to the closure.
std::vector<ModeSet> strip(const ConditionalDigraph& graph, const Edges& predecessors,
                           const Considered& considered) {
  std::vector<ModeSet> left = graph.nodes;
  std::deque<int> open;
  std::vector<char> waiting(left.size(), 1);
  for (std::size_t a = 0; a < left.size(); ++a) open.push_back(static_cast<int>(a));
  std::size_t looks = 50 * left.size();
  while (!open.empty() && looks-- > 0) {
    const int a = open.front();
    open.pop_front();
    waiting[at(a)] = 0;
    if (left[at(a)].empty()) continue;
    ModeSet from, to;
    for (const auto& [b, where] : graph.successors[at(a)]) to |= where & left[at(b)];
    if (!to.empty())
      for (const auto& [b, where] : predecessors[at(a)]) from |= where & left[at(b)];
    ModeSet now = considered(left[at(a)] & from & to);
    if (now == left[at(a)]) continue;
    left[at(a)] = std::move(now);
    for (const auto* neighbours : {&graph.successors[at(a)], &predecessors[at(a)]})
      for (const auto& [b, where] : *neighbours)
        if (std::exchange(waiting[at(b)], char{1}) == 0) open.push_back(b);
  }
  return left;
}

/// Paths between nodes in all modes, as far as the filled graph goes.
class Closure {
 public:
  Closure(Edges edges, const Considered& considered) : paths_(std::move(edges)) {
    eliminate(considered);
    substitute_back(considered);
  }

  [[nodiscard]] ModeSet path(int a, int b) const {
    const auto found = paths_[at(a)].find(b);
    return found == paths_[at(a)].end() ? ModeSet::none() : found->second;
  }

 private:
  /// Each node in turn, one with least degree: paths through it become edges between its neighbours.
  void eliminate(const Considered& considered) {
    std::vector<std::set<int>> neighbours(paths_.size());
    for (std::size_t a = 0; a < paths_.size(); ++a)
      for (const auto& [b, where] : paths_[a]) {
        neighbours[a].insert(b);
        neighbours[at(b)].insert(static_cast<int>(a));
      }
    std::set<std::pair<std::size_t, int>> by_degree;
    for (std::size_t a = 0; a < neighbours.size(); ++a)
      by_degree.emplace(neighbours[a].size(), static_cast<int>(a));
    while (!by_degree.empty()) {
      const int k = by_degree.begin()->second;
      by_degree.erase(by_degree.begin());
      order_.push_back(k);
      later_.emplace_back(neighbours[at(k)].begin(), neighbours[at(k)].end());
      for (const int a : later_.back()) {
        by_degree.erase({neighbours[at(a)].size(), a});
        neighbours[at(a)].erase(k);
        for (const int b : later_.back())
          if (b != a) neighbours[at(a)].insert(b);
        by_degree.emplace(neighbours[at(a)].size(), a);
        const ModeSet first = path(a, k);
        if (first.empty()) continue;
        for (const int b : later_.back())
          if (b != a) add(a, b, considered(first & path(k, b)));
      }
    }
  }

  /// From the last node to the first: paths between it and later nodes, which may pass earlier and later
  /// ones.
  void substitute_back(const Considered& considered) {
    for (std::size_t i = order_.size(); i-- > 0;) {
      const int k = order_[i];
      std::map<int, ModeSet> out, in;
      for (const int b : later_[i])
        for (const int c : later_[i]) {
          out[b] |= c == b ? path(k, b) : considered(path(k, c) & path(c, b));
          in[b] |= c == b ? path(b, k) : considered(path(b, c) & path(c, k));
        }
      for (const int b : later_[i]) {
        add(k, b, out[b]);
        add(b, k, in[b]);
      }
    }
  }

  void add(int a, int b, const ModeSet& where) {
    if (!where.empty()) paths_[at(a)][b] |= where;
  }

  Edges paths_;
  std::vector<int> order_;               ///< nodes as they were eliminated
  std::vector<std::vector<int>> later_;  ///< of each of them, the neighbours that were left
};

/// A component that grows: who is in, who is known to be out, in which modes.
struct Growing {
  std::vector<int> nodes;
  std::set<int> out;
  std::size_t next = 0;  ///< first of `nodes` whose neighbours are not looked at
  ModeSet where;
};

/// The components with `start` as the smallest node. `together[a][b]`: modes in which neighbours a, b are in
/// one component; `done`: modes in which a node is in a component found before.
void grow_from(int start, const ModeSet& where, const Edges& together, const Considered& considered,
               std::vector<ModeSet>& done, std::vector<ConditionalComponent>& components) {
  constexpr std::size_t most_components = 1000000;
  std::vector<Growing> open(1);
  open.back().nodes.push_back(start);
  open.back().where = where;
  while (!open.empty()) {
    Growing growing = std::move(open.back());
    open.pop_back();
    for (; growing.next < growing.nodes.size(); ++growing.next)
      for (const auto& [b, both] : together[at(growing.nodes[growing.next])]) {
        if (std::ranges::find(growing.nodes, b) != growing.nodes.end() || growing.out.contains(b)) continue;
        const ModeSet in = growing.where & both;
        if (const ModeSet out = considered(growing.where - in); in.empty()) {
          growing.out.insert(b);
        } else {
          if (!out.empty()) {
            Growing without = growing;
            without.out.insert(b);
            without.where = out;
            open.push_back(std::move(without));
          }
          growing.nodes.push_back(b);
          growing.where = in;
        }
      }
    for (const int node : growing.nodes) done[at(node)] |= growing.where;
    std::sort(growing.nodes.begin(), growing.nodes.end());
    components.push_back({std::move(growing.nodes), std::move(growing.where)});
    if (components.size() > most_components)
      throw ModeSetTooLarge("there are more than " + std::to_string(most_components) +
                            " different blocks, all modes together");
  }
}

}  // namespace

std::vector<ConditionalComponent> conditional_components(const ConditionalDigraph& graph,
                                                         const Considered& considered) {
  const std::vector<ModeSet> left = strip(graph, reversed(graph.successors), considered);
  Edges cyclic(graph.nodes.size());
  for (std::size_t a = 0; a < cyclic.size(); ++a) {
    if (left[a].empty()) continue;
    for (const auto& [b, where] : graph.successors[a])
      if (ModeSet there = considered(where & left[a] & left[at(b)]); !there.empty())
        cyclic[a].emplace(b, std::move(there));
  }
  const Closure closure(cyclic, considered);
  Edges together(cyclic.size());
  for (std::size_t a = 0; a < cyclic.size(); ++a)
    for (const auto& [b, where] : cyclic[a]) {
      // Not only where this edge is there: they may be together by others.
      const int node = static_cast<int>(a);
      const ModeSet both = considered(closure.path(node, b) & closure.path(b, node));
      if (both.empty()) continue;
      together[a][b] = both;
      together[at(b)][node] = both;
    }

  std::vector<ConditionalComponent> components;
  std::vector<ModeSet> done(graph.nodes.size());
  for (std::size_t a = 0; a < graph.nodes.size(); ++a)
    if (const ModeSet where = considered(graph.nodes[a] - done[a]); !where.empty())
      grow_from(static_cast<int>(a), where, together, considered, done, components);
  std::sort(components.begin(), components.end(),
            [](const ConditionalComponent& l, const ConditionalComponent& r) { return l.nodes < r.nodes; });
  return components;
}

}  // namespace mti
