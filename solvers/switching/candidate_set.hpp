#pragma once

#include <cstddef>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"
#include "solvers/search/assignment_search.hpp"
#include "solvers/switching/nogoods.hpp"

namespace mti {

/// The candidates that one set A offers: its assignments by their distance to z⁻, those of equal distance with
/// the binary declared first flipping first, without what nogoods and bounds on rows exclude (docs/theory.md,
/// "The search"). Outputs of logic follow A and cost no flip.
class CandidateSet {
 public:
  /// `before` is z⁻ with its outputs; it outlives the set. `states_known`: every candidate begins at x⁻, which
  /// then bounds the rows as well.
  CandidateSet(const SwitchingProblem& problem, const Mode& before, std::vector<int> A, bool states_known);
  CandidateSet(const CandidateSet&) = delete;
  CandidateSet& operator=(const CandidateSet&) = delete;
  ~CandidateSet() = default;

  /// The nearest candidate that is left when all `nogoods` are excluded; between two calls the store only grows.
  /// The same again as long as no nogood excludes it.
  [[nodiscard]] AssignmentSearch::Result next(const NogoodStore& nogoods);
  /// Partial assignments that were looked at.
  [[nodiscard]] long nodes() const noexcept { return assignments_.nodes(); }

 private:
  [[nodiscard]] std::vector<int> free_outputs() const;
  [[nodiscard]] Ball known(int signal) const;

  const SwitchingProblem& problem_;
  const Mode& before_;
  const std::vector<int> A_, outputs_;  ///< ascending; the outputs that follow A
  const bool states_known_;
  std::vector<double> mode_values_;  ///< of z⁻, in v
  std::size_t excluded_ = 0;         ///< nogoods that have been handed over
  AssignmentSearch assignments_;
};

}  // namespace mti
