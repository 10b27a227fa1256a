#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "io/results/result_columns.hpp"
#include "solvers/run_options/output_times.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The rows of results, one after the other: all of a run, or those at output times alone. Of these one at which events happen
/// is what they lead to. All memory that it needs it has from the beginning.
class ResultRows {
 public:
  using Use = std::function<void(double time, int side, std::span<const double> values)>;

  ResultRows(ResultColumns columns, OutputTimes times, bool event_rows);

  [[nodiscard]] const ResultColumns& columns() const noexcept { return columns_; }
  void add(const Trajectory& part, const Use& use);
  /// The run has ended.
  void end(const Use& use);

 private:
  /// The output time that a row of this time is at, if it is at one.
  [[nodiscard]] std::optional<double> output_time(double time, int side);

  ResultColumns columns_;
  OutputTimes times_;
  bool event_rows_;
  std::vector<double> values_;
  bool waits_ = false;  ///< a row at an output time, for an event may take its place
  double time_ = 0.0;   ///< of this row
  double shown_ = 0.0;  ///< the output time, which rounding may tell apart from that of an event
};

}  // namespace mti
