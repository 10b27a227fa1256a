#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "io/studies/study_results.hpp"
#include "io/studies/study_team.hpp"
#include "io/study_plans/study_plan.hpp"

namespace mti {

struct StudyOptions {
  int jobs = 0;  ///< threads; 0: one for each processor, or one in each process of a team
  bool resume = false;
  StudyPage page = StudyPage::written;
  std::optional<StudyShard> shard = {};
  double max_seconds = std::numeric_limits<double>::infinity();  ///< wall clock, for all runs
  std::stop_token stop_token = {};
  std::function<void(long done, long runs)> progress = {};  ///< called now and then, by the calling thread
  const StudyTeam* team = nullptr;  ///< processes that make the study together: each calls run_study

  /// Every fault of these options (ids `bad-option`), empty if there is none.
  [[nodiscard]] std::vector<Fault> validate() const;
};

/// Names of all files that a study may write into its folder.
[[nodiscard]] std::span<const std::string> study_files();

/// Makes the runs of a study and writes runs.csv, study.json and report.html into a folder (study_results.hpp).
///
/// Run i depends on the plan and i alone: the files are the same byte for byte for any number of threads and processes, with
/// or without interruptions. Rows go into journal.csv as runs end; where the process is killed all of them remain, and only the runs that
/// were under way are lost. A study that was stopped or whose time was over ends its runs under way, which do not count,
/// and writes what it has: `resume` goes on with either. In a team each process has a journal of its own meanwhile; rank 0 writes
/// the results and says how far the study has come, of the others each says nothing.
///
/// Errors: InvalidOption, id `output-is-input` among others (the folder holds the plan, or what it reads, under one of these
/// names); UnusableFile, ids `file-unwritable`, `unfinished-study` (the folder holds runs of a study that is not
/// complete, and is not asked to go on with it), `study-changed` (to be resumed with another plan or model); TeamLeft.
StudyEnd run_study(const StudyPlan& plan, const std::filesystem::path& directory,
                   const StudyOptions& options = {});

/// Puts the runs of folders together in one, as if they had been made there. What is missing can be made by resuming it.
/// Errors: as of run_study; `no-results` where a folder has no journal.
StudyEnd merge_studies(const StudyPlan& plan, const std::vector<std::filesystem::path>& parts,
                       const std::filesystem::path& directory, StudyPage page = StudyPage::written);

}  // namespace mti
