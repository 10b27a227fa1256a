#include "solvers/structure/block_triangular.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <queue>
#include <utility>

#include "mti/common/sort_distinct.hpp"

namespace mti {
namespace {

/// A matched row with its column, as a node of the graph.
using Node = IndexOf<struct NodeTag>;
/// A strongly connected component of it.
using BlockNumber = IndexOf<struct BlockNumberTag>;
using Edges = std::vector<std::pair<int, int>>;  // of nodes, counted by int as Boost does
/// A block and one that it needs.
using Dependences = std::vector<std::pair<BlockNumber, BlockNumber>>;

/// How many blocks there are, and the block of each node.
std::pair<int, Indexed<Node, BlockNumber>> components(const Edges& edges, int nodes) {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
  const Graph graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), at(nodes));
  std::vector<int> component(at(nodes));
  const int count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  return {count, Indexed<Node, BlockNumber>(positions<BlockNumber>(component))};
}

/// Blocks in an order in which each comes after all it depends on; the lowest column first.
std::vector<Block> in_solving_order(Indexed<BlockNumber, Block> blocks, Dependences depends_on) {
  sort_distinct(depends_on);
  Indexed<BlockNumber, std::vector<BlockNumber>> dependents(blocks.size());
  Indexed<BlockNumber, int> missing(blocks.size(), 0);
  for (const auto& [block, needed] : depends_on) {
    dependents[needed].push_back(block);
    ++missing[block];
  }

  using Entry = std::pair<PatternColumn, BlockNumber>;  // lowest column, block
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  const auto offer = [&](BlockNumber block) { ready.emplace(blocks[block].columns.front(), block); };
  for (const BlockNumber block : blocks.indices())
    if (missing[block] == 0) offer(block);

  std::vector<Block> ordered;
  ordered.reserve(at(blocks.size()));
  while (!ready.empty()) {
    const BlockNumber block = ready.top().second;
    ready.pop();
    ordered.push_back(std::move(blocks[block]));
    for (const BlockNumber dependent : dependents[block])
      if (--missing[dependent] == 0) offer(dependent);
  }
  return ordered;
}

}  // namespace

std::vector<Block> block_triangular_form(const Incidence& incidence, const RowMatch& row_match) {
  Indexed<Node, PatternRow> rows;
  Indexed<PatternColumn, Node> node_of(incidence.columns());
  for (const PatternRow row : incidence.row_indices())
    if (row_match[row].exists()) node_of[row_match[row]] = rows.append(row);
  Edges edges;
  for (const Node node : rows.indices())
    for (const PatternColumn column : incidence.row(rows[node]))
      if (const Node other = node_of[column]; other.exists() && other != node)
        edges.emplace_back(node.value(), other.value());

  const auto [count, block_of] = components(edges, rows.size());
  Indexed<BlockNumber, Block> blocks(count);
  for (const Node node : rows.indices()) {
    Block& block = blocks[block_of[node]];
    block.rows.push_back(rows[node]);
    block.columns.push_back(row_match[rows[node]]);
  }
  for (Block& block : blocks) std::sort(block.columns.begin(), block.columns.end());
  Dependences depends_on;
  for (const auto& [node, other] : edges)
    if (block_of[Node(node)] != block_of[Node(other)])
      depends_on.emplace_back(block_of[Node(node)], block_of[Node(other)]);
  return in_solving_order(std::move(blocks), std::move(depends_on));
}

}  // namespace mti
