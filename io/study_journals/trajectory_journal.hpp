#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files/journal_file.hpp"
#include "io/study_plans/study_plan.hpp"

namespace mti {

/// The rows of one run, of the signals that the plan keeps.
struct RunTrajectory {
  long run = 0;
  std::vector<std::string> names = {};
  std::vector<double> time = {};
  std::vector<signed char> side = {};            ///< 0 at output times, ∓1 at the limits of an event
  std::vector<std::vector<double>> values = {};  ///< by names
};

/// Takes the trajectories of runs as they end, from any thread, in any order.
///
/// The file begins with a line that names the plan. A record is its mark, the number of bytes that follow, their check sum, and
/// these bytes: run, rows, columns, names, time, side, and the values column by column.
class TrajectoryJournal {
 public:
  /// Goes on behind what is there; what was cut short goes. Errors of all members: UnusableFile, id `file-unwritable`.
  TrajectoryJournal(const std::filesystem::path& path, const StudyPlan& plan);
  void add(const RunTrajectory& trajectory);

 private:
  std::mutex mutex_;
  JournalFile file_;
};

/// What the journals of trajectories in a folder hold, those of all processes: where the record of each run stands.
class TrajectoryRecords {
 public:
  /// Errors of all members: UnusableFile, ids `study-changed`, where one is that of another plan; `file-unreadable`.
  TrajectoryRecords(const std::filesystem::path& directory, const StudyPlan& plan);

  [[nodiscard]] bool has(long run) const { return places_[static_cast<std::size_t>(run)].first >= 0; }
  /// Reads all records: those whose check sum is another are not there.
  void forget_damaged();
  [[nodiscard]] std::vector<std::string> names(long run);
  [[nodiscard]] RunTrajectory read(long run);

 private:
  [[nodiscard]] std::ifstream& file_at(long run);
  /// Nothing where the check sum is another.
  [[nodiscard]] std::optional<std::string> bytes_of_run(long run);

  std::vector<std::filesystem::path> paths_;
  std::vector<std::pair<int, std::int64_t>> places_;  ///< by run: which file, and where; −1: none
  int open_ = -1;
  std::ifstream file_;
};

/// "trajectories.bin", or of another rank of a team "trajectories-RANK.bin".
[[nodiscard]] std::string trajectory_journal_name(int rank);
/// Those in a folder; no files of others.
[[nodiscard]] std::vector<std::filesystem::path> trajectory_journals(const std::filesystem::path& directory);
void remove_trajectory_journals(const std::filesystem::path& directory);

}  // namespace mti
