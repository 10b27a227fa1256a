#pragma once

#include <algorithm>

namespace mti {

/// Ascending, each value once.
template <class List>
void sort_distinct(List& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace mti
