#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// Signals held at values, by their rows of S.
class HeldSignals {
 public:
  HeldSignals(int signals, std::span<const FixedSignal> fixed);

  [[nodiscard]] bool holds(int signal) const { return held_[at(signal)] != 0; }
  [[nodiscard]] double value(int signal) const { return value_[at(signal)]; }

 private:
  std::vector<char> held_;
  std::vector<double> value_;
};

/// All rows with the held signals' factors turned into numbers: what freeze(map, fixed) gives, row by row.
/// Every row has columns of its own; equal ones are merged within it, what cancels to rounding is gone. A second column
/// has what rounding would take from a small coefficient beside a large one.
[[nodiscard]] RowMap freeze_rows(const RowMap& map, const HeldSignals& held);

/// `frozen` with the listed rows (ascending) frozen anew from `map`; the others are taken over. `frozen` must
/// come from one of these two functions.
[[nodiscard]] RowMap refreeze_rows(const RowMap& frozen, const RowMap& map, std::span<const int> rows,
                                   const HeldSignals& held);

}  // namespace mti
