#pragma once

#include <map>
#include <set>
#include <vector>

#include "tests/solvers/motion/plain_mode.hpp"
#include "tests/solvers/plain_outputs.hpp"

namespace mti::test {

/// The answer of docs/theory.md, "The successor problem", without sliding.
struct ExpectedSuccessor {
  bool found = false;
  std::vector<int> flipped;            ///< of the nearest admissible assignment, with its outputs
  std::vector<std::vector<int>> ties;  ///< the same of the others of its distance, in lexicographic order
  std::vector<int> triggered;          ///< constraints that z⁻ breaks
  bool usable = true;     ///< false: a candidate is outside of what the oracle can judge, or near a decision,
                          ///< or A is too large to enumerate
  std::set<int> A;        ///< as it was at the end
  bool extended = false;  ///< A grew beyond what the triggered rows gave
  int admissible = 0;     ///< assignments of A
};

/// Finds the successor by judging every assignment of A, which holds no outputs of logic; these follow. A is
/// read off the monomials by the letter of the definition. Shares no code with the search.
class SuccessorOracle {
 public:
  /// `most_orders`: as for PlainMode.
  SuccessorOracle(const Model& model, const Instant& instant, const Mode& before, int most_orders = -1);

  [[nodiscard]] ExpectedSuccessor find();
  /// z⁻ with some deciders flipped and the outputs put where these want them.
  [[nodiscard]] Mode with(const std::vector<int>& flipped) const;
  /// The verdict on it.
  [[nodiscard]] const PlainVerdict& check_admissibility(const std::vector<int>& flipped);
  /// Whether choosing for each sub-problem in turn the nearest assignment that its rows allow, never going
  /// back, ends in an admissible mode. Sub-problems are those of the whole model (docs/theory.md, "Structure").
  [[nodiscard]] bool greedy_choice_succeeds(const std::set<int>& A);

 private:
  [[nodiscard]] bool allows(const std::set<int>& flipped, const std::set<int>& equations,
                            const std::set<int>& constraints);
  [[nodiscard]] std::set<int> binaries_of(const PlainVerdict& verdict, const PlainVerdict& without) const;
  [[nodiscard]] std::set<int> binaries_of_constraint(int row) const;

  const Model& model_;
  PlainModel rows_;
  PlainOutputs outputs_;
  const Instant& instant_;
  Mode before_;
  int most_orders_;
  std::vector<std::set<int>> equation_binaries_, constraint_binaries_;
  std::map<std::vector<int>, PlainVerdict> judged_;
};

/// The subsets of `binaries` by size, those of one size in lexicographic order; the empty one first.
[[nodiscard]] std::vector<std::vector<int>> subsets_by_size(const std::set<int>& binaries);

}  // namespace mti::test
