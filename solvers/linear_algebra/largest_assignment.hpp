#pragma once

#include <optional>
#include <vector>

namespace mti {

/// The base-2 logarithm of the size of an entry ≠ 0 of a matrix.
struct LogarithmOfEntry {
  int row, column;
  double logarithm;
};

/// Units of rows and columns, ρ_i and γ_j, with
///
///     log₂|a_ij| + ρ_i + γ_j ≤ 0,    = 0 for the entries of a perfect matching .
///
/// The matching is one of the largest product Π |a_ij|, the largest term of the determinant, which is 1 in these units, and
/// no other is larger: what remains to be seen is whether terms of that size cancel. However small an entry is beside
/// others of its row and column, if the largest term needs it, it is 1.
struct AssignmentUnits {
  std::vector<double> rows, columns;
};

/// Nothing where no perfect matching exists. By shortest augmenting paths, whose dual variables the units are: O(n) searches
/// of O(m log m) for m entries. Source: I. Duff and J. Koster, SIAM J. Matrix Anal. Appl. 22 (2001) 973-996.
[[nodiscard]] std::optional<AssignmentUnits> largest_assignment(int size,
                                                                const std::vector<LogarithmOfEntry>& entries);

}  // namespace mti
