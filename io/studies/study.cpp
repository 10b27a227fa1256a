#include "io/studies/study.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <utility>

#include "io/files/files.hpp"
#include "io/studies/run_queue.hpp"
#include "io/studies/run_sharing.hpp"
#include "io/studies/study_crew.hpp"
#include "io/studies/study_netcdf.hpp"
#include "io/studies/study_report.hpp"
#include "io/studies/study_rows.hpp"
#include "io/studies/what_if_page.hpp"
#include "io/study_journals/study_journal.hpp"
#include "io/study_journals/team_journals.hpp"
#include "io/study_journals/trajectory_journal.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

/// Whether the summary in a folder has this member; no name in it can look like one.
bool summary_has(const std::filesystem::path& directory, std::string_view member) {
  std::error_code ignored;
  const std::filesystem::path path = directory / study_summary_name;
  return std::filesystem::is_regular_file(path, ignored) && read_file(path).find(member) != std::string::npos;
}

/// Whether the results in a folder say that the study is complete.
bool has_complete_results(const std::filesystem::path& directory) {
  return summary_has(directory, "\"complete\": true");
}

/// They are those of a part alone.
bool is_of_shard(const std::filesystem::path& directory) { return summary_has(directory, R"("shard": ")"); }

/// All runs are there.
bool is_whole_study(const std::filesystem::path& directory, const JournalRows& rows) {
  return has_complete_results(directory) && !is_of_shard(directory) && rows.count() == rows.runs();
}

/// Makes room for a study that begins: nothing of an older one stays that could be taken for its results.
void clear(const std::filesystem::path& directory) {
  std::error_code ignored;
  const auto teams = team_journals(directory);
  const bool is_whole = has_complete_results(directory) && !is_of_shard(directory);
  if ((has_rows(directory / study_journal_name) && !is_whole) || !teams.empty())
    throw UnusableFile("unfinished-study", "",
                       directory.string() +
                           " holds runs of a study that is not complete: --resume goes on with it; remove " +
                           study_journal_name +
                           (teams.empty() ? ""
                                          : " and those of its processes, " +
                                                teams.front().filename().string() + " and so on,") +
                           " there, or give another folder, to begin anew");
  const std::array<std::string, 3> names = {study_table_name, study_summary_name, study_page_name};
  prepare_directory(directory, names);
  for (const std::string& name : names) std::filesystem::remove(directory / name, ignored);
  if (begins_with(directory / study_netcdf_name, "written by mti"))
    std::filesystem::remove(directory / study_netcdf_name, ignored);
  if (begins_with(directory / what_if_page_name, study_pages_mark))
    std::filesystem::remove(directory / what_if_page_name, ignored);
  remove_trajectory_journals(directory);
}

/// Which trajectories have to be there.
enum class TrajectoriesThere {
  none,      ///< the plan keeps none, or all are in one file
  recorded,  ///< in the journals
  sound,     ///< and undamaged, which takes a look at each
};

/// The runs that are there, with their trajectories.
struct RunsThere {
  RunsThere(const std::filesystem::path& directory, const StudyPlan& plan, TrajectoriesThere trajectories)
      : rows(directory / study_journal_name, plan) {
    if (trajectories == TrajectoriesThere::none) return;
    records.emplace(directory, plan);
    if (trajectories == TrajectoriesThere::sound) records->forget_damaged();
    for (long run = 0; run < plan.runs; ++run)
      if (!records->has(run) && rows.has(run)) {
        rows.forget(run);
        alone.push_back(run);
      }
  }

  JournalRows rows;
  std::optional<TrajectoryRecords> records;
  std::vector<long> alone = {};  ///< runs whose row has lost its trajectory
};

/// Writes all results but the journals; the summary, which says that they are complete, after the trajectories.
StudyEnd write_results(const std::filesystem::path& directory, const StudyPlan& plan,
                       const StudyPoints& points, RunsThere& there, const std::optional<StudyShard>& shard,
                       StudyPage page) {
  if (there.records) write_study_netcdf(directory, plan, there.rows, *there.records, shard);
  StudyEnd end = write_study_results(directory, plan, points, there.rows, shard, page);
  if (!there.records || (end.is_complete() && !shard)) remove_trajectory_journals(directory);
  return end;
}

/// What a process does in a study.
class StudyPart {
 public:
  StudyPart(const StudyPlan& plan, const std::filesystem::path& directory, const StudyOptions& options)
      : plan_(plan), directory_(directory), options_(options) {}

  /// Alone, or as rank 0 of a team: prepares the folder, deals the runs and writes the results.
  [[nodiscard]] StudyEnd lead() const {
    std::vector<std::string> names(study_files().begin(), study_files().end());
    const int ranks = options_.team != nullptr ? options_.team->ranks : 1;
    for (int rank = 1; rank < ranks; ++rank) names.push_back(team_journal_name(rank));
    plan_.inputs.keep_from(directory_, names);
    const std::filesystem::path path = directory_ / study_journal_name;
    // Nobody else has the folder until the results are written.
    StudyJournal journal(path, plan_);
    if (options_.resume) {
      const JournalRows refuses_another_plan(path, plan_);  // before it is touched
      journal.go_on();
    } else {
      clear(directory_);
      journal.begin_anew();
    }
    const StudyPoints points(plan_);
    gather_team_journals(directory_, plan_, JournalRows(path, plan_), journal);
    const bool is_whole = options_.resume && is_whole_study(directory_, JournalRows(path, plan_));
    // The summary says that a study is complete once all trajectories are in one file.
    const bool has_all = is_whole && begins_with(directory_ / study_netcdf_name, "written by mti");
    const auto trajectories = plan_.trajectories.empty() || has_all ? TrajectoriesThere::none
                              : options_.resume                     ? TrajectoriesThere::sound
                                                                    : TrajectoriesThere::recorded;
    if (trajectories != TrajectoriesThere::none) try_study_netcdf(directory_, plan_);
    const std::optional<StudyShard> shard = is_whole ? std::nullopt : options_.shard;
    std::vector<long> runs;
    {
      const RunsThere before(directory_, plan_, trajectories);
      journal.take_back(before.alone);  // a row and a trajectory are of one run
      runs = missing(before.rows, shard);
    }
    meet();
    make(points, journal, std::move(runs));
    meet();
    gather_team_journals(directory_, plan_, JournalRows(path, plan_), journal);
    RunsThere there(directory_, plan_, std::min(trajectories, TrajectoriesThere::recorded));
    return write_results(directory_, plan_, points, there, shard, options_.page);
  }

  /// As another rank of a team.
  [[nodiscard]] StudyEnd follow() const {
    meet();
    const StudyPoints points(plan_);
    {
      StudyJournal journal(directory_ / team_journal_name(options_.team->rank), plan_);
      journal.begin_anew();
      make(points, journal, {});
    }
    meet();
    return {};
  }

 private:
  void meet() const {
    if (options_.team != nullptr) options_.team->meet();
  }

  [[nodiscard]] std::vector<long> missing(const JournalRows& there,
                                          const std::optional<StudyShard>& shard) const {
    std::vector<long> runs;
    for (long run = 0; run < plan_.runs; ++run)
      if ((!shard || shard->has(run)) && !there.has(run)) runs.push_back(run);
    return runs;
  }

  /// Makes runs until none of the study is left.
  void make(const StudyPoints& points, StudyJournal& journal, std::vector<long> runs) const {
    const long processors = std::max(1L, static_cast<long>(std::thread::hardware_concurrency()));
    long threads = options_.jobs;
    if (threads == 0) threads = options_.team != nullptr ? 1 : processors;
    if (options_.team == nullptr) threads = std::min(threads, static_cast<long>(runs.size()));
    std::optional<TrajectoryJournal> trajectories;
    const int rank = options_.team != nullptr ? options_.team->rank : 0;
    if (!plan_.trajectories.empty() && threads > 0)
      trajectories.emplace(directory_ / trajectory_journal_name(rank), plan_);
    meet();  // from here on each waits for answers of the others
    RunQueue queue;
    RunSharing sharing(std::move(runs), options_.team, queue, threads);
    StudyCrew(plan_, points, journal, trajectories ? &*trajectories : nullptr, queue)
        .work(threads, options_, sharing);
  }

  const StudyPlan& plan_;
  const std::filesystem::path& directory_;
  const StudyOptions& options_;
};

/// A part of a study: its journals, and its trajectories where the plan keeps any.
class StudyToMerge {
 public:
  /// Errors: UnusableFile, id `no-results`, where there is no journal, or no trajectory of a run that it has.
  StudyToMerge(const std::filesystem::path& folder, const StudyPlan& plan) {
    const std::filesystem::path path = folder / study_journal_name;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      throw UnusableFile("no-results", "",
                         "there is no " + std::string(study_journal_name) + " in " + folder.string() +
                             ": mti study PLAN --shard k/N --out " + folder.string() + " writes it");
    journals_.emplace_back(path, plan);
    for (const std::filesystem::path& other : team_journals(folder)) journals_.emplace_back(other, plan);
    if (plan.trajectories.empty()) return;
    records_.emplace(folder, plan);
    records_->forget_damaged();
    if (has_complete_results(folder) && !is_of_shard(folder))
      throw UnusableFile("no-results", "",
                         folder.string() + " holds a whole study, its trajectories in " +
                             std::string(study_netcdf_name) + ": there is nothing to merge");
    for (long run = 0; run < plan.runs; ++run)
      if (journal_of(run) != nullptr && !records_->has(run))
        throw UnusableFile("no-results", "",
                           "there is no trajectory of run " + std::to_string(run) + " in " + folder.string() +
                               ": trajectories of parts stand in trajectories.bin; mti study PLAN --resume "
                               "--shard k/N --out " +
                               folder.string() + " makes it again");
  }

  [[nodiscard]] bool has(long run) { return journal_of(run) != nullptr; }
  void copy(long run, StudyJournal& journal, std::optional<TrajectoryJournal>& trajectories) {
    if (trajectories) trajectories->add(records_->read(run));
    journal.add(journal_of(run)->row(run));
  }

 private:
  [[nodiscard]] JournalRows* journal_of(long run) {
    const auto found =
        std::ranges::find_if(journals_, [run](const JournalRows& rows) { return rows.has(run); });
    return found == journals_.end() ? nullptr : &*found;
  }

  std::vector<JournalRows> journals_;
  std::optional<TrajectoryRecords> records_;
};

}  // namespace

std::span<const std::string> study_files() {
  static const std::array<std::string, 7> names = {
      study_journal_name, study_table_name,           study_summary_name, study_page_name,
      study_netcdf_name,  trajectory_journal_name(0), what_if_page_name};
  return names;
}

std::vector<Fault> StudyOptions::validate() const {
  constexpr int most_jobs = 4096;
  std::vector<Fault> faults;
  const auto refuse = [&](const std::string& message) { faults.push_back({"bad-option", "", message}); };
  if (jobs < 0 || jobs > most_jobs) refuse("jobs: expected 0 to 4096");
  if (!(max_seconds > 0.0)) refuse("max_seconds: expected a positive number of seconds");
  if (shard && !(shard->part >= 1 && shard->part <= shard->parts))
    refuse("shard: expected k/N with 1 <= k <= N");
  return faults;
}

StudyEnd run_study(const StudyPlan& plan, const std::filesystem::path& directory,
                   const StudyOptions& options) {
  if (auto faults = options.validate(); !faults.empty()) throw InvalidOption(std::move(faults));
  const StudyPart part(plan, directory, options);
  return options.team == nullptr || options.team->rank == 0 ? part.lead() : part.follow();
}

StudyEnd merge_studies(const StudyPlan& plan, const std::vector<std::filesystem::path>& parts,
                       const std::filesystem::path& directory, StudyPage page) {
  plan.inputs.keep_from(directory, study_files());
  std::vector<StudyToMerge> studies;
  for (const std::filesystem::path& part : parts) {
    if (are_one_file(part, directory))
      throw InvalidOption("bad-option", "", "--merge: " + part.string() + " cannot be merged into itself");
    studies.emplace_back(part, plan);
  }
  StudyJournal journal(directory / study_journal_name, plan);
  clear(directory);
  journal.begin_anew();
  {
    std::optional<TrajectoryJournal> trajectories;
    if (!plan.trajectories.empty()) trajectories.emplace(directory / trajectory_journal_name(0), plan);
    for (long run = 0; run < plan.runs; ++run) {
      const auto study = std::ranges::find_if(studies, [run](StudyToMerge& one) { return one.has(run); });
      if (study != studies.end()) study->copy(run, journal, trajectories);
    }
  }
  const StudyPoints points(plan);
  RunsThere there(directory, plan,
                  plan.trajectories.empty() ? TrajectoriesThere::none : TrajectoriesThere::recorded);
  return write_results(directory, plan, points, there, {}, page);
}

}  // namespace mti
