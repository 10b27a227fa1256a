#pragma once

#include <vector>

namespace mti {

/// A partition of {0, …, size − 1} that becomes coarser: at first every element is a set of its own. Union by rank and
/// path compression, so that n operations take O(n α(n)). Which element represents a set says nothing.
class DisjointSets {
 public:
  explicit DisjointSets(int size);

  /// The representative of the set that holds i.
  [[nodiscard]] int of(int i);
  /// Makes one set of those that hold a and b.
  void join(int a, int b);

 private:
  std::vector<int> parent_, rank_;
};

}  // namespace mti
