#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/report/report.hpp"
#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The rows of a run as text: header `time,side,name…`, then one line per row; states, inputs, algebraic signals, binaries.
///
/// side is 0 at an output time, -1 and 1 at the left and right limits of an event. Numbers are the shortest
/// text that reads back as the same double; a value that is not finite is an empty cell.
[[nodiscard]] std::string trajectory_csv(const Model& model, const Trajectory& trajectory);

/// The events of a run as a JSON array, in the model's names (docs/events.md).
[[nodiscard]] std::string events_json(const Model& model, const Trajectory& trajectory);

/// Outcome, statistics and options of a run as a JSON object. What `options` leave unset is shown as the
/// value of the model's experiment that was used instead.
[[nodiscard]] std::string summary_json(const Model& model, const Trajectory& trajectory,
                                       const SimulationOptions& options);

enum class WithReport { no, yes };

/// What holds the rows of a run.
enum class RowFile {
  csv,     ///< trajectory.csv
  netcdf,  ///< trajectory.nc, of NetCDF-4: it is there from the beginning, and can be read while the run goes on
  mat,     ///< trajectory.mat, as tools for Modelica write and read it
};

/// What is written of the rows of a run.
struct ResultSelection {
  std::vector<std::string> signals =
      {};                  ///< names, with * and ?, such as "x*" and "der(T)"; none: all but derivatives
  bool event_rows = true;  ///< the two rows at each event, besides those at output times
  RowFile file = RowFile::csv;
};

/// Names of all files that a run may write: trajectory.csv or .nc or .mat, events.json, summary.json, sensitivity.csv (of a run
/// with derivatives), report.html, results.mat.
[[nodiscard]] std::span<const std::string> result_files();

/// Writes the results of a run that has kept its rows; io/results/result_stream.hpp writes those of one while it goes on.
///
/// That is trajectory.csv, events.json, summary.json and, if wanted, report.html in a directory, which is
/// made if it is missing. Each file appears whole or not at all, but for rows that do not fit
/// (io/results/result_stream.hpp). `context` is for the report. A report.html or
/// results.mat of an earlier run is removed, for it would not go with these files; one that mti has not
/// written stays. Errors: UnusableFile, id `file-unwritable`.
void write_results(const std::filesystem::path& directory, const Model& model, const Trajectory& trajectory,
                   const SimulationOptions& options, WithReport with_report,
                   const ReportContext& context = {});

/// Writes the rows, events and outcome of a run as a MAT file: names, time, side, values, events, outcome; columns as in trajectory.csv.
/// Errors: UnusableFile, id `file-unwritable`.
void write_mat_results(const Model& model, const Trajectory& trajectory, const std::filesystem::path& path,
                       const ResultSelection& selection = {});

}  // namespace mti
