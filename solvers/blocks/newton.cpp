#include "solvers/blocks/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/budget/check_budget.hpp"

namespace mti {

NewtonSolution newton(const NewtonProblem& problem, int most_iterations,
                      const std::function<NewtonProgress(const NewtonStep&)>& take) {
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    check_budget();
    NewtonStep from{problem.factorise(), {}, {}, {}};
    if (from.factor.singular()) return {SolveFailure::Kind::singular, {}};
    from.w = problem.unknowns();
    from.residual = problem.residual();
    from.step = from.factor.solve(from.residual);
    // No size tells anything of these: comparisons with NaN are false, whatever they ask.
    if (!from.residual.allFinite() || !from.step.allFinite()) break;
    const NewtonProgress progress = take(from);
    if (progress == NewtonProgress::at_rest) return {SolveFailure::Kind::none, std::move(from.factor)};
    if (progress == NewtonProgress::stuck) break;
  }
  return {SolveFailure::Kind::no_convergence, {}};
}

NewtonProgress take_full_step(
    const NewtonProblem& problem, const NewtonStep& from,
    const std::function<bool(const Eigen::VectorXd& step, const Eigen::VectorXd& w)>& at_rest) {
  const Eigen::VectorXd w = from.w - from.step;
  problem.enter(w);
  return at_rest(from.step, w) ? NewtonProgress::at_rest : NewtonProgress::moved;
}

double relative_size(const Eigen::VectorXd& step, const Eigen::VectorXd& w, const Eigen::VectorXd& floor) {
  double largest = 0.0;
  for (Eigen::Index j = 0; j < step.size(); ++j)
    largest = std::max(largest, std::abs(step[j]) / std::max(std::abs(w[j]), floor[j]));
  return largest;
}

}  // namespace mti
