#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "mti/lifting/break_points.hpp"
#include "mti/model/model.hpp"
#include "mti/model/signal_rows.hpp"

namespace mti {

/// Which values signals may take, from the ranges of some and the equations that give others by these:
///
///     c·y + h(v) = 0   ⇒   y ∈ −h(ranges)/c,     c a number ≠ 0, or a signal whose range does not hold 0
///
/// A range of h is where two bounds meet: h is multilinear, so its extreme values lie in corners of the ranges of its signals
/// (copies of powers taken for signals of their own); and interval arithmetic, term by term, powers as what they are.
/// Binaries range from 0 to 1.
class SignalRanges {
 public:
  /// By row of S. The model must outlive this.
  SignalRanges(const Model& model, std::map<int, Range> given);

  /// The range of a signal; nothing: it does not follow.
  [[nodiscard]] std::optional<Range> of(int row);
  /// From here on a signal has this range.
  void set(int row, Range range) { known_[row] = range; }

 private:
  [[nodiscard]] std::optional<Range> by_equation(int equation, int row);
  [[nodiscard]] Range in_corners(const std::vector<RowMap::Term>& terms,
                                 const std::vector<int>& signals) const;
  [[nodiscard]] Range by_intervals(const std::vector<RowMap::Term>& terms) const;
  [[nodiscard]] Range of_term(const RowMap::Term& term) const;
  [[nodiscard]] int original(int row) const;

  const Model& model_;
  SignalRows rows_;
  std::map<int, Range> known_;
  std::set<int> open_;          ///< asked for, and not answered yet
  std::map<int, int> copy_of_;  ///< by row of S
};

}  // namespace mti
