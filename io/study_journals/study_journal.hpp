#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/journal_file.hpp"
#include "io/study_plans/study_plan.hpp"

namespace mti {

/// Goes through the rows of a journal from front to back; without a file there are none. `place` is where a row begins. A row
/// that is taken back has none: `place` is −1 then.
///
/// A line is a check sum, a comma and the row as it is in runs.csv. Lines whose sum is another were cut short, and
/// do not count. Errors: UnusableFile, id `study-changed`, where it is that of another plan; `file-unreadable`.
void read_journal(const std::filesystem::path& path, const StudyPlan& plan,
                  const std::function<void(long run, std::int64_t place, std::string_view row)>& use);

/// Whether there is anything behind the first line of a journal.
[[nodiscard]] bool has_rows(const std::filesystem::path& journal);

/// The rows that a journal holds: where in the file that of each run stands, the last if there are several.
class JournalRows {
 public:
  /// Errors: those of read_journal().
  JournalRows(std::filesystem::path path, const StudyPlan& plan);

  [[nodiscard]] long runs() const { return static_cast<long>(places_.size()); }
  [[nodiscard]] bool has(long run) const { return places_[static_cast<std::size_t>(run)] >= 0; }
  [[nodiscard]] long count() const;
  void forget(long run) { places_[static_cast<std::size_t>(run)] = -1; }
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
  /// While it lives nobody else who asks for it writes to the file. A file of another kind is refused. Errors of all
  /// members: UnusableFile, id `file-unwritable`.
  StudyJournal(const std::filesystem::path& path, const StudyPlan& plan);
  /// One of the two comes first. What there is goes, or stays, its last line ended where it was cut short.
  void begin_anew();
  void go_on();

  void add(const std::string& row);
  void add(std::span<const std::string> rows);  ///< at once
  /// These rows do not count any more: the runs are to be made again.
  void take_back(std::span<const long> runs);

 private:
  std::filesystem::path path_;
  std::string header_;
  std::mutex mutex_;
  JournalFile file_;
};

/// What every journal has in its first line.
inline constexpr const char* study_journal_mark = "mti study journal";

/// Name of the journal in the folder of a study.
inline constexpr const char* study_journal_name = "journal.csv";

}  // namespace mti
