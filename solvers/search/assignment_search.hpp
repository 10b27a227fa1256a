#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solvers/search/branch_and_bound.hpp"
#include "solvers/search/constraint_problem.hpp"

namespace mti {

/// How far an assignment search may go.
struct AssignmentLimits {
  long most_nodes = 200000;       ///< partial assignments, over all calls of next()
  bool linear_relaxation = true;  ///< bounds by linear programmes
  bool solve_equations = true;    ///< bounds by linear equations solved for single signals
  ProblemOptions local = {};
};

/// The assignments of the binaries A that may follow an instant: fewest flips against z⁻ first, ties with the
/// binary declared first flipped ({0, 5} before {1, 2}), without those that are excluded (docs/theory.md,
/// "The successor problem").
///
/// Excluded is what exclude() has been told, and what the rows of f and g and the invariants cannot fulfil
/// for any values of the signals that are not known: proved by tables, intervals and linear relaxations. What
/// is known counts with its error, so that nothing is left out that a judge with these errors would accept.
///
/// A decomposes into parts that share neither a row's signals nor an exclusion; the best whole is made of the
/// best parts, and wholes follow each other by the next best of single parts. A handful of binaries is simply
/// counted through.
class AssignmentSearch {
 public:
  /// `A` ascends; `before` holds z⁻ of all binaries of the model. `known` gives value and error of any signal
  /// but the binaries of A, with an infinite error where there is no value: for ẋ and y, and for states that
  /// may jump. It is called during the first next(); rows must outlive the search.
  /// `outputs`, ascending, follow from A in every assignment: they cost no flip and are not listed as
  /// flipped.
  AssignmentSearch(const SignalRows& rows, KnownValue known, std::vector<int> A, std::span<const char> before,
                   const AssignmentLimits& limits = {}, std::vector<int> outputs = {});
  ~AssignmentSearch();
  AssignmentSearch(const AssignmentSearch&) = delete;
  AssignmentSearch& operator=(const AssignmentSearch&) = delete;

  struct Result {
    enum class Status {
      found,
      none,   ///< proved: no assignment is left
      limit,  ///< most_nodes was reached before one was found
    };
    Status status = Status::none;
    std::vector<int> flipped = {};  ///< binaries that differ from z⁻, ascending
  };
  /// The first assignment in the order above that is left. The same again unless it is excluded meanwhile.
  [[nodiscard]] Result next();

  /// No assignment that agrees with z (all binaries of the model) on `binaries`, a subset of A and, where A
  /// holds more than a handful, of the outputs, is to be given again. An empty subset excludes all.
  void exclude(std::span<const char> z, std::span<const int> binaries);

  /// Partial assignments looked at, and linear programmes solved, so far.
  [[nodiscard]] long nodes() const noexcept { return effort_.nodes; }
  [[nodiscard]] long linear_programmes() const noexcept { return effort_.linear_programmes; }

 private:
  class Parts;

  [[nodiscard]] Result next_of_few() const;

  const SignalRows* rows_;
  KnownValue known_;
  std::vector<int> A_, outputs_;
  std::vector<char> before_;  ///< of A, then of the outputs
  AssignmentLimits limits_;
  SearchEffort effort_;
  bool nothing_left_ = false;
  std::uint32_t few_excluded_ = 0;  ///< bit s: the set s of flips, where A is small
  std::vector<Exclusion> waiting_;  ///< exclusions before the first next()
  std::unique_ptr<Parts> parts_;
};

}  // namespace mti
