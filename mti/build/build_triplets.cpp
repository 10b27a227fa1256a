#include "mti/build/build_triplets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mti::building {
namespace {

bool check_indices(const std::vector<int>& indices, int size, const std::string& pointer, Faults& faults) {
  bool good = true;
  for (std::size_t e = 0; e < indices.size(); ++e) {
    if (indices[e] >= 0 && indices[e] < size) continue;
    faults.add("index-out-of-range", element(pointer, e),
               "index " + std::to_string(indices[e]) + " is outside 0 to " + std::to_string(size - 1));
    good = false;
  }
  return good;
}

}  // namespace

Entries read_entries(const TripletSource& source, const std::string& pointer, Faults& faults, bool& good) {
  Entries entries{source, {}};
  if (source.rows < 0 || source.cols < 0) {
    faults.add("matrix-size", pointer, "rows and cols must not be negative");
    good = false;
    return entries;
  }
  if (source.i.size() != source.v.size() || source.k.size() != source.v.size()) {
    faults.add("matrix-size", pointer,
               "i, k and v must have one entry each: found " + std::to_string(source.i.size()) + ", " +
                   std::to_string(source.k.size()) + " and " + std::to_string(source.v.size()));
    good = false;
    return entries;
  }
  bool usable = check_indices(source.i, source.rows, pointer + "/i", faults);
  usable = check_indices(source.k, source.cols, pointer + "/k", faults) && usable;
  for (std::size_t e = 0; e < source.v.size(); ++e) {
    if (std::isfinite(source.v[e])) continue;
    faults.add("not-finite", element(pointer + "/v", e), "the value is not a finite number");
    usable = false;
  }
  entries.order.resize(source.v.size());
  std::iota(entries.order.begin(), entries.order.end(), std::size_t{0});
  std::stable_sort(entries.order.begin(), entries.order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(source.k[a], source.i[a]) < std::pair(source.k[b], source.i[b]);
  });
  for (std::size_t at = 1; at < entries.size(); ++at) {
    if (entries.row(at) != entries.row(at - 1) || entries.column(at) != entries.column(at - 1)) continue;
    faults.add("duplicate-entry", element(pointer + "/i", entries.order[at]),
               "row " + std::to_string(entries.row(at)) + ", column " + std::to_string(entries.column(at)) +
                   " is given twice");
    usable = false;
  }
  if (!usable) entries.order.clear();
  good = good && usable;
  return entries;
}

}  // namespace mti::building
