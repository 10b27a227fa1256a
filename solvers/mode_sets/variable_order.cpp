#include "solvers/mode_sets/variable_order.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

/// The places of numbers in a list; −1 for numbers that are not in it.
class Places {
 public:
  explicit Places(const std::vector<int>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (at(list[i]) >= place_.size()) place_.resize(at(list[i]) + 1, -1);
      place_[at(list[i])] = static_cast<int>(i);
    }
  }
  [[nodiscard]] int of(int element) const { return at(element) < place_.size() ? place_[at(element)] : -1; }

 private:
  std::vector<int> place_;
};

/// A tree of elements and relations in which each stands below one that it occurs with, found depth first. Elements are
/// the vertices 0 … n−1, relations those after them.
class DepthFirstTree {
 public:
  /// `relations` connect the elements 0 … n−1.
  DepthFirstTree(int elements, const Relations& relations, int root)
      : neighbours_(at(elements) + relations.size()),
        below_(neighbours_.size()),
        needs_(neighbours_.size(), 1) {
    for (std::size_t r = 0; r < relations.size(); ++r)
      for (const int element : relations[r]) {
        neighbours_[at(element)].push_back(elements + static_cast<int>(r));
        neighbours_[at(elements) + r].push_back(element);
      }
    grow(root);
  }

  /// Vertices, each after all below it; of several branches the one first that needs the most to be remembered
  /// (Sethi and Ullman, J. ACM 17 (1970) 715-728).
  [[nodiscard]] std::vector<int> from_below() {
    for (std::size_t i = order_.size(); i-- > 0;) {
      std::vector<int>& branches = below_[at(order_[i])];
      std::ranges::stable_sort(branches, std::ranges::greater{}, [&](int v) { return needs_[at(v)]; });
      int& needs = needs_[at(order_[i])];
      for (std::size_t k = 0; k < branches.size(); ++k)
        needs = std::max(needs, needs_[at(branches[k])] + static_cast<int>(k));
    }
    std::vector<int> result, open{order_.front()};
    while (!open.empty()) {  // the reverse of: each before all below it, the last branch first
      const int vertex = open.back();
      open.pop_back();
      result.push_back(vertex);
      open.insert(open.end(), below_[at(vertex)].begin(), below_[at(vertex)].end());
    }
    std::ranges::reverse(result);
    return result;
  }

 private:
  void grow(int root) {
    std::vector<std::size_t> next(neighbours_.size(), 0);
    std::vector<char> seen(neighbours_.size(), 0);
    std::vector<int> path{root};
    seen[at(root)] = 1;
    order_.push_back(root);
    while (!path.empty()) {
      const int vertex = path.back();
      std::size_t& place = next[at(vertex)];
      if (place == neighbours_[at(vertex)].size()) {
        path.pop_back();
        continue;
      }
      const int found = neighbours_[at(vertex)][place++];
      if (std::exchange(seen[at(found)], 1) != 0) continue;
      below_[at(vertex)].push_back(found);
      order_.push_back(found);
      path.push_back(found);
    }
  }

  std::vector<std::vector<int>> neighbours_, below_;
  std::vector<int> needs_;
  std::vector<int> order_;  ///< as they were found
};

/// Connected elements 0 … n−1 along their relations, from one end to the other.
std::vector<int> along_connected(int elements, const Relations& relations) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                      boost::property<boost::vertex_color_t, boost::default_color_type,
                                                      boost::property<boost::vertex_degree_t, int>>>;
  if (elements == 1) return {0};
  Graph graph(at(elements) + relations.size());
  for (std::size_t r = 0; r < relations.size(); ++r)
    for (const int element : relations[r]) add_edge(at(element), at(elements) + r, graph);
  std::vector<Graph::vertex_descriptor> order(num_vertices(graph));
  boost::cuthill_mckee_ordering(graph, order.rbegin(), get(boost::vertex_color, graph),
                                boost::make_degree_map(graph));
  std::vector<int> result;
  for (const auto found : order)
    if (found < at(elements)) result.push_back(static_cast<int>(found));
  return result;
}

/// The narrowest order of connected elements 0 … n−1 that is found, `order` among them.
std::vector<int> narrowest(std::vector<int> order, const Relations& relations) {
  int least = width(order, relations);
  const auto try_order = [&](std::vector<int> other) {
    const int wide = width(other, relations);
    if (wide >= least) return;
    least = wide;
    order = std::move(other);
  };
  const std::vector<int> along = along_relations(relations);
  try_order(along);
  const int elements = static_cast<int>(order.size());
  std::vector<int> branches = DepthFirstTree(elements, relations, along.back()).from_below();
  std::erase_if(branches, [&](int vertex) { return vertex >= elements; });
  try_order(std::move(branches));
  return order;
}

}  // namespace

std::vector<int> along_relations(const Relations& relations) {
  std::vector<int> vertex, elements;
  for (const auto& relation : relations)
    for (const int element : relation) {
      if (at(element) >= vertex.size()) vertex.resize(at(element) + 1, -1);
      if (vertex[at(element)] >= 0) continue;
      vertex[at(element)] = static_cast<int>(elements.size());
      elements.push_back(element);
    }
  DisjointSets connected(static_cast<int>(elements.size()));
  for (const auto& relation : relations)
    for (const int element : relation) connected.join(vertex[at(element)], vertex[at(relation.front())]);

  // Each part by itself: a search for the end of one looks at all vertices of its graph.
  std::vector<int> part_of(elements.size(), -1), place(elements.size());
  std::vector<std::vector<int>> parts;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    int& part = part_of[at(connected.of(static_cast<int>(i)))];
    if (part < 0) {
      part = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    place[i] = static_cast<int>(parts[at(part)].size());
    parts[at(part)].push_back(elements[i]);
  }
  std::vector<Relations> own(parts.size());
  for (const auto& relation : relations) {
    if (relation.empty()) continue;
    std::vector<int>& here = own[at(part_of[at(connected.of(vertex[at(relation.front())]))])].emplace_back();
    for (const int element : relation) here.push_back(place[at(vertex[at(element)])]);
  }
  std::vector<int> result;
  for (std::size_t part = parts.size(); part-- > 0;)
    for (const int i : along_connected(static_cast<int>(parts[part].size()), own[part]))
      result.push_back(parts[part][at(i)]);
  return result;
}

int width(const std::vector<int>& order, const Relations& relations) {
  const Places places(order);
  std::vector<int> last(order.size(), -1);  // by place: where the last relation of the element ends
  for (const auto& relation : relations) {
    int end = -1;
    for (const int element : relation) end = std::max(end, places.of(element));
    for (const int element : relation)
      if (const int place = places.of(element); place >= 0) last[at(place)] = std::max(last[at(place)], end);
  }
  std::vector<int> ending(order.size() + 1, 0);
  int remembered = 0, most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    remembered -= ending[i];
    if (last[i] > static_cast<int>(i)) {
      ++remembered;
      ++ending[at(last[i])];
    }
    most = std::max(most, remembered);
  }
  return most;
}

std::vector<int> narrow_order(const std::vector<int>& order, const Relations& relations, int most_width) {
  if (width(order, relations) <= most_width) return order;
  const Places places(order);
  DisjointSets connected(static_cast<int>(order.size()));
  for (const auto& relation : relations)
    for (const int element : relation) connected.join(places.of(element), places.of(relation.front()));

  // Parts, by their representative: what they hold as places in `order`, and their relations in places in the part.
  struct Part {
    std::vector<int> places;
    Relations relations;
  };
  std::vector<Part> parts(order.size());
  std::vector<int> place_in_part(order.size());
  for (int i = 0; i < static_cast<int>(order.size()); ++i) {
    Part& part = parts[at(connected.of(i))];
    place_in_part[at(i)] = static_cast<int>(part.places.size());
    part.places.push_back(i);
  }
  for (const auto& relation : relations) {
    if (relation.empty()) continue;
    std::vector<int>& own = parts[at(connected.of(places.of(relation.front())))].relations.emplace_back();
    for (const int element : relation) own.push_back(place_in_part[at(places.of(element))]);
  }

  std::vector<int> result;
  std::vector<char> looked_at(parts.size(), 0), moved(order.size(), 0);
  for (int i = 0; i < static_cast<int>(order.size()); ++i) {
    const auto number = at(connected.of(i));
    const Part& part = parts[number];
    if (std::exchange(looked_at[number], 1) == 0) {
      std::vector<int> as_it_is(part.places.size());
      std::iota(as_it_is.begin(), as_it_is.end(), 0);
      if (width(as_it_is, part.relations) > most_width) {
        const std::vector<int> narrow = narrowest(as_it_is, part.relations);
        if (narrow != as_it_is)
          for (const int place : narrow) {
            result.push_back(order[at(part.places[at(place)])]);
            moved[at(part.places[at(place)])] = 1;
          }
      }
    }
    if (moved[at(i)] == 0) result.push_back(order[at(i)]);
  }
  if (width(result, relations) <= most_width) return result;

  // Parts that are narrow by themselves cross each other: what many of them demand together would be remembered of all.
  std::vector<std::vector<int>> together(parts.size());
  std::vector<std::size_t> in_turn;
  for (const int element : result) {
    const auto number = at(connected.of(places.of(element)));
    if (together[number].empty()) in_turn.push_back(number);
    together[number].push_back(element);
  }
  result.clear();
  for (const std::size_t number : in_turn)
    result.insert(result.end(), together[number].begin(), together[number].end());
  return result;
}

}  // namespace mti
