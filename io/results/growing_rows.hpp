#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/results/csv_rows.hpp"
#include "io/results/modelica_mat.hpp"
#include "io/results/netcdf_rows.hpp"
#include "io/results/result_columns.hpp"
#include "io/results/result_rows.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {

/// The file that holds the rows of a run while it grows: one of `files`, or, of NetCDF, one that is in its place from the
/// beginning.
class GrowingRows {
 public:
  GrowingRows(const std::filesystem::path& directory, StagedFiles& files, const Model& model,
              const SimulationOptions& options, const Trajectory& like, const ResultSelection& selection);

  /// What such a file needs is there. Errors: UnusableFile, id `file-unreadable`.
  static void require(RowFile file);
  [[nodiscard]] static const std::string& name_of(RowFile file);
  /// Those of the other kinds that a run of mti has left in the directory.
  [[nodiscard]] static std::vector<std::string> others(const std::filesystem::path& directory, RowFile file);

  void add(const Trajectory& part);
  /// The run has ended.
  void end(const Trajectory& run);

 private:
  [[nodiscard]] TextSink to_file();
  [[nodiscard]] ResultRows::Use writing();
  void flush();

  StagedFiles& files_;
  RowFile file_;
  ResultRows rows_;
  std::optional<CsvRows> csv_;
  std::optional<ModelicaMat> mat_;
  std::optional<NetcdfRows> netcdf_;
};

}  // namespace mti
