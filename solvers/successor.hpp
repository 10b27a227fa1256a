#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/influence.hpp"
#include "solvers/local_problem.hpp"
#include "solvers/sliding.hpp"
#include "solvers/verdict.hpp"

namespace mti {

/// A candidate that was turned down, for the diagnosis of a dead end.
struct RejectedCandidate {
  Verdict verdict;  ///< with the mode it is about
};

/// The mode that follows an instant, or why there is none.
struct Successor {
  enum class Status { found, dead_end, refused, limit };
  Status status = Status::dead_end;
  Mode mode = {};
  std::shared_ptr<const ModeSystem> system = {};
  std::shared_ptr<Motion> motion = {};      ///< its v() are the right limits
  std::vector<int> triggered = {};          ///< constraints that z⁻ breaks (bounds of θ: their surface's)
  std::vector<std::vector<int>> ties = {};  ///< flips of other admissible modes of the same distance
  std::vector<int> flipped = {};            ///< binaries that changed from 0 to 1 or from 1 to 0
  std::vector<RejectedCandidate> rejected = {};  ///< the first few
  long tried = 0;
  std::size_t excluded_among = 0;  ///< bounds excluded assignments of so many binaries without judging them
};

/// Finds the mode by which the motion goes on (spec 2, "The successor problem").
///
/// z⁻ is a candidate. If it is not admissible, the binaries A that the event can influence are searched by
/// Hamming distance to z⁻, ties lexicographically (the binary declared first flips), leaving out what bounds
/// and the reasons of rejected candidates exclude (solvers/assignment_search.hpp); if none is admissible, a
/// motion that slides over A is sought (solvers/sliding.hpp); if there is none either, A grows by the
/// binaries of what the candidates break, until nothing is left to add: equations, constraints, invariants,
/// and the equations of unknowns that a candidate leaves undetermined.
/// A candidate whose restart is refused, and that is no farther than the one found, leaves it open which
/// comes next: the status is `refused` then. If z⁻ slides, surfaces whose θ has left [0, 1] are released
/// first, then, if nothing follows, all of them: their binaries join A with the value of the side they came
/// from.
class SuccessorSearch {
 public:
  SuccessorSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy, long max_candidates,
                  bool allow_sliding = true);

  [[nodiscard]] Successor find(const Instant& instant, const Mode& before) const;
  /// Verdict on z⁻ alone.
  [[nodiscard]] Verdict judge_unchanged(const Instant& instant, const Mode& before) const;

 private:
  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  Influence influence_;
  ModelRows model_rows_;
  long max_candidates_;
  bool allow_sliding_;
};

/// Every candidate that was tried with the row that excluded it, in the model's names.
[[nodiscard]] std::string diagnosis(const Successor& successor, const Mode& before, const Model& model);

}  // namespace mti
