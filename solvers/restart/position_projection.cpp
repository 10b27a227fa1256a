#include "solvers/restart/position_projection.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/blocks/block_solver.hpp"
#include "solvers/restart/stage_conditions.hpp"

namespace mti {
namespace {

constexpr int most_corrections = 6;
constexpr double own_accuracy = 8.0;  // of several ε

/// A condition with a residual above rounding.
struct UnmetCondition {
  SolutionPlan::Condition condition;
  int stage = 0;
  double left = 0.0;  ///< D^order f
};

/// Newton's method for the conditions on x, with the smallest step that fulfils them: solve the stages for
/// given x, look at what the conditions leave, move x, and again. A few steps settle it, for x⁻ is near by
/// its accuracy; where it is not, there is no restart.
class PositionProjection {
 public:
  /// By the plan's early stages, or by these with other conditions.
  PositionProjection(const RestartPlace& place, const std::vector<SolutionPlan::Stage>& early, int last_stage,
                     Metric metric, const std::vector<char>& done)
      : place_(place),
        done_(done),
        given_(place.v),
        plan_(*place.system.plan),
        early_(early),
        last_stage_(last_stage),
        by_accuracy_(metric == Metric::of_accuracy) {}

  Restart settle() {
    for (int correction = 0;; ++correction) {
      std::vector<UnmetCondition> open;
      if (!solve_stages(open)) return result_;
      if (open.empty() || correction == most_corrections || (by_accuracy_ && !off_.empty())) break;
      if (by_accuracy_ ? !move_in_units_of_accuracy(open) : !move_by_reactions(open)) break;
    }
    examine();
    return result_;
  }

 private:
  [[nodiscard]] bool is_done(int equation) const { return !done_.empty() && done_[at(equation)] != 0; }

  bool solve_stages(std::vector<UnmetCondition>& open) {
    off_.clear();
    const RowMap& f = place_.system.f;
    const BlockSeries series{&place_.series, place_.model.signature.n()};
    int k = -static_cast<int>(early_.size());
    for (const SolutionPlan::Stage& stage : early_) {
      if (k > last_stage_) break;
      for (const SolutionBlock& block : stage.blocks) {
        if (is_done(block.equations.front())) continue;
        const BlockSolution solution = solve_and_carry(f, block, place_.v, place_.instant.guess, series);
        if (solution.solved()) continue;
        result_.failure = failure_of_restart(place_, block, solution.failure, series);
        return false;
      }
      // Two judgements of what is left: above rounding x is worth moving, above the error bound of x the mode
      // cannot be entered from here.
      for (const SolutionPlan::Condition& condition : stage.conditions) {
        if (is_done(condition.equation)) continue;
        const Ball left = f.coefficient(condition.equation, place_.series, condition.order);
        constexpr double rounding = 1e-15;
        const double size = condition.order == 0 ? f.magnitude(condition.equation, place_.v)
                                                 : left.error / place_.accuracy.rtol;
        if (std::abs(left.value) > rounding * size)
          open.push_back({condition, k, factorial(condition.order) * left.value});
        if (std::abs(left.value) > own_accuracy * left.error) off_.push_back(condition.equation);
      }
      ++k;
    }
    // Lower stages first: they decide what the higher ones are about.
    if (!by_accuracy_)
      std::erase_if(open, [&](const UnmetCondition& one) { return one.stage != open.front().stage; });
    return true;
  }

  void move(int state_row, double step) {
    place_.v[at(state_row)] += step;
    place_.series.at(state_row, 0).value = place_.v[at(state_row)];
  }

  /// A block by which its unknowns w follow from the rest of v, J w' + Jᵥ v' = 0; factorised once it is asked for.
  struct Followed {
    const SolutionBlock* block;
    std::optional<LuFactor> J = {};
    std::vector<std::vector<std::pair<int, double>>> others = {};  ///< Jᵥ by equation: signal, slope
  };

  /// Those of the stages by which algebraic signals follow from x, in the order in which they are solved.
  [[nodiscard]] std::vector<Followed> blocks_of_order_0() const {
    std::vector<Followed> blocks;
    int k = -static_cast<int>(early_.size());
    for (const SolutionPlan::Stage& stage : early_) {
      if (k++ > last_stage_) break;
      for (const SolutionBlock& block : stage.blocks)
        if (block.of_order_0() && !is_done(block.equations.front())) blocks.push_back({&block});
    }
    return blocks;
  }

  void factorise(Followed& followed) const {
    const SolutionBlock& block = *followed.block;
    std::unordered_map<int, int> column;
    for (std::size_t j = 0; j < block.unknowns.size(); ++j)
      column.emplace(block.unknowns[j], static_cast<int>(j));
    std::vector<Eigen::Triplet<double>> entries;
    followed.others.resize(block.equations.size());
    for (std::size_t i = 0; i < block.equations.size(); ++i)
      place_.system.f.gradient(block.equations[i], place_.v, [&](int signal, double slope) {
        if (const auto own = column.find(signal); own != column.end())
          entries.emplace_back(static_cast<int>(i), own->second, slope);
        else
          followed.others[i].emplace_back(signal, slope);
      });
    followed.J.emplace(static_cast<int>(block.unknowns.size()), entries);
  }

  /// df/dx of an equation, by signal, with what follows from x moving along: from the last block to the first,
  ///
  ///     λ = J⁻ᵀ ∂f/∂w,    ∂f/∂v −= Jᵥᵀ λ
  ///
  /// Nothing if some J is singular.
  [[nodiscard]] std::optional<std::vector<double>> total_gradient(int equation,
                                                                  std::vector<Followed>& blocks) const {
    std::vector<double> slopes(place_.v.size(), 0.0);
    place_.system.f.gradient(equation, place_.v,
                             [&](int signal, double slope) { slopes[at(signal)] += slope; });
    for (auto last = blocks.rbegin(); last != blocks.rend(); ++last) {
      Followed& followed = *last;
      const std::vector<int>& unknowns = followed.block->unknowns;
      Eigen::VectorXd of_unknowns(static_cast<Eigen::Index>(unknowns.size()));
      for (Eigen::Index j = 0; j < of_unknowns.size(); ++j)
        of_unknowns[j] = std::exchange(slopes[at(unknowns[at(j)])], 0.0);
      if (of_unknowns.isZero(0.0)) continue;
      if (!followed.J) factorise(followed);
      if (followed.J->singular()) return std::nullopt;
      const Eigen::VectorXd lambda = followed.J->solve_transposed(of_unknowns);
      for (std::size_t i = 0; i < followed.others.size(); ++i)
        for (const auto& [signal, slope] : followed.others[i])
          slopes[at(signal)] -= lambda[static_cast<Eigen::Index>(i)] * slope;
    }
    return slopes;
  }

  /// The smallest step, in units of ε, that fulfils the linearised conditions of order 0.
  bool move_in_units_of_accuracy(const std::vector<UnmetCondition>& all) {
    std::vector<UnmetCondition> open;
    for (const UnmetCondition& one : all)
      if (one.condition.order == 0) open.push_back(one);
    if (open.empty()) return false;
    const Signature& signature = place_.model.signature;
    const auto rows = static_cast<Eigen::Index>(open.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, signature.n());
    Eigen::VectorXd left(rows);
    std::vector<Followed> followed = blocks_of_order_0();
    for (Eigen::Index i = 0; i < rows; ++i) {
      left[i] = open[at(i)].left;
      const auto slopes = total_gradient(open[at(i)].condition.equation, followed);
      if (!slopes) return false;
      for (int state = 0; state < signature.n(); ++state)
        A(i, state) =
            (*slopes)[at(signature.state_row(state))] * place_.series.at(signature.state_row(state), 0).error;
    }
    // With x = ε·ξ the smallest |ξ| that fulfils A ξ = left: what is known badly moves most.
    const Eigen::VectorXd step = A.completeOrthogonalDecomposition().solve(left);
    if (!step.allFinite()) return false;
    for (int i = 0; i < signature.n(); ++i)
      move(signature.state_row(i), -step[i] * place_.series.at(signature.state_row(i), 0).error);
    return true;
  }

  /// The leading system with the residuals of the conditions as its right-hand side: the effect of the reactions that
  /// keep the constraints.
  bool move_by_reactions(const std::vector<UnmetCondition>& open) {
    // At stage k the condition of equation i is its order c_i + k, and J is the matrix of stage 0. J⁻¹
    // applied to what the conditions leave, with 0 on the right of all other rows, moves order e_j + k of
    // unknown j: of these, the positions are what is taken (e_j + k = −1 of ẋ_j), the others follow when the
    // stages are solved again.
    const Signature& signature = place_.model.signature;
    const int n = signature.n(), k = open.front().stage;
    constexpr int none = -1000;
    std::vector<int> order(place_.v.size(), none);
    std::vector<double> left(at(place_.system.f.rows()), 0.0), step(place_.v.size(), 0.0);
    for (const UnmetCondition& one : open) left[at(one.condition.equation)] = one.left;
    for (const SolutionBlock& block : plan_.blocks)
      for (std::size_t j = 0; j < block.unknowns.size(); ++j)
        order[at(block.unknowns[j])] = block.differentiated() ? block.e[j] : 0;
    for (const SolutionBlock& block : plan_.blocks) {
      const int size = static_cast<int>(block.unknowns.size());
      std::vector<Eigen::Triplet<double>> entries;
      Eigen::VectorXd right(size);
      std::unordered_map<int, int> column;
      for (int j = 0; j < size; ++j) column.emplace(block.unknowns[at(j)], j);
      for (int i = 0; i < size; ++i) {
        const int equation = block.equations[at(i)], c = block.differentiated() ? block.c[at(i)] : 0;
        right[i] = -left[at(equation)];
        place_.system.f.gradient(equation, place_.v, [&](int signal, double slope) {
          const bool state = signal >= n && signal < 2 * n;
          const bool through_state = state && order[at(signal)] == none;
          const int unknown = through_state ? signal - n : signal;
          if (order[at(unknown)] == none || c != order[at(unknown)] + (through_state ? 1 : 0)) return;
          if (const auto own = column.find(unknown); own != column.end())
            entries.emplace_back(i, own->second, slope);
          else
            right[i] -= slope * step[at(unknown)];
        });
      }
      if (right.isZero(0.0)) continue;
      const LuFactor factor(size, entries);
      if (factor.singular()) return false;
      const Eigen::VectorXd solved = factor.solve(right);
      if (!solved.allFinite()) return false;
      for (int j = 0; j < size; ++j) step[at(block.unknowns[at(j)])] = solved[j];
    }
    for (int i = 0; i < n; ++i)
      if (order[at(i)] + k == -1) move(signature.state_row(i), step[at(i)]);
    return true;
  }

  /// Checks whether the residuals are within the error bound of x.
  void examine() {
    if (!off_.empty() && result_.done()) {
      result_.refuse(SolveFailure::Kind::off_position);
      result_.failure.equations = off_;
    }
    // Conditions may hold at last because x has been moved farther than it may be off: that is a jump of
    // positions.
    if (by_accuracy_) return;
    const Signature& signature = place_.model.signature;
    for (int i = 0; i < signature.n(); ++i) {
      const int row = signature.state_row(i);
      const double moved = std::abs(place_.v[at(row)] - given_[at(row)]);
      if (moved <= own_accuracy * place_.series.at(row, 0).error) continue;
      result_.refuse(SolveFailure::Kind::off_position);
      result_.failure.signals.push_back(row);
    }
    if (result_.done() || !result_.failure.equations.empty()) return;
    for (const SolutionPlan::Stage& stage : early_)
      for (const SolutionPlan::Condition& condition : stage.conditions)
        if (condition.order == 0) result_.failure.equations.push_back(condition.equation);
  }

  const RestartPlace& place_;
  const std::vector<char>& done_;
  const std::vector<double> given_;
  const SolutionPlan& plan_;
  const std::vector<SolutionPlan::Stage>& early_;
  int last_stage_;
  bool by_accuracy_;
  Restart result_;
  std::vector<int> off_;
};

}  // namespace

Restart settle_positions(const RestartPlace& place, int last_stage, Metric metric,
                         const std::vector<char>& done) {
  const std::vector<SolutionPlan::Stage> exchanged = stages_with_other_conditions(place, done);
  if (!exchanged.empty()) {
    const std::vector<double> v = place.v;
    const TaylorSeries series = place.series;
    Restart settled = PositionProjection(place, exchanged, last_stage, metric, done).settle();
    if (settled.done()) return settled;
    place.v = v;
    place.series = series;
  }
  return PositionProjection(place, place.system.plan->early, last_stage, metric, done).settle();
}

}  // namespace mti
