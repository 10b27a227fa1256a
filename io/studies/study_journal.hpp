#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "io/files/journal_file.hpp"
#include "io/studies/study_plan.hpp"

namespace mti {

/// The rows that a journal holds: where in the file that of each run stands.
///
/// A line is a check sum, a comma and the row as it is in runs.csv. Lines whose sum is another were cut short, and
/// do not count.
class JournalRows {
 public:
  /// Reads a journal from front to back; without a file there are no rows. Errors: UnusableFile, id `study-changed`, where it
  /// is that of another plan; `file-unreadable`.
  JournalRows(std::filesystem::path path, const StudyPlan& plan);

  [[nodiscard]] long runs() const { return static_cast<long>(places_.size()); }
  [[nodiscard]] bool has(long run) const { return places_[static_cast<std::size_t>(run)] >= 0; }
  [[nodiscard]] long count() const;
  /// The row of a run that there is, without a line end. Fast for runs in the order in which they stand in the file.
  [[nodiscard]] std::string row(long run);

 private:
  std::filesystem::path path_;
  std::vector<std::int64_t> places_;  ///< of the row; −1: there is none
  std::ifstream file_;
  std::int64_t position_ = -1;
};

/// Takes the rows of runs as they end, from any thread, in any order.
class StudyJournal {
 public:
  enum class Beginning { anew, resumed };
  /// Errors of all members: UnusableFile, id `file-unwritable`.
  StudyJournal(const std::filesystem::path& path, const StudyPlan& plan, Beginning beginning);
  void add(const std::string& row);

 private:
  std::mutex mutex_;
  JournalFile file_;
};

/// Name of the journal in the folder of a study.
inline constexpr const char* study_journal_name = "journal.csv";

}  // namespace mti
