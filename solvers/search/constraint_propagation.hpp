#pragma once

#include <span>
#include <vector>

#include "solvers/partial_assignments/exclusion.hpp"
#include "solvers/search/constraint_problem.hpp"

namespace mti {

/// A partial assignment of a local problem's binaries and what is left of its unknown signals.
struct ProblemState {
  std::vector<signed char> z;      ///< 0, 1 or undecided
  std::vector<Interval> unknowns;  ///< by variable − binaries
};

/// What a partial assignment implies: binaries that have one value left and bounds of the unknown signals.
///
/// Tables are propagated exactly, rows with unknown signals by interval arithmetic: each variable is
/// confined to what the others' bounds leave it in the row. Bounds are widened by more than rounding.
class ConstraintPropagation {
 public:
  explicit ConstraintPropagation(const ConstraintProblem& problem);

  void exclude(const Exclusion& exclusion);

  /// Nothing decided, nothing known, then everything propagated. False: no assignment is left.
  [[nodiscard]] bool start(ProblemState& state);
  /// Gives an undecided binary a value. False: contradiction; the state is then of no use.
  [[nodiscard]] bool decide(ProblemState& state, int binary, signed char value);
  /// Enters the decided ones of `z` and propagates.
  [[nodiscard]] bool decide(ProblemState& state, std::span<const signed char> z);
  /// Confines an unknown signal.
  [[nodiscard]] bool confine(ProblemState& state, int unknown, const Interval& interval);

  /// How much hangs on each binary if it is undecided: conditions that met contradictions count more, and those with
  /// few undecided binaries.
  [[nodiscard]] std::vector<double> importance(const ProblemState& state) const;

 private:
  enum class Kind { row, table, formula, exclusion };
  struct Condition {
    Kind kind;
    int index;
    double weight = 1.0;
  };

  [[nodiscard]] bool run();
  [[nodiscard]] bool check(const Condition& condition);
  [[nodiscard]] bool check_row(const ProblemRow& row);
  [[nodiscard]] bool check_binary(const ProblemRow& row, const ProblemRow::Use& use, double slack);
  [[nodiscard]] bool check_unknown(const ProblemRow& row, const ProblemRow::Use& use, double slack);
  [[nodiscard]] bool check_exclusion(const PackedExclusion& exclusion);
  [[nodiscard]] bool set(int binary, signed char value);
  [[nodiscard]] bool narrow(int variable, const Interval& interval);
  [[nodiscard]] Interval coefficient(const ProblemRow::Product& product) const;
  [[nodiscard]] Interval product_of(const std::vector<int>& unknowns, int without) const;
  [[nodiscard]] Interval sum_without(const std::vector<int>& products) const;
  void enter(ProblemState& state);
  void queue(int condition);
  [[nodiscard]] int add(Kind kind, std::size_t index);
  /// The entries of `sums` of the binaries that the condition holds grow by `more`.
  void add_to_binaries(const Condition& condition, double more, std::vector<double>& sums) const;
  [[nodiscard]] int undecided_in(const ProblemState& state, const PackedAssignment& z,
                                 const Condition& condition) const;

  const ConstraintProblem& problem_;
  std::vector<PackedExclusion> exclusions_;
  std::vector<Condition> conditions_;
  std::vector<std::vector<int>> conditions_of_;  ///< by variable; without exclusions
  /// By 2·binary + value: exclusions that hold the binary with that value. With the other one they are fulfilled.
  std::vector<std::vector<int>> exclusions_of_;
  std::vector<int> condition_of_exclusion_;
  // Of the run that goes on:
  ProblemState* state_ = nullptr;
  PackedAssignment packed_;  ///< of its binaries
  std::vector<int> queue_;
  std::vector<char> queued_;
  std::vector<Interval> ranges_, before_, behind_;  ///< of a row's products; sums of those before, behind
};

}  // namespace mti
