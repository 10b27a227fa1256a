#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "mti/model/signal_rows.hpp"
#include "solvers/partial_assignments/truth_table.hpp"
#include "solvers/search/interval.hpp"

namespace mti {

/// What rounding may make of a sum that bounds something, relative to the sizes of its terms; generous.
inline constexpr double bound_rounding = 1e-9;

/// Value and error of an entry of v at the instant; an infinite error where it is not known.
using KnownValue = std::function<Ball(int signal)>;

/// A row of f or g with what is known put in, ordered by products of unknown signals:
///
///     Σ_p (Σ_t c_pt Π_{i∈t} z_i) Π_{i∈p} y_i  = 0  or  ≤ 0,   all c intervals
///
/// Variables 0 … binaries−1 are binaries, those behind them unknown signals. Collected like this, what
/// cancels for decided binaries does so whatever the unknown signals are.
struct ProblemRow {
  struct Term {
    Interval coefficient;
    std::vector<int> binaries;  ///< ascending
  };
  struct Product {
    std::vector<int> unknowns;  ///< ascending; none: the row's part of binaries alone
    std::vector<Term> terms;
  };
  struct Use {
    int variable;
    std::vector<int> products;  ///< that hold it
  };
  bool equation = true;
  bool derived = false;  ///< follows linearly from others
  std::vector<Product> products = {};
  std::vector<Use> uses = {};  ///< ascending by variable; made by index_uses()

  void index_uses();
};

/// An invariant over more binaries than a table has room for; rows are variables, known ones constants.
struct ProblemFormula {
  BooleanFormula formula;
  std::vector<int> variables;
};

/// What the rows around some binaries A demand of them and of the signals that are not known.
struct ConstraintProblem {
  int binaries = 0, unknowns = 0;
  int deciders = 0;               ///< the first so many binaries count as flips, the others follow from them
  std::vector<char> before = {};  ///< z⁻ of the binaries
  std::vector<ProblemRow> rows = {};
  std::vector<TruthTable> tables = {};
  std::vector<ProblemFormula> formulas = {};
  bool impossible = false;  ///< a row without variables is broken
};

/// How far and how strictly rows are used.
struct ProblemOptions {
  /// Errors of what is known count this many times: the judge carries errors through sums of absolute values
  /// and may let pass what lies outside the errors themselves.
  double safety = 10.0;
  std::size_t most_rows = 4000;  ///< rows behind these are left out, which only weakens the bounds
};

/// Gathers the rows that hold a binary of A or an unknown signal of such a row, and so on. `before` holds z⁻
/// of A's binaries, in their order; the first `deciders` of them count as flips (negative: all of them).
[[nodiscard]] ConstraintProblem gather(const SignalRows& rows, const KnownValue& known,
                                       std::span<const int> A, std::span<const char> before,
                                       const ProblemOptions& options, int deciders = -1);

/// Parts of a problem that share no variable.
class ConnectedParts {
 public:
  explicit ConnectedParts(const ConstraintProblem& problem);

  struct Part {
    std::vector<int> binaries, unknowns;  ///< variables of the whole, ascending
    std::vector<int> rows, tables, formulas;
  };
  /// Every binary is in exactly one.
  [[nodiscard]] std::vector<Part>& parts() noexcept { return parts_; }
  /// The part alone, its variables numbered anew.
  [[nodiscard]] ConstraintProblem extract(const Part& part) const;

 private:
  const ConstraintProblem& whole_;
  std::vector<Part> parts_;
};

/// One part made of two.
[[nodiscard]] ConnectedParts::Part join(ConnectedParts::Part a, const ConnectedParts::Part& b);

}  // namespace mti
