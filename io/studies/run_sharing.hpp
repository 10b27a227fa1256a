#pragma once

#include <chrono>
#include <vector>

#include "io/studies/run_queue.hpp"
#include "io/studies/study_team.hpp"

namespace mti {

/// Brings the runs of a study to the queues of the processes that make them, by messages to and from rank 0.
///
/// A process asks when fewer runs wait than it has threads, and is given a block. Blocks grow where they last less than
/// `shortest_block`, shrink where they last longer than `longest_block`, and at the end are a part of what is left, so that all
/// processes end at about the same time. Alone, a process has all runs at once.
class RunSharing {
 public:
  /// `runs`: those to be made, which rank 0 knows. `threads`: of this process. All outlive it but the runs.
  RunSharing(std::vector<long> runs, const StudyTeam* team, RunQueue& queue, long threads);

  /// Sends, receives and fills the queue; does not wait. `made`: how many runs this process has made. `stopped`: it makes
  /// no more; rank 0 then deals no more either.
  void tend(long made, bool stopped);

  /// Nobody waits for an answer of this process, nor it for one.
  [[nodiscard]] bool is_over() const;
  /// Runs made by all, as far as rank 0 has heard.
  [[nodiscard]] long made() const;
  [[nodiscard]] long runs() const { return static_cast<long>(runs_.size()); }

 private:
  using Clock = std::chrono::steady_clock;
  /// What rank 0 knows of a process.
  struct Member {
    long block = 1, made = 0, threads = 1;
    Clock::time_point given = {};
    bool has_left = false;
  };

  void deal(long made, bool stopped);
  void ask(long made, bool stopped);
  [[nodiscard]] StudyTeam::Message next_block(Member& member);

  std::vector<long> runs_;
  std::size_t next_ = 0;  ///< of runs_
  const StudyTeam* team_;
  RunQueue& queue_;
  std::vector<Member> members_;            ///< at rank 0
  bool asked_ = false, has_left_ = false;  ///< at other ranks
  long threads_;
};

}  // namespace mti
