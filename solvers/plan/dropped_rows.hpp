#pragma once

#include <map>
#include <utility>
#include <vector>

#include "solvers/plan/recombination.hpp"

namespace mti {

/// A row that was dropped since a sum of it and others is 0.
struct DroppedRow {
  /// Rows of the mode and how often each is differentiated, with their factors.
  using Sum = std::map<std::pair<EquationRow, int>, double>;

  EquationRow equation;
  bool surplus = false;  ///< of an over-determined part
  Sum sum = {};
};

/// The rows that were dropped, by what the mode's own rows add up to whatever was put together before.
[[nodiscard]] std::vector<DroppedRow> dropped_rows(const Recombination& recombination);

}  // namespace mti
