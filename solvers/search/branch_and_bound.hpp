#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "solvers/search/constraint_propagation.hpp"
#include "solvers/search/linear_relaxation.hpp"

namespace mti {

/// Work done and allowed, of all trees of one search.
struct SearchEffort {
  long nodes = 0;              ///< partial assignments looked at
  long linear_programmes = 0;  ///< solved
  long most_nodes = 0;
  bool linear_relaxation = true;  ///< may be used

  [[nodiscard]] bool exhausted() const noexcept { return nodes >= most_nodes; }
};

/// The assignments of one local problem that its bounds do not exclude, one by one: fewest flips first, ties
/// with the binary declared first flipped.
///
/// Best-first search over partial assignments: a node is what no complete assignment below it can precede,
/// (flips at least, then the lexicographically first set with so many flips). The frontier stays between the
/// calls, and later exclusions only take from it, so nothing is searched twice.
class BranchAndBound {
 public:
  /// `solve_equations`: what linear equations say of single signals is added (solved_equations.hpp).
  BranchAndBound(ConstraintProblem problem, bool solve_equations);

  void exclude(const Exclusion& exclusion);

  enum class Status { found, none, limit };
  struct Answer {
    Status status;
    std::vector<signed char> z;
  };
  [[nodiscard]] Answer next(SearchEffort& effort);

  [[nodiscard]] const ConstraintProblem& problem() const noexcept { return problem_; }

 private:
  struct Node {
    int flips = 0;  ///< at least
    std::vector<signed char> z;
  };
  struct Later {
    const BranchAndBound* tree;
    [[nodiscard]] bool operator()(const Node& a, const Node& b) const { return tree->precedes(b, a); }
  };

  [[nodiscard]] bool precedes(const Node& a, const Node& b) const;
  /// Deciders without a value; the others follow from them.
  [[nodiscard]] long open_deciders(const std::vector<signed char>& z) const;
  void begin(SearchEffort& effort);
  /// Bounds that hold when z is 0 or 1 hold: for every binary, the hull of both.
  [[nodiscard]] bool probe(ProblemState& state);
  void prepare_linear(ProblemState& state, SearchEffort& effort);
  [[nodiscard]] int fewest_flips(const ProblemState& state) const;
  [[nodiscard]] int flips_of_reasons(const ProblemState& state, std::vector<char>& counted) const;
  /// The node of a propagated state; nothing if it is excluded.
  [[nodiscard]] std::optional<Node> node_of(const ProblemState& state, int at_least, SearchEffort& effort);
  [[nodiscard]] int branching_binary(const ProblemState& state) const;
  /// Both children into the frontier, but the better one is handed back if nothing precedes it.
  [[nodiscard]] std::optional<Node> branch(const Node& node, ProblemState& state, SearchEffort& effort);
  void push(Node node);
  [[nodiscard]] Node pop();

  ConstraintProblem problem_;
  ConstraintPropagation propagation_;
  std::vector<Exclusion> reasons_;
  std::unique_ptr<LinearRelaxation> linear_;
  std::vector<int> order_;  ///< of branching where the linear relaxation is used: neighbours together
  ProblemState root_;
  std::vector<Node> frontier_;  ///< a heap
  bool begun_ = false;
};

}  // namespace mti
