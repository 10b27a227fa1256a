#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/study_journals/trajectory_journal.hpp"
#include "io/study_plans/study_plan.hpp"
#include "io/study_plans/study_points.hpp"
#include "solvers/run_options/run_memory.hpp"

namespace mti {

/// The columns of runs.csv: run, the factors, outcome, end_time, events, the kept quantities, message.
[[nodiscard]] std::vector<std::string> study_columns(const StudyPlan& plan);

/// Cells of a line of csv, without the quotes of those that have them.
[[nodiscard]] std::vector<std::string> csv_cells(std::string_view line);
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);  ///< without a line end

/// What is kept of a run.
struct StudyRow {
  std::vector<std::string> cells;           ///< by columns
  std::optional<RunTrajectory> trajectory;  ///< where the plan keeps any
};

/// Makes the runs of a study, one after the other. A thread has one of its own.
class StudyWorker {
 public:
  /// Both outlive it.
  StudyWorker(const StudyPlan& plan, const StudyPoints& points);

  /// A run that fails has its outcome and message, and empty cells for what it has not come to. The outcome of one whose
  /// values make no valid model is `invalid_model`. Nothing where the run was stopped.
  [[nodiscard]] std::optional<StudyRow> row(long run, std::stop_token stop);

 private:
  [[nodiscard]] Overrides set_values(long run, std::vector<std::string>& cells) const;
  void put_tables(long run, const Overrides& values);

  const StudyPlan& plan_;
  const StudyPoints& points_;
  bool has_tables_of_components_ = false;
  Composition composition_;  ///< of a plain model with the values of the run
  RunMemory memory_;         ///< of the runs before
};

}  // namespace mti
