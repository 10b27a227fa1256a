#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/influence.hpp"
#include "solvers/verdict.hpp"

namespace mti {

/// A candidate that was turned down, for the diagnosis of a dead end.
struct RejectedCandidate {
  std::vector<int> flipped;  ///< binaries that differ from z⁻
  Verdict verdict;
};

/// The mode that follows an instant, or why there is none.
struct Successor {
  enum class Status { found, dead_end, needs_reduction, limit };
  Status status = Status::dead_end;
  Mode mode = {};
  std::shared_ptr<const ModeSystem> system = {};
  std::shared_ptr<Motion> motion = {};           ///< its v() are the right limits
  std::vector<int> triggered = {};               ///< constraints that z⁻ breaks
  std::vector<std::vector<int>> ties = {};       ///< flips of other admissible modes of the same distance
  std::vector<int> flipped = {};                 ///< binaries that changed
  std::vector<RejectedCandidate> rejected = {};  ///< the first few
  long tried = 0;
};

/// Finds the mode by which the motion goes on (spec 2, "The successor problem").
///
/// z⁻ is a candidate. If it is not admissible, the binaries A that the event can influence are searched by
/// Hamming distance to z⁻, ties lexicographically (the binary declared first flips); if none is admissible,
/// A grows by the binaries of what the candidates break, until nothing is left to add: equations,
/// constraints, invariants, and the equations of unknowns that a candidate leaves undetermined.
class SuccessorSearch {
 public:
  SuccessorSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy, long max_candidates);

  [[nodiscard]] Successor find(const Instant& instant, const Mode& before) const;

 private:
  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  Influence influence_;
  long max_candidates_;
};

/// Every candidate that was tried with the row that excluded it, in the model's names.
[[nodiscard]] std::string diagnosis(const Successor& successor, const Mode& before, const Model& model);

}  // namespace mti
