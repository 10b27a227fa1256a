#pragma once

#include <map>
#include <vector>

#include "solvers/multimode/multimode_matching.hpp"

namespace mti {

/// Nodes with edges that are there in some modes: successors[a][b] are the modes with an edge from a to b ≠
/// a.
struct ConditionalDigraph {
  std::vector<ModeSet> nodes;  ///< the modes in which each node is there
  std::vector<std::map<int, ModeSet>> successors;
};

/// A strongly connected component and the modes in which it is one.
struct ConditionalComponent {
  std::vector<int> nodes;  ///< ascending
  ModeSet where;
};

/// The strongly connected components of all modes, ordered by their nodes: every node of a mode is in exactly
/// one of those that are there.
///
/// First what is on no cycle is stripped off, from both ends, mode sets of all nodes at once. Of what is left
/// the closure "there is a path from a to b" is made by eliminating nodes in the order of least degree; only
/// the entries that elimination fills are computed, so that graphs with small separators, such as chains and
/// rings, have them at the cost of their width. Last, components are read off by growing them from their
/// smallest node, parting the modes where a neighbour is in and where not.
/// Errors: ModeSetTooLarge beyond a million different components.
[[nodiscard]] std::vector<ConditionalComponent> conditional_components(const ConditionalDigraph& graph,
                                                                       const Considered& considered);

}  // namespace mti
