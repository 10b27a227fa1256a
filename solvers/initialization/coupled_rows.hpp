#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"

namespace mti {

/// Groups of unknowns of a start, ẋ, y and the free x, that rows of f or initial equations join, before freezing. Groups are
/// solved apart, whatever the mode, as long as nothing is differentiated.
class CoupledRows {
 public:
  explicit CoupledRows(const SignalRows& rows);

  /// The binaries of all rows in the groups of these signals (rows of S), ascending.
  [[nodiscard]] std::vector<int> binaries_with(std::span<const int> signals) const;
  /// The rows in the groups of these signals are affine in their unknowns, so that what one of these groups admits
  /// depends on no guess, and on no other group.
  [[nodiscard]] bool are_affine(std::span<const int> signals) const;
  /// The binaries of an initial equation, ascending.
  [[nodiscard]] const std::vector<int>& binaries_of_initial(int row) const {
    return binaries_of_initial_[at(row)];
  }
  /// The unknowns that an equation, an initial equation or a constraint holds.
  [[nodiscard]] std::vector<int> of_equation(int row) const { return unknown(rows_.f.signals(row)); }
  [[nodiscard]] std::vector<int> of_constraint(int row) const { return unknown(rows_.g.signals(row)); }
  [[nodiscard]] const std::vector<int>& of_initial(int row) const { return of_initial_[at(row)]; }

 private:
  [[nodiscard]] std::vector<int> unknown(std::span<const int> signals) const;

  const SignalRows& rows_;
  std::vector<std::vector<int>> of_initial_, binaries_of_initial_;
  std::vector<int> group_;                  ///< by row of S
  std::vector<std::vector<int>> binaries_;  ///< by group, ascending
  std::vector<char> bent_;                  ///< by group: some row is not affine
};

}  // namespace mti
