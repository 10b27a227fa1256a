#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "io/report/report.hpp"
#include "io/results/write_results.hpp"
#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Writes the results of a run while it goes on, in memory that does not grow with its rows and events:
///
///     ResultStream results(directory, model, options, WithReport::yes);
///     options.sink = [&](const Trajectory& part) { results.add(part); };
///     results.finish(simulate(model, options), WithReport::yes);
///
/// The files are those of write_results(), byte for byte. They appear in finish(), the report after all others; until
/// then they grow under temporary names, which are removed with this. Of trajectory.nc there is one with the rows so far, now
/// and then, without the files of an earlier run.
/// Errors of all members: UnusableFile, id `file-unwritable`. Where rows and events do not fit on a disk, trajectory.csv, and
/// sensitivity.csv, appear with the whole rows that do, without events.json, summary.json and the files of an earlier
/// run, and trajectory.nc stays as it was shown last; where the report does not, all others are there.
class ResultStream {
 public:
  /// Makes the directory if it is missing. `model` outlives it. `selection` is of the rows.
  ResultStream(const std::filesystem::path& directory, const Model& model, const SimulationOptions& options,
               WithReport with_report, ResultSelection selection = {});
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;
  ~ResultStream();

  /// Rows and events of a part of the run. Where it throws std::bad_alloc it has written nothing of it.
  void add(const Trajectory& part);
  /// The run has ended. A report is written if it was wanted from the beginning and is so still.
  void finish(const Trajectory& run, WithReport with_report, const ReportContext& context = {});

  /// finish() in two steps, for who does not want to wait for the page of a large model: first the page, which may be made
  /// in another thread and is empty if none was wanted from the beginning; then the files, with it or without one.
  [[nodiscard]] std::string report_page(const Trajectory& run, const ReportContext& context = {});
  void finish(const Trajectory& run, std::string_view page);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mti
