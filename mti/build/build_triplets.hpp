#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mti/build/build_parts.hpp"
#include "mti/source/source.hpp"

namespace mti::building {

/// Entries of one matrix in the order of columns, then rows.
struct Entries {
  const TripletSource& source;
  std::vector<std::size_t> order;

  [[nodiscard]] int row(std::size_t at) const { return source.i[order[at]]; }
  [[nodiscard]] int column(std::size_t at) const { return source.k[order[at]]; }
  [[nodiscard]] double value(std::size_t at) const { return source.v[order[at]]; }
  [[nodiscard]] std::size_t size() const { return order.size(); }
};

/// Sorted entries; empty after a fault, with `good` false. Ids `matrix-size`, `index-out-of-range`,
/// `not-finite`, `duplicate-entry`.
[[nodiscard]] Entries read_entries(const TripletSource& source, const std::string& pointer, Faults& faults,
                                   bool& good);

}  // namespace mti::building
