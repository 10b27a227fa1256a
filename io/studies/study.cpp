#include "io/studies/study.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "io/files/files.hpp"
#include "io/studies/study_journal.hpp"
#include "io/studies/study_rows.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

/// The threads of a study: each takes the next run that nobody has.
class StudyCrew {
 public:
  StudyCrew(const StudyPlan& plan, const StudyPoints& points, const JournalRows& there, StudyJournal& journal,
            const std::optional<StudyShard>& shard)
      : plan_(plan), points_(points), there_(there), journal_(journal), shard_(shard) {
    for (long run = 0; run < plan.runs; ++run)
      if (is_to_be_made(run)) ++to_make_;
  }

  /// Throws what went wrong in a thread, once all of them have ended.
  void work(const StudyOptions& options) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds between_looks(20);
    const Clock::time_point begun = Clock::now();
    const std::stop_callback forward(options.stop_token, [this] { stop_.request_stop(); });
    const long processors = std::max(1L, static_cast<long>(std::thread::hardware_concurrency()));
    const long wanted = std::min(options.jobs > 0 ? options.jobs : processors, to_make_);
    std::vector<std::jthread> threads;
    {
      const std::lock_guard hold(mutex_);
      try {
        for (; at_work_ < wanted; ++at_work_) threads.emplace_back([this] { make_runs(); });
      } catch (const std::system_error&) {  // no room for more threads
        if (threads.empty()) throw;
      }
    }
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between_looks, [this] { return at_work_ == 0; })) {
      const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
      if (seconds > options.max_seconds) stop_.request_stop();
      if (!options.progress) continue;
      lock.unlock();  // it may take its time, and throw
      try {
        options.progress(made_, to_make_);
      } catch (...) {
        stop_.request_stop();
        throw;
      }
      lock.lock();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  [[nodiscard]] bool is_to_be_made(long run) const {
    return (!shard_ || shard_->has(run)) && !there_.has(run);
  }

  void make_runs() {
    try {
      StudyWorker worker(plan_, points_);
      while (!stop_.stop_requested()) {
        const long run = next_++;
        if (run >= plan_.runs) break;
        if (!is_to_be_made(run)) continue;
        const auto cells = worker.row(run, stop_.get_token());
        if (!cells) break;
        journal_.add(csv_line(*cells));
        ++made_;
      }
    } catch (...) {
      stop_.request_stop();
      const std::lock_guard hold(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    const std::lock_guard hold(mutex_);
    --at_work_;
    ended_.notify_all();
  }

  const StudyPlan& plan_;
  const StudyPoints& points_;
  const JournalRows& there_;
  StudyJournal& journal_;
  const std::optional<StudyShard>& shard_;
  std::atomic<long> next_ = 0, made_ = 0;
  long to_make_ = 0;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable ended_;
  long at_work_ = 0;                 ///< under the mutex
  std::exception_ptr failure_ = {};  ///< under the mutex
};

/// Whether the results in a folder say that the study is complete.
bool has_complete_results(const std::filesystem::path& directory) {
  return begins_with(directory / study_summary_name, "\"complete\": true");
}

/// Makes room for a study that begins: nothing of an older one stays that could be taken for its results.
void clear(const std::filesystem::path& directory) {
  const std::filesystem::path journal = directory / study_journal_name;
  std::error_code ignored;
  if (std::filesystem::file_size(journal, ignored) > 0 && !ignored && !has_complete_results(directory))
    throw UnusableFile("unfinished-study", "",
                       directory.string() +
                           " holds runs of a study that is not complete: --resume goes on with it; remove " +
                           study_journal_name + " there, or give another folder, to begin anew");
  const std::array<std::string, 3> names = {study_table_name, study_summary_name, study_page_name};
  prepare_directory(directory, names);
  for (const std::string& name : names) std::filesystem::remove(directory / name, ignored);
}

}  // namespace

std::span<const std::string> study_files() {
  static const std::array<std::string, 4> names = {study_journal_name, study_table_name, study_summary_name,
                                                   study_page_name};
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
  plan.inputs.keep_from(directory, study_files());
  const std::filesystem::path journal_path = directory / study_journal_name;
  if (!options.resume) clear(directory);
  const StudyPoints points(plan);
  {
    // The lock of the journal comes first: nobody adds rows after they were read.
    std::optional<JournalRows> there;
    if (options.resume)
      there.emplace(journal_path, plan);  // refuses what is of another plan, before it is touched
    StudyJournal journal(journal_path, plan,
                         options.resume ? StudyJournal::Beginning::resumed : StudyJournal::Beginning::anew);
    there.emplace(journal_path, plan);
    StudyCrew(plan, points, *there, journal, options.shard).work(options);
  }
  JournalRows rows(journal_path, plan);
  return write_study_results(directory, plan, points, rows, options.shard, options.page);
}

StudyEnd merge_studies(const StudyPlan& plan, const std::vector<std::filesystem::path>& parts,
                       const std::filesystem::path& directory, StudyPage page) {
  plan.inputs.keep_from(directory, study_files());
  std::vector<JournalRows> journals;
  for (const std::filesystem::path& part : parts) {
    const std::filesystem::path path = part / study_journal_name;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      throw UnusableFile("no-results", "",
                         "there is no " + std::string(study_journal_name) + " in " + part.string() +
                             ": mti study PLAN --shard k/N --out " + part.string() + " writes it");
    if (are_one_file(part, directory))
      throw InvalidOption("bad-option", "", "--merge: " + part.string() + " cannot be merged into itself");
    journals.emplace_back(path, plan);
  }
  clear(directory);
  const std::filesystem::path journal_path = directory / study_journal_name;
  {
    StudyJournal journal(journal_path, plan, StudyJournal::Beginning::anew);
    for (long run = 0; run < plan.runs; ++run) {
      const auto found =
          std::ranges::find_if(journals, [run](const JournalRows& rows) { return rows.has(run); });
      if (found != journals.end()) journal.add(found->row(run));
    }
  }
  const StudyPoints points(plan);
  JournalRows rows(journal_path, plan);
  return write_study_results(directory, plan, points, rows, {}, page);
}

}  // namespace mti
