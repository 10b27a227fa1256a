#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "io/study_journals/study_journal.hpp"
#include "io/study_plans/study_plan.hpp"
#include "io/study_plans/study_points.hpp"

namespace mti {

/// Part k of N of the runs of a study: those with i mod N = k − 1.
struct StudyShard {
  int part = 1, parts = 1;
  [[nodiscard]] bool has(long run) const { return run % parts == part - 1; }
};

/// How far a study has come.
struct StudyEnd {
  long runs = 0;  ///< of the shard
  long done = 0;
  std::map<std::string, long> outcomes = {};  ///< how many runs ended so, by the outcome's word
  [[nodiscard]] bool is_complete() const { return done == runs; }
};

inline constexpr const char* study_table_name = "runs.csv";
inline constexpr const char* study_summary_name = "study.json";
inline constexpr const char* study_page_name = "report.html";

enum class StudyPage { left_out, written };

/// "100 of 100 runs: 93 reached_stop, 7 dead_end", the most frequent first.
[[nodiscard]] std::string how_runs_ended(const StudyEnd& end);

/// Writes runs.csv, a line for each run that is there in the order of runs, and study.json: how runs ended, and of each kept
/// quantity number, mean, standard deviation, extremes, quantiles and the part of the variance that each factor explains by itself.
/// The page (study_report.hpp) shows them and appears after them, which appear at once; all depend on the plan and the rows alone. Memory: some columns of the table at a time.
/// Errors: UnusableFile.
StudyEnd write_study_results(const std::filesystem::path& directory, const StudyPlan& plan,
                             const StudyPoints& points, JournalRows& rows,
                             const std::optional<StudyShard>& shard, StudyPage page);

}  // namespace mti
