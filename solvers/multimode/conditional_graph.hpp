#pragma once

#include <vector>

#include "solvers/multimode/multimode_offsets.hpp"

namespace mti {

/// Equations solved together for as many signals, in the modes `where`.
struct ConditionalBlock {
  std::vector<int> equations;  ///< rows of f, ascending
  std::vector<int> signals;    ///< all x, then all y; ascending
  ModeSet where;
};

/// Block `block` takes signals that block `from` solves for, in the modes `where`.
struct ConditionalEdge {
  int from = 0;
  int block = 0;
  ModeSet where;
};

/// The conditional dependency graph: the block lower triangular forms of all regular modes in one.
///
/// In one mode, the blocks and edges whose sets contain it are the blocks of its leading system and what they
/// take from each other. Source: Caillaud, Malandain, Thibault, Implicit structural analysis of multimode DAE
/// systems, HSCC 2020.
struct ConditionalGraph {
  std::vector<ConditionalBlock> blocks;  ///< ordered by equations, then signals
  std::vector<ConditionalEdge> edges;    ///< ordered by block, then from
};
[[nodiscard]] ConditionalGraph conditional_graph(const SymbolicIncidence& incidence,
                                                 const MultimodeOffsets& offsets,
                                                 const Considered& considered, const ModeSet& singular);

/// Indices of the blocks whose modes pass `in_mode`, in solving order: what a block takes comes before it,
/// and among those that could come next the one with the lowest signal does.
[[nodiscard]] std::vector<int> solving_order(const ConditionalGraph& graph,
                                             const std::function<bool(const ModeSet&)>& in_mode);

}  // namespace mti
