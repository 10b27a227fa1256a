#pragma once

#include <cstddef>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"
#include "solvers/search/assignment_search.hpp"
#include "solvers/search/nogoods.hpp"

namespace mti {

/// Which states begin at x⁻ in every candidate, so that x⁻ bounds rows: none; those that structure lets no candidate move
/// (JumpingStates); or all, which leaves out candidates that move one.
enum class Beginnings { unknown, as_foreseen, all_at_x };

/// The candidates that one set A offers: its assignments by their distance to z⁻, those of equal distance with
/// the binary declared first flipping first, without what nogoods and bounds on rows exclude (docs/theory.md,
/// "The search"). Outputs of logic follow A and cost no flip.
class CandidateSet {
 public:
  /// `before` is z⁻ with its outputs; it outlives the set.
  CandidateSet(const SwitchingProblem& problem, const Mode& before, std::vector<int> A,
               Beginnings beginnings);
  CandidateSet(const CandidateSet&) = delete;
  CandidateSet& operator=(const CandidateSet&) = delete;
  ~CandidateSet() = default;

  /// The nearest candidate that is left when all `nogoods` are excluded; between two calls the store only grows.
  /// The same again as long as no nogood excludes it.
  [[nodiscard]] AssignmentSearch::Result next(const NogoodStore& nogoods);
  /// Partial assignments that were looked at.
  [[nodiscard]] long nodes() const noexcept { return assignments_.nodes(); }

 private:
  [[nodiscard]] std::vector<int> outputs_behind_both() const;
  [[nodiscard]] std::vector<int> free_outputs() const;
  [[nodiscard]] Ball known(int signal) const;

  const SwitchingProblem& problem_;
  const Mode& before_;
  const std::vector<int> A_, joining_;  ///< ascending; outputs that may join what slides
  const std::vector<int> outputs_;      ///< ascending; the others that follow A
  const Beginnings beginnings_;
  std::vector<double> mode_values_;  ///< of z⁻, in v
  std::size_t excluded_ = 0;         ///< nogoods that have been handed over
  AssignmentSearch assignments_;
};

}  // namespace mti
