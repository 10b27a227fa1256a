#pragma once

#include <span>
#include <utility>
#include <vector>

#include "solvers/search/constraint_problem.hpp"

namespace mti {

/// A partial assignment of a local problem's binaries and what is left of its unknown signals.
struct ProblemState {
  std::vector<signed char> z;      ///< 0, 1 or undecided
  std::vector<Interval> unknowns;  ///< by variable − binaries
};

/// Values that binaries must not have all together.
using Exclusion = std::vector<std::pair<int, signed char>>;

/// What a partial assignment implies: binaries that have one value left and bounds of the unknown signals.
///
/// Tables are propagated exactly, rows with unknown signals by interval arithmetic: each variable is
/// confined to what the others' bounds leave it in the row. Bounds are widened by more than rounding.
class ConstraintPropagation {
 public:
  explicit ConstraintPropagation(const ConstraintProblem& problem);

  void exclude(Exclusion exclusion);

  /// Nothing decided, nothing known, then everything propagated. False: no assignment is left.
  [[nodiscard]] bool start(ProblemState& state);
  /// Gives an undecided binary a value. False: contradiction; the state is then of no use.
  [[nodiscard]] bool decide(ProblemState& state, int binary, signed char value);
  /// Enters the decided ones of `z` and propagates.
  [[nodiscard]] bool decide(ProblemState& state, std::span<const signed char> z);
  /// Confines an unknown signal.
  [[nodiscard]] bool confine(ProblemState& state, int unknown, const Interval& interval);

  /// How much hangs on an undecided binary: conditions that met contradictions count more, and those with
  /// few undecided binaries.
  [[nodiscard]] double importance(const ProblemState& state, int binary) const;

 private:
  enum class Kind { row, table, formula, exclusion };
  struct Condition {
    Kind kind;
    int index;
    double weight = 1.0;
  };

  [[nodiscard]] bool run(ProblemState& state);
  [[nodiscard]] bool check(const Condition& condition);
  [[nodiscard]] bool check_row(const ProblemRow& row);
  [[nodiscard]] bool check_binary(const ProblemRow& row, const ProblemRow::Use& use, double slack);
  [[nodiscard]] bool check_unknown(const ProblemRow& row, const ProblemRow::Use& use, double slack);
  [[nodiscard]] bool check_exclusion(const Exclusion& exclusion);
  [[nodiscard]] bool set(int binary, signed char value);
  [[nodiscard]] bool narrow(int variable, const Interval& interval);
  [[nodiscard]] Interval coefficient(const ProblemRow::Product& product) const;
  [[nodiscard]] Interval product_of(const std::vector<int>& unknowns, int without) const;
  [[nodiscard]] Interval sum_without(const std::vector<int>& products) const;
  void wake(int variable);
  [[nodiscard]] int add(Kind kind, std::size_t index);
  [[nodiscard]] int undecided_in(const ProblemState& state, const Condition& condition) const;

  const ConstraintProblem& problem_;
  std::vector<Exclusion> exclusions_;
  std::vector<Condition> conditions_;
  std::vector<std::vector<int>> conditions_of_;  ///< by variable
  // Of the run that goes on:
  ProblemState* state_ = nullptr;
  std::vector<int> queue_;
  std::vector<char> queued_;
  std::vector<Interval> ranges_, before_, behind_;  ///< of a row's products; sums of those before, behind
};

}  // namespace mti
