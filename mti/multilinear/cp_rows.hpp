#pragma once

#include <span>
#include <utility>

#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// The map with the listed rows of `map` only, in that order; columns that no row needs are gone.
[[nodiscard]] CpMap select_rows(const CpMap& map, std::span<const int> rows);

/// With rows replaced by single signals: (row, signal).
[[nodiscard]] CpMap replace_rows(const CpMap& map, std::span<const std::pair<int, int>> signal_of_row);

/// The rows of `upper`, then those of `lower`; both have the same signals.
[[nodiscard]] CpMap stack_rows(const CpMap& upper, const CpMap& lower);

}  // namespace mti
