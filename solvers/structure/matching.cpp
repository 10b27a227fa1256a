#include "solvers/structure/matching.hpp"

#include <algorithm>
#include <cstddef>

namespace mti {
namespace {

/// Shortest alternating paths, many at a time [Hopcroft, Karp: SIAM J. Comput. 2 (1973) 225-231].
class HopcroftKarp {
 public:
  HopcroftKarp(const Incidence& incidence, Matching& matching)
      : incidence_(incidence), matching_(matching), layer_(incidence.rows()), next_(incidence.rows()) {}

  void run() {
    match_greedily();
    while (find_layers())
      for (const PatternRow row : incidence_.row_indices())
        if (!matching_.row_match[row].exists()) augment_from(row);
  }

 private:
  static constexpr int unreached = -1;

  void match_greedily() {
    for (const PatternRow row : incidence_.row_indices()) {
      if (matching_.row_match[row].exists()) continue;
      for (const PatternColumn column : incidence_.row(row)) {
        if (matching_.column_match[column].exists()) continue;
        matching_.pair(row, column);
        break;
      }
    }
  }

  /// Breadth first from the free rows up to the first layer next to a free column. False: there is none.
  bool find_layers() {
    std::fill(layer_.begin(), layer_.end(), unreached);
    std::fill(next_.begin(), next_.end(), 0);
    queue_.clear();
    for (const PatternRow row : incidence_.row_indices())
      if (!matching_.row_match[row].exists()) reach(row, 0);

    int last_layer = incidence_.rows();
    std::size_t head = 0;
    while (head < queue_.size()) {
      const PatternRow row = queue_[head++];
      if (layer_[row] > last_layer) break;
      for (const PatternColumn column : incidence_.row(row)) {
        const PatternRow partner = matching_.column_match[column];
        if (!partner.exists())
          last_layer = layer_[row];
        else if (layer_[partner] == unreached)
          reach(partner, layer_[row] + 1);
      }
    }
    return last_layer < incidence_.rows();
  }

  void reach(PatternRow row, int layer) {
    layer_[row] = layer;
    queue_.push_back(row);
  }

  /// Depth first through the layers, with a stack of our own: paths may be as long as there are rows.
  void augment_from(PatternRow root) {
    path_.assign(1, root);
    while (!path_.empty()) {
      const PatternRow row = path_.back();
      const auto columns = incidence_.row(row);
      if (next_[row] == columns.size()) {
        layer_[row] = unreached;  // no way on from here in this pass
        path_.pop_back();
        if (!path_.empty()) ++next_[path_.back()];
        continue;
      }
      const PatternRow partner = matching_.column_match[columns[next_[row]]];
      if (!partner.exists()) {
        for (const PatternRow on_path : path_) {
          matching_.pair(on_path, incidence_.row(on_path)[next_[on_path]]);
          layer_[on_path] = unreached;
        }
        return;
      }
      if (layer_[partner] == layer_[row] + 1)
        path_.push_back(partner);
      else
        ++next_[row];
    }
  }

  const Incidence& incidence_;
  Matching& matching_;
  Indexed<PatternRow, int> layer_;
  Indexed<PatternRow, std::size_t> next_;  // the entry of each row that is tried next
  std::vector<PatternRow> queue_, path_;
};

}  // namespace

int Matching::size() const {
  return row_match.size() - static_cast<int>(std::count(row_match.begin(), row_match.end(), PatternColumn()));
}

Matching maximum_matching(const Incidence& incidence) {
  Matching matching(incidence.rows(), incidence.columns());
  grow_to_maximum(incidence, matching);
  return matching;
}

void grow_to_maximum(const Incidence& incidence, Matching& matching) {
  HopcroftKarp(incidence, matching).run();
}

}  // namespace mti
