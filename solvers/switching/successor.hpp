#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/admissibility/causal_step.hpp"
#include "solvers/admissibility/explanation.hpp"
#include "solvers/admissibility/switching_problem.hpp"
#include "solvers/search/constraint_problem.hpp"
#include "solvers/switching/transition_memory.hpp"

namespace mti {

/// A candidate that was turned down, for the diagnosis of a dead end.
struct RejectedCandidate {
  Admissibility verdict;  ///< with the mode it is about
};

/// Two rows g_a, g_b of candidates that were turned down are thresholds of one signal, g_a + β g_b = −h with numbers
/// β, h > 0, and |g_a| ≤ ε_a, |g_b| ≤ ε_b: a hysteresis of width h that the accuracy asked for does not resolve, since
/// |−h| ≤ ε_a + β ε_b.
struct NarrowHysteresis {
  std::string first, second;
  double width = 0.0;  ///< h
  double error = 0.0;  ///< ε_a + β ε_b
};

/// Another admissible mode of the same distance, and the right limits of its motion where it slides.
struct TiedMode {
  Mode mode;
  std::vector<double> v;  ///< empty if it does not slide
};

/// The mode that follows an instant, or why there is none.
struct Successor {
  enum class Status {
    found,
    step,  ///< no motion follows, but memory makes a sequence of it: `mode` is its next step, pre(z)
           ///< unchanged
    jump,  ///< no motion follows, but impulses pass in `mode`: the problem is posed anew where they lead, with the right
    ///< limits of `motion`
    dead_end,
    refused,
    limit,  ///< `limit` says which
  };
  Status status = Status::dead_end;
  Mode mode = {};
  std::shared_ptr<const ModeSystem> system = {};
  std::shared_ptr<Motion> motion = {};      ///< its v() are the right limits
  std::vector<int> triggered = {};          ///< constraints that z⁻ breaks (bounds of θ: their surface's)
  std::vector<std::vector<int>> ties = {};  ///< flips of other admissible modes of the same distance
  std::vector<TiedMode> tied_modes = {};    ///< these modes, in the same order
  std::vector<int> flipped = {};  ///< binaries that changed from 0 to 1 or from 1 to 0, with outputs
  std::vector<RejectedCandidate> rejected = {};  ///< the first few; of a transition that came again none
  long tried = 0;
  std::optional<NarrowHysteresis> narrow = {};  ///< the first that was found among the candidates
  std::string given_up = {};                    ///< what the search for steps and sliding motions left out
  std::string needless_jump = {};               ///< what a tie would not have moved; empty: nothing
  std::string open = {};           ///< why something nearer than what was found may have been left out
  std::size_t excluded_among = 0;  ///< bounds excluded assignments of so many binaries without judging them
  std::string limit = {};
  bool repeated = false;                           ///< it was found as the last time, with no search
  std::vector<ExplainedCandidate> explained = {};  ///< every candidate, if asked for
};

struct SearchOptions {
  long max_candidates = 100'000;
  bool sliding = true;
  bool causal = true;  ///< where nothing follows, memory may make a sequence of the instant
  bool explain = false;
  bool remember = true;                ///< transitions that come again; of no consequence but time
  TransitionMemory* memory = nullptr;  ///< of runs before, which outlives the search; null: it has its own
};

/// Finds the mode by which the motion goes on (docs/theory.md, "The successor problem").
///
/// The steps stand there and in SuccessorRun::find() (solvers/switching/successor_search.cpp): z⁻, assignments of the
/// deciders A that the event can influence by their Hamming distance to z⁻ (ties lexicographically, the binary
/// declared first flips), sliding over A, a step of memory, and the same with a larger A. Outputs of logic
/// (solvers/logic/outputs.hpp) follow the deciders in every candidate, z⁻ included, and cost nothing.
///
/// A candidate whose restart is refused, and that is no farther than the one found, leaves it open which comes next:
/// the status is `refused` then. If z⁻ slides, binaries of surfaces that are given up join A with the value of the side
/// they came from.
class SuccessorSearch {
 public:
  SuccessorSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                  const SearchOptions& options = {});

  /// `causal`: whether a step of memory may be the answer.
  [[nodiscard]] Successor find(const Instant& instant, const Mode& before, bool causal = true) const;
  /// A motion that slides over these binaries, or the deciders behind them: asked for where an instant's
  /// changes go round in circles, each of them admissible for itself.
  [[nodiscard]] Successor slide_over(const Instant& instant, const Mode& before,
                                     std::span<const int> binaries) const;
  /// Admissibility on z⁻ alone, with its outputs.
  [[nodiscard]] Admissibility check_unchanged(const Instant& instant, const Mode& before) const;
  /// The same of a mode that powers |a|^p end, with these held at 0: beyond there is no motion of it. Only for p > 1, where
  /// their slopes are 0 as well.
  [[nodiscard]] Admissibility check_at_ends(const Instant& instant, const Mode& before) const;
  [[nodiscard]] const SearchOptions& options() const noexcept { return options_; }
  [[nodiscard]] const std::vector<Comparison>& comparisons() const { return dependencies_.comparisons(); }
  /// Instant::waited_for of the model.
  [[nodiscard]] std::shared_ptr<const std::vector<WaitedFor>> rows_waited_for() const;

 private:
  [[nodiscard]] SwitchingProblem problem_at(const Instant& instant) const;

  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  Dependencies dependencies_;
  CausalSteps causal_steps_;
  SearchOptions options_;
  /// What it holds changes no answer.
  [[nodiscard]] TransitionMemory& memory() const {
    return options_.memory != nullptr ? *options_.memory : own_memory_;
  }
  mutable TransitionMemory own_memory_;
};

/// Every candidate that was tried with the row that excluded it, in the model's names.
[[nodiscard]] std::string diagnosis(const Successor& successor, const Mode& before, const Model& model);

}  // namespace mti
