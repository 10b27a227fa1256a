#pragma once

#include <set>
#include <span>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"

namespace mti {

/// The binary slides on a surface, or is blended from several.
[[nodiscard]] bool is_sliding(const Mode& mode, int binary);

/// The set A of the binaries that an event can influence, and what it grows by (docs/theory.md, "Which binaries
/// may change"):
///
///     A₀     = binaries of what z⁻ breaks
///     A_k+1  = A_k ∪ binaries of what candidates of A_k break, other than what z⁻ breaks
///
/// A holds deciders: an output of logic stands for the deciders behind it.
class InfluencedBinaries {
 public:
  /// The problem outlives it.
  explicit InfluencedBinaries(const SwitchingProblem& problem) : problem_(problem) {}

  /// A, ascending.
  [[nodiscard]] std::vector<int> binaries() const { return {A_.begin(), A_.end()}; }
  [[nodiscard]] bool empty() const noexcept { return A_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return A_.size(); }

  void add(std::span<const int> binaries);
  /// What slides in `mode` has a weight instead of a value, and is not in A.
  void remove_sliding(const Mode& mode);

  /// A₀ by the verdict on z⁻.
  void begin_with(const Admissibility& of_z_minus);
  /// What a candidate breaks is to join A when it grows.
  void collect(const Admissibility& verdict);
  /// The same of constraints that a side of a surface breaks as soon as it leaves it.
  void collect_constraints(std::span<const int> constraints);
  /// The same of what the candidates of A may break at all, where they are too many to be judged: the rows that A
  /// and its outputs occur in, and what hangs on unknowns that these move in z⁻, without equations that have a solution
  /// in every mode.
  void collect_dependents(const Mode& z_minus);
  /// The binary was collected by such a row alone, which no candidate that was judged breaks.
  [[nodiscard]] bool is_presumed(int binary) const { return presumed_.contains(binary); }
  /// A_k+1; false if it is A_k.
  bool grow(const Mode& z_minus);

 private:
  /// Where a function ends, which is no limit of the model, without what is between its own limits, as a thermostat may be in the same
  /// equation.
  [[nodiscard]] std::set<int> broken_by(const Admissibility& verdict) const;
  [[nodiscard]] std::vector<int> nearest_to(std::span<const int> signals) const;
  [[nodiscard]] bool is_between_limits(int binary, const Mode& mode) const;

  const SwitchingProblem& problem_;
  std::set<int> A_;
  std::set<int> collected_;
  std::set<int> presumed_;                                     ///< of these
  std::set<int> triggered_constraints_, triggered_equations_;  ///< what z⁻ breaks
};

}  // namespace mti
