#include "solvers/motion.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <utility>

#include "solvers/singularity.hpp"

namespace mti {
namespace {

/// (k + 1)(k + 2) … (k + m): what m differentiations make of the Taylor coefficient of order k + m.
double rising(int m, int k) {
  double product = 1.0;
  for (int i = 1; i <= m; ++i) product *= k + i;
  return product;
}

}  // namespace

Accuracy::Accuracy(const Model& model, double rtol_, double atol)
    : rtol(rtol_),
      absolute(static_cast<std::size_t>(model.signature.size()), 0.0) {
  const Signature& signature = model.signature;
  const auto enter = [&](const std::vector<Signal>& signals, int first_row) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      absolute[static_cast<std::size_t>(first_row) + i] = atol * signals[i].nominal;
  };
  enter(signature.states(), signature.state_row(0));
  enter(signature.inputs(), signature.input_row(0));
  enter(signature.algebraic(), signature.algebraic_row(0));
  enter(signature.binaries(), signature.binary_row(0));
}

Motion::Motion(const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
               const Instant& instant)
    : model_(model),
      system_(std::move(system)),
      accuracy_(accuracy),
      t_(instant.t),
      pieces_(instant.pieces),
      v_(instant.v),
      series_(model.signature.size()) {
  write_mode(model.signature, system_->mode, v_);
  for (int i = 0; i < model.signature.m(); ++i)
    if (!model.signature.inputs()[static_cast<std::size_t>(i)].binary)
      v_[static_cast<std::size_t>(model.signature.input_row(i))] =
          pieces_[static_cast<std::size_t>(i)].value(t_);
  if (system_->structurally_solvable()) {
    solve(instant);
  } else {
    status_ = Status::unsolvable_structure;
    culprits_ = system_->broken_equations;
    culprits_.insert(culprits_.end(), system_->plan.over_determined.begin(), system_->plan.over_determined.end());
  }
}

void Motion::solve(const Instant& instant) {
  make_room(system_->plan.depth);
  if (!solve_early(instant)) return;
  factors_.reserve(system_->plan.blocks.size());
  for (const SolutionBlock& block : system_->plan.blocks)
    if (!solve_lowest(block, instant, &factors_)) return;
  solved_stages_ = 1;
}

/// The stages below 0. What they ask of x must hold within what the run can tell; x is then put where it holds.
bool Motion::solve_early(const Instant& instant) {
  constexpr int most_corrections = 4;
  constexpr double own_accuracy = 8.0;  // of several ε: x is an event's point, off by its time as well
  for (int correction = 0;; ++correction) {
    std::vector<SolutionPlan::Condition> open;
    for (const SolutionPlan::Stage& stage : system_->plan.early) {
      for (const SolutionBlock& block : stage.blocks)
        if (!solve_lowest(block, instant, nullptr)) return false;
      for (const SolutionPlan::Condition& condition : stage.conditions) {
        const Carried left = system_->f.coefficient(condition.equation, series_, condition.order);
        if (std::abs(left.value) > own_accuracy * left.error) culprits_.push_back(condition.equation);
        if (condition.order == 0) open.push_back(condition);
      }
    }
    if (!culprits_.empty()) {
      status_ = Status::inconsistent;
      return false;
    }
    if (correction == most_corrections || !put_on(open)) return true;
  }
}

/// Moves x by the smallest step, in units of ε, that fulfils the linearised conditions; false if none is needed.
bool Motion::put_on(const std::vector<SolutionPlan::Condition>& conditions) {
  const Signature& signature = model_.signature;
  const auto rows = static_cast<Eigen::Index>(conditions.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, signature.n());
  Eigen::VectorXd left(rows);
  bool needed = false;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const int equation = conditions[static_cast<std::size_t>(i)].equation;
    left[i] = system_->f.value(equation, v_);
    constexpr double rounding = 1e-15;
    needed = needed || std::abs(left[i]) > rounding * system_->f.magnitude(equation, v_);
    system_->f.gradient(equation, v_, [&](int signal, double slope) {
      if (signal >= signature.state_row(0) && signal < signature.input_row(0))
        A(i, signal - signature.state_row(0)) += slope * series_.at(signal, 0).error;
    });
  }
  if (!needed) return false;
  const Eigen::VectorXd step = A.completeOrthogonalDecomposition().solve(left);
  if (!step.allFinite()) return false;
  for (int i = 0; i < signature.n(); ++i) {
    const int row = signature.state_row(i);
    const double moved = step[i] * series_.at(row, 0).error;
    v_[static_cast<std::size_t>(row)] -= moved;
    series_.at(row, 0).value = v_[static_cast<std::size_t>(row)];
  }
  return true;
}

bool Motion::solve_lowest(const SolutionBlock& block, const Instant& instant, std::vector<BlockFactor>* keep) {
  const BlockSeries place{&series_, model_.signature.n()};
  BlockSolution solution = solve_block(system_->f, block, v_, instant.guess, place);
  if (solution.status != BlockStatus::solved) {
    explain(block, solution.status);
    return false;
  }
  if (!block.differentiated())
    for (const int unknown : block.unknowns)
      enter_coefficient(series_, place.states, unknown, 0, {v_[static_cast<std::size_t>(unknown)], 0.0});
  if (solution.factor.size() == 1 && !block.differentiated()) {
    const double error = system_->f.coefficient(block.equations[0], series_, 0).error;
    enter_coefficient(series_, place.states, block.unknowns[0], 0,
                      {v_[static_cast<std::size_t>(block.unknowns[0])],
                       error / std::abs(solution.factor.slope())});
  } else {
    const auto size = static_cast<Eigen::Index>(block.unknowns.size());
    Eigen::VectorXd error(size);
    for (Eigen::Index j = 0; j < size; ++j) {
      const auto row = static_cast<std::size_t>(j);
      const int c = block.differentiated() ? block.c[row] : 0;
      error[j] = rising(c, 0) * system_->f.coefficient(block.equations[row], series_, c).error;
    }
    error = solution.factor.magnify(error);
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto column = static_cast<std::size_t>(i);
      const int e = block.differentiated() ? block.e[column] : 0;
      enter_coefficient(series_, place.states, block.unknowns[column], e,
                        {series_.at(block.unknowns[column], e).value, error[i] / rising(e, 0)});
    }
  }
  if (keep != nullptr) keep->push_back(std::move(solution.factor));
  return true;
}

void Motion::explain(const SolutionBlock& block, BlockStatus status) {
  culprits_ = block.equations;
  if (status == BlockStatus::no_convergence) {
    status_ = Status::no_convergence;
    return;
  }
  if (system_->plan.differentiated()) {  // null vectors of one stage say little about the others
    status_ = Status::not_unique;
    undetermined_ = block.unknowns;
    return;
  }
  const std::size_t blocks = factors_.size() + 1;  // those solved before, and this one
  Singularity singularity =
      explain_singularity(system_->f, std::span(system_->plan.blocks).first(blocks), v_);
  // Where Newton's method met a singular Jacobian on its way, the equations may well have a solution.
  status_ = !singularity.contradiction ? Status::not_unique
            : block.linear             ? Status::contradiction
                                       : Status::no_convergence;
  culprits_ = std::move(singularity.equations);
  undetermined_ = std::move(singularity.unknowns);
}

void Motion::make_room(int order) {
  while (series_.orders() <= order) {
    series_.add_order();
    enter_known(series_.orders() - 1);
  }
}

/// States, inputs and what keeps its value: order k of everything that no block solves for.
void Motion::enter_known(int k) {
  const Signature& signature = model_.signature;
  for (int i = 0; i < signature.n(); ++i) {
    const int row = signature.state_row(i);
    if (k == 0) {
      const double x = v_[static_cast<std::size_t>(row)];
      series_.at(row, 0) = {x, accuracy_.of(row, x)};
    } else {
      const Carried& slope = series_.at(signature.derivative_row(i), k - 1);
      series_.at(row, k) = {slope.value / k, slope.error / k};
    }
  }
  for (int i = 0; i < signature.m(); ++i) {
    if (signature.inputs()[static_cast<std::size_t>(i)].binary) continue;
    const int row = signature.input_row(i);
    const double u = pieces_[static_cast<std::size_t>(i)].derivative(t_, k) / rising(k, 0);
    series_.at(row, k) = {u, k == 0 ? accuracy_.of(row, u) : accuracy_.rtol * std::abs(u)};
  }
  if (k == 0)
    for (const int row : system_->undetermined) series_.at(row, 0) = {v_[static_cast<std::size_t>(row)], 0.0};
}

/// Stage k ≥ 1: with the coefficients sought at 0, equation j gives r_j, and ∂f/∂v · w = −r in the scaling of
/// stage 0.
void Motion::solve_stage(int k) {
  for (std::size_t b = 0; b < system_->plan.blocks.size(); ++b) {
    const SolutionBlock& block = system_->plan.blocks[b];
    if (factors_[b].size() == 1 && !block.differentiated())
      solve_single(block, factors_[b].slope(), k);
    else
      solve_coupled(block, factors_[b], k);
  }
}

void Motion::solve_coupled(const SolutionBlock& block, const BlockFactor& factor, int k) {
  const auto size = static_cast<Eigen::Index>(block.unknowns.size());
  const auto c = [&](Eigen::Index j) { return block.differentiated() ? block.c[static_cast<std::size_t>(j)] : 0; };
  const auto e = [&](Eigen::Index i) { return block.differentiated() ? block.e[static_cast<std::size_t>(i)] : 0; };
  const auto row = [&](Eigen::Index j) {
    return system_->f.coefficient(block.equations[static_cast<std::size_t>(j)], series_, c(j) + k);
  };
  const auto enter = [&](Eigen::Index i, const Carried& coefficient) {
    enter_coefficient(series_, model_.signature.n(), block.unknowns[static_cast<std::size_t>(i)], e(i) + k,
                      coefficient);
  };
  Eigen::VectorXd value(size), error(size);
  for (Eigen::Index j = 0; j < size; ++j) value[j] = -rising(c(j), k) * row(j).value;
  value = factor.solve(value);
  for (Eigen::Index i = 0; i < size; ++i) enter(i, {value[i] / rising(e(i), k), 0.0});
  // Evaluated again with the solution in place: now the errors of the matrix's own coefficients count as well.
  for (Eigen::Index j = 0; j < size; ++j) error[j] = rising(c(j), k) * row(j).error;
  error = factor.magnify(error);
  for (Eigen::Index i = 0; i < size; ++i)
    enter(i, {value[i] / rising(e(i), k), error[i] / rising(e(i), k)});
}

void Motion::solve_single(const SolutionBlock& block, double slope, int k) {
  Carried unknown{-system_->f.coefficient(block.equations[0], series_, k).value / slope, 0.0};
  series_.at(block.unknowns[0], k) = unknown;
  unknown.error = system_->f.coefficient(block.equations[0], series_, k).error / std::abs(slope);
  enter_coefficient(series_, model_.signature.n(), block.unknowns[0], k, unknown);
}

/// States and inputs up to order k; they need (ẋ, y) up to order k − 1 only.
void Motion::extend_known(int k) {
  extend(k - 1);
  make_room(k);
}

void Motion::extend(int k) {
  for (; solved_stages_ <= k; ++solved_stages_) {
    make_room(solved_stages_ + system_->plan.depth);
    solve_stage(solved_stages_);
  }
}

Carried Motion::constraint(int row, int k) {
  if (system_->has_unknowns[static_cast<std::size_t>(row)] != 0)
    extend(k);
  else
    extend_known(k);
  return system_->g.coefficient(row, series_, k);
}

Carried Motion::signal(int row, int k) {
  extend(k);
  return series_.at(row, k);
}

}  // namespace mti
