#pragma once

#include <chrono>
#include <optional>
#include <span>
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

/// The file, one of `files`, that holds the rows of a run while it grows.
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
  /// Whether it is time to show() the rows so far: of NetCDF, whose file nobody can read before it is closed, now and then.
  [[nodiscard]] bool is_to_be_shown() const;
  /// A file with the rows so far takes its place, where the disk has room for two. `superseded`: as in StagedFiles::publish().
  void show(std::span<const std::string> superseded);
  [[nodiscard]] bool was_shown() const noexcept { return was_shown_; }
  /// The run has ended.
  void end(const Trajectory& run);

 private:
  [[nodiscard]] TextSink to_file();
  [[nodiscard]] ResultRows::Use writing();
  void flush();

  using Clock = std::chrono::steady_clock;

  StagedFiles& files_;
  RowFile file_;
  ResultRows rows_;
  Clock::time_point next_show_;
  bool was_shown_ = false;
  std::optional<CsvRows> csv_;
  std::optional<ModelicaMat> mat_;
  std::optional<NetcdfRows> netcdf_;
};

}  // namespace mti
