#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/structure/incidence.hpp"

namespace mti {

/// Of rows that might go, those that stay.
struct RowsThatStay {
  std::vector<char> stays;          ///< by row that might go
  std::vector<PatternColumn> held;  ///< of `may_be_held`: columns that are known beforehand
};

/// A square regular pattern from all rows in force, of which none goes, columns that are known where no row in force contains
/// them, and as many of the rows that might go as are still needed. Nothing if there is none, if others of those rows
/// would do as well, or if the rows in force are as many as it takes.
[[nodiscard]] std::optional<RowsThatStay> rows_that_stay(const Incidence& in_force,
                                                         std::span<const PatternColumn> may_be_held,
                                                         const Incidence& might_go);

}  // namespace mti
