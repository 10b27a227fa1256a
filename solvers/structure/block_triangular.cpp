#include "solvers/structure/block_triangular.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <queue>
#include <utility>

namespace mti {
namespace {

using Edges = std::vector<std::pair<int, int>>;
using Graph = boost::compressed_sparse_row_graph<boost::directedS>;

std::vector<Block> components(const Edges& edges, const std::vector<PatternRow>& rows,
                              const RowMatch& row_match, std::vector<int>& component) {
  const Graph graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), rows.size());
  component.resize(rows.size());
  const int count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));

  std::vector<Block> blocks(count);
  for (std::size_t node = 0; node < rows.size(); ++node) {
    blocks[component[node]].rows.push_back(rows[node]);
    blocks[component[node]].columns.push_back(row_match[rows[node]]);
  }
  for (Block& block : blocks) std::sort(block.columns.begin(), block.columns.end());
  return blocks;
}

/// Blocks in an order in which each comes after all it depends on; the lowest column first.
std::vector<Block> in_solving_order(std::vector<Block> blocks, Edges depends_on) {
  std::sort(depends_on.begin(), depends_on.end());
  depends_on.erase(std::unique(depends_on.begin(), depends_on.end()), depends_on.end());
  std::vector<std::vector<int>> dependents(blocks.size());
  std::vector<int> missing(blocks.size(), 0);
  for (const auto& [block, needed] : depends_on) {
    dependents[needed].push_back(block);
    ++missing[block];
  }

  using Entry = std::pair<PatternColumn, int>;  // lowest column, block
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  const auto offer = [&](int block) { ready.emplace(blocks[block].columns.front(), block); };
  for (std::size_t block = 0; block < blocks.size(); ++block)
    if (missing[block] == 0) offer(static_cast<int>(block));

  std::vector<Block> ordered;
  ordered.reserve(blocks.size());
  while (!ready.empty()) {
    const int block = ready.top().second;
    ready.pop();
    ordered.push_back(std::move(blocks[block]));
    for (const int dependent : dependents[block])
      if (--missing[dependent] == 0) offer(dependent);
  }
  return ordered;
}

}  // namespace

std::vector<Block> block_triangular_form(const Incidence& incidence, const RowMatch& row_match) {
  std::vector<PatternRow> rows;
  Indexed<PatternColumn, int> node_of_column(incidence.columns(), -1);
  for (const PatternRow row : incidence.row_indices()) {
    if (!row_match[row].exists()) continue;
    node_of_column[row_match[row]] = static_cast<int>(rows.size());
    rows.push_back(row);
  }
  Edges edges;
  for (std::size_t node = 0; node < rows.size(); ++node)
    for (const PatternColumn column : incidence.row(rows[node]))
      if (const int other = node_of_column[column]; other >= 0 && other != static_cast<int>(node))
        edges.emplace_back(node, other);

  std::vector<int> component;
  std::vector<Block> blocks = components(edges, rows, row_match, component);
  Edges depends_on;
  for (const auto& [node, other] : edges)
    if (component[node] != component[other]) depends_on.emplace_back(component[node], component[other]);
  return in_solving_order(std::move(blocks), std::move(depends_on));
}

}  // namespace mti
