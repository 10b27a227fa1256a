#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>

#include "io/studies/run_queue.hpp"
#include "io/studies/run_sharing.hpp"
#include "io/studies/study.hpp"
#include "io/study_journals/study_journal.hpp"
#include "io/study_journals/trajectory_journal.hpp"
#include "io/study_plans/study_points.hpp"

namespace mti {

/// The threads of a process in a study: each makes the next run of the queue, and the journal has its row.
class StudyCrew {
 public:
  /// All outlive it. `trajectories`: null where the plan keeps none.
  StudyCrew(const StudyPlan& plan, const StudyPoints& points, StudyJournal& journal,
            TrajectoryJournal* trajectories, RunQueue& queue)
      : plan_(plan), points_(points), journal_(journal), trajectories_(trajectories), queue_(queue) {}

  /// Returns when no run is left, the time is over or a stop was requested, and all threads have ended. Throws what went
  /// wrong in a thread, once no other process waits for this one; TeamLeft where others do not answer.
  void work(long threads, const StudyOptions& options, RunSharing& sharing);

 private:
  void make_runs();
  void report(const StudyOptions& options, const RunSharing& sharing);
  /// The exception at hand ends the work of all; under the mutex.
  void fail();

  const StudyPlan& plan_;
  const StudyPoints& points_;
  StudyJournal& journal_;
  TrajectoryJournal* trajectories_;
  RunQueue& queue_;
  std::atomic<long> made_ = 0;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable ended_;
  long at_work_ = 0;                 ///< under the mutex
  std::exception_ptr failure_ = {};  ///< under the mutex
};

}  // namespace mti
