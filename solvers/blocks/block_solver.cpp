#include "solvers/blocks/block_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/blocks/block_system.hpp"
#include "solvers/blocks/newton.hpp"
#include "solvers/blocks/steep_functions.hpp"

namespace mti {
namespace {

/// Iterative refinement, as long as more than rounding is left of the residual. False where w is no number.
bool refine(BlockSystem& system, const LuFactor& factor) {
  constexpr int refinements = 3;
  for (int i = 0; i <= refinements; ++i) {
    const Eigen::VectorXd r = system.residual();
    if (i > 0 && (r.cwiseAbs() - system.rounding()).maxCoeff() <= 0.0) break;
    const Eigen::VectorXd w = system.unknowns() - factor.solve(r);
    if (!w.allFinite()) return false;
    system.set(w);
  }
  return true;
}

/// Row by row |r| ≤ √ε·(the summands' sizes) + |A| |A⁻¹| (8 ε·(the summands' sizes)). Refinement with the matrix A of the system
/// brings r to several ε of them, but for rows whose unknowns are all smaller than what rounding in other rows makes of
/// them; where more is left, the matrix was another one.
/// Coefficients that jump with the unknowns of a Dirac balance are another matter (solvers/restart/impulse_balance.hpp).
bool is_solved(const BlockSystem& system, const LuFactor& factor) {
  if (system.jumps()) return true;
  const double half_of_the_digits = 1.0 / std::sqrt(machine_epsilon);
  const Eigen::VectorXd left = system.residual().cwiseAbs(), rounding = system.rounding();
  Eigen::VectorXd allowed = half_of_the_digits * rounding;
  if ((left - allowed).maxCoeff() <= 0.0) return true;
  const Eigen::VectorXd error = factor.magnify(rounding);
  for (const Eigen::Triplet<double>& entry : system.jacobian_of_all())
    allowed[entry.row()] += std::abs(entry.value()) * error[entry.col()];
  return (left - allowed).maxCoeff() <= 0.0;
}

/// From where the unknowns are, and from 0: of those that become 0 the rounding of what they were is all that is left, and that
/// is not small beside them.
SolveFailure::Kind solve_with(BlockSystem& system, const LuFactor& factor) {
  if (factor.singular()) return SolveFailure::Kind::singular;
  if (!refine(system, factor)) return SolveFailure::Kind::not_finite;
  if (is_solved(system, factor)) return SolveFailure::Kind::none;
  system.set(Eigen::VectorXd::Zero(system.size()));
  if (!refine(system, factor)) return SolveFailure::Kind::not_finite;
  return is_solved(system, factor) ? SolveFailure::Kind::none : SolveFailure::Kind::no_convergence;
}

BlockSolution solve_linear(BlockSystem& system) {
  BlockSolution solution;
  solution.factor = system.factor();
  SolveFailure::Kind failure = solve_with(system, solution.factor);
  if (failure == SolveFailure::Kind::no_convergence) {
    // Entries that were taken for rounding were none.
    solution.factor = {system.size(), system.jacobian_of_all()};
    failure = solve_with(system, solution.factor);
  }
  if (failure != SolveFailure::Kind::none) return {system.failure(failure), {}};
  return solution;
}

/// The size of a step relative to w or to the largest step so far. What rounding alone can do is none: an
/// unknown that is 0 never comes to rest relative to its size.
double size_beyond_noise(Eigen::VectorXd step, const Eigen::VectorXd& w, const Eigen::VectorXd& scale,
                         const Eigen::VectorXd& noise) {
  for (Eigen::Index i = 0; i < step.size(); ++i)
    if (std::abs(step[i]) <= noise[i]) step[i] = 0.0;
  return relative_size(step, w, scale.cwiseMax(1e-300));
}

/// How long the next step may be: no longer than the present one by the scale of the steps before it, by which a first step far
/// beyond w is taken whole, or by its own scale, by which it is damped.
enum class Damping { after_the_first_step, of_every_step };

BlockSolution solve_newton(BlockSystem& system, Damping damped = Damping::after_the_first_step) {
  const NewtonProblem problem{[&] { return system.unknowns(); }, [&] { return system.residual(); },
                              [&] { return system.factor_here(); },
                              [&](const Eigen::VectorXd& w) { system.set(w); }};
  constexpr int most_iterations = 60;
  constexpr int most_halvings = 19;
  const Eigen::VectorXd first = system.unknowns().cwiseAbs();
  const double first_residual = system.residual().cwiseAbs().maxCoeff();
  Eigen::VectorXd scale = first;
  NewtonSolution solution = newton(problem, most_iterations, [&](const NewtonStep& from) {
    const Eigen::VectorXd rounding = system.rounding(), noise = from.factor.magnify(rounding);
    const double size = size_beyond_noise(from.step, from.w, scale, noise);
    // Beside a step of 1e15, taken where J nearly has no full rank, any other is small: then r has to be, too.
    constexpr double small = 1e-8, part = 1e-3, roundings = 1e3;
    const auto is_solution = [&] {
      return size_beyond_noise(from.step, from.w, first, noise) <= small ||
             from.residual.cwiseAbs().maxCoeff() <= part * first_residual ||
             (from.residual.cwiseAbs() - roundings * rounding).maxCoeff() <= 0.0;
    };
    if ((from.residual.cwiseAbs() - rounding).maxCoeff() <= 0.0 ||
        (size <= 16.0 * machine_epsilon && is_solution()))
      return NewtonProgress::at_rest;
    scale = scale.cwiseMax(from.step.cwiseAbs());
    const double length =
        damped == Damping::of_every_step ? size_beyond_noise(from.step, from.w, scale, noise) : size;
    // The natural monotonicity test: a part of the step is taken if the next step, by the same J, is shorter.
    for (int halvings = 0; halvings <= most_halvings; ++halvings) {
      const double damping = std::ldexp(1.0, -halvings);
      problem.enter(from.w - damping * from.step);
      const Eigen::VectorXd next = from.factor.solve(problem.residual());
      if (next.allFinite() && size_beyond_noise(next, from.w, scale, noise) <= (1.0 - 0.5 * damping) * length)
        return NewtonProgress::moved;
      // At rounding level no step improves the residual any more: the iterate is as good as it gets.
      if (size < 1e-10 && next.allFinite() && is_solution()) return NewtonProgress::at_rest;
    }
    return NewtonProgress::stuck;
  });
  if (solution.solved()) return {{}, std::move(solution.factor)};
  return {system.failure(solution.failure), {}};
}

/// One equation in one unknown, affine in it: a + b·w = 0.
BlockSolution solve_single(const RowMap& f, const SolutionBlock& block, std::span<double> v) {
  const int equation = block.equations.front(), unknown = block.unknowns.front();
  double& w = v[at(unknown)];
  double slope = 0.0, slope_size = 0.0;
  f.gradient(equation, v, [&](int signal, double part) {
    if (signal != unknown) return;
    slope += part;
    slope_size += std::abs(part);
  });
  if (!std::isfinite(slope) || std::abs(slope) <= 16.0 * machine_epsilon * slope_size)
    return {failure_of(block, SolveFailure::Kind::singular), {}};
  w = 0.0;
  w = -f.value(equation, v) / slope;
  if (!std::isfinite(w)) return {failure_of(block, SolveFailure::Kind::not_finite), {}};
  return {{}, LuFactor(slope)};
}

}  // namespace

void BlockSeries::enter(int unknown, int order, const Ball& coefficient) const {
  const bool slope = unknown < states, state = !slope && unknown < 2 * states;
  if (order < 0) {
    (*dirac)[at(unknown)] = coefficient;
    if (slope) series->at(unknown + states, 0).value = left[at(unknown + states)] + coefficient.value;
    return;
  }
  series->at(unknown, order) = coefficient;
  if (slope && order + 1 < series->orders())
    series->at(unknown + states, order + 1) = {coefficient.value / (order + 1),
                                               coefficient.error / (order + 1)};
  if (state && order > 0)
    series->at(unknown - states, order - 1) = {order * coefficient.value, order * coefficient.error};
}

Ball BlockSeries::dirac_part(const RowMap& f, int equation, std::span<const double> v) const {
  constexpr double rounded = 8.0 * machine_epsilon;
  Ball part = known.empty() ? Ball{} : known[at(equation)];
  part.error += rounded * std::abs(part.value);
  f.gradient(equation, v, [&](int signal, double slope) {
    const Ball& weight = (*dirac)[at(signal)];
    if (weight.value == 0.0 && weight.error == 0.0) return;  // be the slope of a function infinite
    part.value += slope * weight.value;
    part.error += std::abs(slope) * (weight.error + rounded * std::abs(weight.value));
  });
  return part;
}

BlockSolution solve_block(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                          std::span<const double> guess, const BlockSeries& series) {
  if (block.unknowns.size() == 1 && block.linear && !block.differentiated()) return solve_single(f, block, v);
  BlockSystem system(f, block, v, series);
  if (block.linear) return solve_linear(system);
  const Eigen::VectorXd from = system.unknowns();
  BlockSolution first = solve_newton(system);
  if (first.solved() || block.differentiated()) return first;
  // A whole first step may lead to where a function is flat to the last digit, as tanh is between the sides of a surface.
  const auto begin_at = [&](const Eigen::VectorXd& start, Damping damped) {
    system.set(start);
    return solve_newton(system, damped);
  };
  if (BlockSolution next = begin_at(from, Damping::of_every_step); next.solved()) return next;
  // Starts from here on may be far from where the motion comes from.
  system.set(from);
  if (approach_by_inverses(system, f, block, v))
    if (BlockSolution next = solve_newton(system); next.solved()) return next;
  const Eigen::VectorXd guessed = system.read(guess);
  const Eigen::VectorXd size = guessed.cwiseAbs().cwiseMax(1.0);
  // Products vanish at zero guesses and take the Jacobian's rank with them; so starts away from zero follow.
  for (const Eigen::VectorXd& start : {guessed, size, Eigen::VectorXd(-size)})
    if (BlockSolution next = begin_at(start, Damping::after_the_first_step); next.solved()) return next;
  // Where all of them are far out on the flat part, it is near zero that there is a slope.
  const Eigen::VectorXd middle = Eigen::VectorXd::Constant(system.size(), 0.5);
  if (BlockSolution next = begin_at(middle, Damping::of_every_step); next.solved()) return next;
  return first;
}

BlockSolution solve_and_carry(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                              std::span<const double> guess, const BlockSeries& series) {
  BlockSolution solution = solve_block(f, block, v, guess, series);
  if (!solution.solved()) return solution;
  const auto value = [&](int unknown) { return v[at(unknown)]; };
  if (!block.differentiated())
    for (const int unknown : block.unknowns) series.enter(unknown, 0, {value(unknown), 0.0});
  if (solution.factor.size() == 1 && !block.differentiated()) {
    const int unknown = block.unknowns[0];
    const double error = f.coefficient(block.equations[0], *series.series, 0).error;
    series.enter(unknown, 0, {value(unknown), error / std::abs(solution.factor.slope())});
    return solution;
  }
  const auto size = static_cast<Eigen::Index>(block.unknowns.size());
  Eigen::VectorXd error(size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const auto row = at(j);
    const int c = block.differentiated() ? block.c[row] : 0;
    if (c < 0) {
      error[j] = series.dirac_part(f, block.equations[row], v).error;
      continue;
    }
    error[j] = factorial(c) * f.coefficient(block.equations[row], *series.series, c).error;
  }
  error = solution.factor.magnify(error);
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto column = at(i);
    const int e = block.differentiated() ? block.e[column] : 0, unknown = block.unknowns[column];
    if (e < 0)
      series.enter(unknown, e, {(*series.dirac)[at(unknown)].value, error[i]});
    else
      series.enter(unknown, e, {series.series->at(unknown, e).value, error[i] / factorial(e)});
  }
  return solution;
}

RankDeficiency explain_block(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                             const BlockSeries& series) {
  const BlockSystem system(f, block, v, series);
  return explain_singularity(block, system.jacobian(), system.residual(), system.rounding());
}

}  // namespace mti
