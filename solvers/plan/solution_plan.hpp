#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/model.hpp"
#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/structure/mode_structure.hpp"

namespace mti {

/// Equations that are solved together for as many unknowns out of (ẋ, y, ζ).
///
/// Equation i counts differentiated c_i times, unknown j with its e_j-th derivative; where both lists are
/// empty all of them are 0. In Taylor coefficients: order c_i of the equation gives order e_j of the unknown.
/// Order −1 is the Dirac part: of an equation what multiplies δ(t), of y its weight, of ẋ the jump of x.
struct SolutionBlock {
  std::vector<int> equations;
  std::vector<int> unknowns;  ///< rows of S; of x itself where its derivative does not occur
  std::vector<int> c = {}, e = {};
  bool linear = true;  ///< no column of its equations holds two unknowns of order 0

  [[nodiscard]] bool differentiated() const noexcept { return !c.empty(); }
  /// All c and e are 0.
  [[nodiscard]] bool of_order_0() const noexcept {
    const auto is_0 = [](int order) { return order == 0; };
    return std::ranges::all_of(c, is_0) && std::ranges::all_of(e, is_0);
  }
};

/// Signals that occur in no equation of a mode: they keep their values. An absent state is no unknown; an
/// absent y is one without equation.
struct AbsentSignals {
  std::vector<int> slopes;     ///< rows of ẋ, where neither ẋ nor x occurs; ascending
  std::vector<int> algebraic;  ///< rows of y; ascending
};

/// The way from known x, u to (ẋ, y, ζ) and all their derivatives, by structure alone.
///
/// Without differentiation: the block lower triangular form of f against (ẋ, y, ζ). Otherwise Pryce's
/// Σ-method [BIT Numer. Math. 41 (2001) 364-394] with offsets c, d: first the `early` stages k = −max c … −1,
/// which find what lower derivatives fix, with conditions left that x must fulfil; then the blocks, stage 0
/// and, with the same matrices, every stage above. Where the motion begins with a jump, stage −1 is solved as
/// a whole instead: the `balance` (solvers/restart/restart.hpp).
struct SolutionPlan {
  struct Condition {
    int equation = -1;
    int order = 0;  ///< this Taylor coefficient of the equation must vanish
  };
  struct Stage {
    std::vector<SolutionBlock> blocks;
    std::vector<Condition> conditions;
  };

  std::vector<Stage> early;
  std::vector<SolutionBlock> balance;  ///< stage −1 as a whole; only if something is differentiated
  std::vector<SolutionBlock> blocks;   ///< block lower triangular order
  std::vector<int> over_determined;    ///< equations left when all unknowns are matched
  std::vector<int> under_determined;   ///< unknowns of the under-determined part
  std::vector<int> unmatched;          ///< unknowns that no equation is left for
  std::vector<int> algebraic_states;   ///< rows of x that are unknowns: their derivatives do not occur
  AbsentSignals absent;
  int depth = 0;  ///< largest order beyond the stage that occurs in it

  [[nodiscard]] bool differentiated() const noexcept { return !early.empty(); }
  /// Every x is known and its slope an unknown: (ẋ, y, ζ) follow from f = 0 as it stands.
  [[nodiscard]] bool plain() const noexcept { return early.empty() && algebraic_states.empty(); }
};

/// What the blocks of a plan without differentiation take from each other.
///
/// Read off the model's own rows, so that it holds for every mode that has the plan; it may show more than
/// one of them has.
class BlockGraph {
 public:
  /// A block that is needed: at order k of Taylor coefficients its order k, or k − 1 where it gives the slope
  /// of a state.
  struct Input {
    int block = 0;
    bool of_slope = false;
  };

  BlockGraph(const SolutionPlan& plan, const RowMap& model_f, const Signature& signature);

  /// The block that solves for ẋ or y in row `unknown` of S, or for the equation; −1: none.
  [[nodiscard]] int owner(int unknown) const { return owner_[at(unknown)]; }
  [[nodiscard]] int solver_of(int equation) const { return solver_of_[at(equation)]; }
  [[nodiscard]] std::span<const Input> inputs(int block) const { return slice(inputs_, input_start_, block); }
  /// Blocks that need an unknown of this one at the same order.
  [[nodiscard]] std::span<const int> dependents(int block) const {
    return slice(dependents_, dependent_start_, block);
  }

 private:
  template <class T>
  static std::span<const T> slice(const std::vector<T>& all, const std::vector<int>& start, int block) {
    const auto begin = at(start[at(block)]);
    return std::span(all).subspan(begin, at(start[at(block) + 1]) - begin);
  }

  std::vector<int> owner_, solver_of_;
  std::vector<Input> inputs_;
  std::vector<int> dependents_, input_start_{0}, dependent_start_{0};
};

/// Signals that occur in none of the rows `equations` of f.
[[nodiscard]] AbsentSignals find_absent(const RowMap& f, const Signature& signature,
                                        std::span<const int> equations);

/// Plan without differentiation for the rows `equations` of f and `unknowns` of S.
[[nodiscard]] SolutionPlan plan_solution(const RowMap& f, const Signature& signature,
                                         std::span<const int> equations, std::span<const int> unknowns);

/// Plan with as much differentiation as structure asks for, and with x as the unknown where ẋ does not occur.
/// Where nothing of that is needed, plan_solution; over- and under-determined parts count a state once,
/// whether x or ẋ occurs. `unknowns` are ẋ_i, y_i and sliding binaries by their rows of S.
[[nodiscard]] SolutionPlan plan_with_differentiation(const RowMap& f, const Signature& signature,
                                                     std::span<const int> equations,
                                                     std::span<const int> unknowns,
                                                     std::span<const Divisor> divisors);

/// The same from a structure that is known already: of a mode in which everything has a partner.
[[nodiscard]] SolutionPlan plan_of_structure(const RowMap& f, const Signature& signature,
                                             const ModeStructure& structure,
                                             std::span<const Divisor> divisors);

}  // namespace mti
