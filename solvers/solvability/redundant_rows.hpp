#pragma once

#include <map>
#include <string>
#include <vector>

#include "mti/model/signal_rows.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/mode_sets/mode_space.hpp"
#include "solvers/plan/dropped_rows.hpp"

namespace mti {

/// A row f_p = Σ_i u_i f_i, u_i numbers, or with derivatives of the f_i, that a run leaves out in the modes `where`.
struct RedundantRow {
  int equation = 0;  ///< p
  ModeSet where;
  std::string text;  ///< "equation b follows from a, c", as a run says it
};

/// Rows that a run leaves out in over-determined modes since they follow from others
/// (solvers/plan/recombination.hpp): found in one mode, and taken for all over-determined modes in which the same
/// sum vanishes as a function of the signals; one with derivatives, for those in which all of its rows are the same.
class RedundantRows {
 public:
  /// Both are to outlive this.
  RedundantRows(const Model& model, const ModeSpace& space);

  /// Examines modes of `over_determined` until one has rows that were not known to be left out there; false if
  /// there are none, or if the work suffices for no more modes. Without these rows other modes are
  /// over-determined, so one asks again with those. Errors: ModeSetTooLarge.
  [[nodiscard]] bool find_more(const ModeSet& over_determined);

  [[nodiscard]] const std::vector<RedundantRow>& rows() const noexcept { return rows_; }
  /// Of each equation: the modes in which it is left out. Empty if none is.
  [[nodiscard]] const std::vector<ModeSet>& left_out() const noexcept { return left_out_; }

 private:
  bool examine(const Mode& mode, const ModeSet& here, const ModeSet& over_determined);
  void enter(RedundantRow row);
  [[nodiscard]] ModeSet where_zero(const std::map<int, double>& sum) const;
  [[nodiscard]] ModeSet where_same(const DroppedRow::Sum& sum, const ModeSystem& system) const;

  const Model& model_;
  const ModeSpace& space_;
  SignalRows signal_rows_;
  int modes_left_;  ///< that may still be examined
  ModeSet examined_;
  std::vector<RedundantRow> rows_;
  std::vector<ModeSet> left_out_;
};

}  // namespace mti
