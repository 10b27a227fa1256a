#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/admissibility/causal_step.hpp"
#include "solvers/admissibility/switching_problem.hpp"
#include "solvers/search/constraint_problem.hpp"
#include "solvers/search/nogoods.hpp"
#include "solvers/switching/candidate_record.hpp"
#include "solvers/switching/candidate_set.hpp"
#include "solvers/switching/influenced_binaries.hpp"
#include "solvers/switching/successor.hpp"
#include "solvers/switching/transition_memory.hpp"

namespace mti {

/// One search for the successor of one z⁻.
///
/// Each of its parts has one job: InfluencedBinaries which binaries may change, CandidateSet in which order their
/// assignments are tried, check_mode() whether a mode may follow, NogoodStore what that excludes, CandidateRecord
/// what comes of it all, and TransitionMemory what came of it the last time.
class SuccessorRun {
 public:
  /// What is given outlives the run.
  SuccessorRun(const SwitchingProblem& problem, const CausalSteps& causal_steps, const SearchOptions& options,
               const Mode& before, TransitionMemory& memory);
  SuccessorRun(const SuccessorRun&) = delete;
  SuccessorRun& operator=(const SuccessorRun&) = delete;
  ~SuccessorRun() = default;

  /// Once per run, as the next.
  [[nodiscard]] Successor find();
  /// Only a motion that slides over these binaries, or the deciders behind them.
  [[nodiscard]] Successor slide_over(std::span<const int> binaries);

 private:
  [[nodiscard]] bool logic_still_moves() const;
  [[nodiscard]] bool give_up_left_surfaces(const Admissibility& first);
  void give_up_all_surfaces();
  [[nodiscard]] bool may_remember() const;
  bool repeat_transition(const TransitionKey& key);
  void keep_transition(TransitionKey key);
  void search();
  void search_plain_and_sliding();
  bool substitute_forward(bool within_A);
  void search_assignments();
  void judge_assignments(const std::vector<int>& A, long most_tried);
  void judge_assignments(const std::vector<int>& A, long most_tried, Beginnings beginnings);
  [[nodiscard]] bool accepts(const Admissibility& sliding);
  void take_last_resort();
  void take_doubtful();
  /// A slide is at hand, and enough was judged beside it.
  [[nodiscard]] bool is_at_limit() const { return last_resort_ && record_.tried() >= most_candidates_; }
  void search_sliding();
  void pivot(const std::vector<int>& A);
  void make_causal_step(const Admissibility& first, const Mode& settled);
  void grow();
  void judge_the_rest();
  Admissibility judge(const std::vector<int>& flipped);
  [[nodiscard]] bool is_without_cause(const std::vector<int>& flipped, const Admissibility& verdict);
  void learn(const Admissibility& verdict);
  [[nodiscard]] std::vector<std::vector<int>> reasons_for(const Admissibility& verdict);
  [[nodiscard]] Mode with_flips(const std::vector<int>& flipped) const;

  /// Up to so many binaries every assignment is judged before A grows, so that all they break counts. More that are met
  /// at once are taken for relays, which rather slide than have an admissible assignment.
  static constexpr std::size_t most_binaries_judged_out = 10;
  /// So few assignments are sooner judged than reasoned about.
  static constexpr std::size_t most_binaries_without_reasons = 4;
  /// Where a slide is at hand that only comes into question if nothing else follows.
  static constexpr long most_judged_beside_a_slide = 1000;
  /// Where a doubtful candidate has been put aside (CandidateRecord).
  static constexpr long most_judged_beside_a_doubtful_one = 64;
  /// Modes that are judged to tell what reasons do not depend on.
  static constexpr int most_looks_ahead = 256;

  SwitchingProblem problem_;
  const CausalSteps& causal_steps_;
  const SearchOptions& options_;
  const Mode& as_it_came_;
  Mode z_minus_;  ///< with outputs in place and the surfaces that are kept
  InfluencedBinaries A_;
  NogoodStore nogoods_;
  CandidateRecord record_;
  TransitionMemory& memory_;
  KnownTransition judged_;               ///< by this run, without z⁻
  std::optional<Admissibility> first_;   ///< the verdict on z⁻ as it came
  const Admissibility* base_ = nullptr;  ///< the same, if candidates can be compared with it
  std::optional<Admissibility>
      of_z_minus_;                      ///< the verdict on z⁻ without the surfaces that were given up since
  int looks_ahead_ = most_looks_ahead;  ///< left
  std::optional<SlidingMotion> last_resort_;  ///< a doubtful one
  bool gave_up_beside_doubtful_ = false;
  struct Uncaused {
    Mode mode;
    std::size_t distance;
    Admissibility verdict;
  };
  std::optional<Uncaused> uncaused_;  ///< the nearest in which a comparison changes without a cause
  long most_candidates_;              ///< fewer where there is one
};

}  // namespace mti
