#include "solvers/motion.hpp"

#include <cmath>
#include <utility>

#include "solvers/singularity.hpp"

namespace mti {

Accuracy::Accuracy(const Model& model, double rtol_, double atol)
    : rtol(rtol_), absolute(static_cast<std::size_t>(model.signature.size()), 0.0) {
  const Signature& signature = model.signature;
  const auto enter = [&](const std::vector<Signal>& signals, int first_row) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      absolute[static_cast<std::size_t>(first_row) + i] = atol * signals[i].nominal;
  };
  enter(signature.states(), signature.state_row(0));
  enter(signature.inputs(), signature.input_row(0));
  enter(signature.algebraic(), signature.algebraic_row(0));
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
    culprits_.insert(culprits_.end(), system_->over_determined.begin(), system_->over_determined.end());
  }
}

void Motion::solve(const Instant& instant) {
  series_.add_order();
  enter_known(0);
  factors_.reserve(system_->blocks.size());
  for (const SolutionBlock& block : system_->blocks) {
    BlockSolution solution = solve_block(system_->f, block, v_, instant.guess);
    if (solution.status == BlockStatus::no_convergence) {
      status_ = Status::no_convergence;
      culprits_ = block.equations;
      return;
    }
    if (solution.status == BlockStatus::singular) {
      const std::size_t blocks = factors_.size() + 1;  // those solved before, and this one
      Singularity singularity = explain_singularity(system_->f, std::span(system_->blocks).first(blocks), v_);
      // Where Newton's method met a singular Jacobian on its way, the equations may well have a solution.
      status_ = !singularity.contradiction ? Status::not_unique
                : block.linear             ? Status::contradiction
                                           : Status::no_convergence;
      culprits_ = std::move(singularity.equations);
      undetermined_ = std::move(singularity.unknowns);
      return;
    }
    for (const int unknown : block.unknowns)
      series_.at(unknown, 0) = {v_[static_cast<std::size_t>(unknown)], 0.0};
    if (solution.factor.size() == 1) {
      const double error = system_->f.coefficient(block.equations[0], series_, 0).error;
      series_.at(block.unknowns[0], 0).error = error / std::abs(solution.factor.slope());
      factors_.push_back(std::move(solution.factor));
      continue;
    }
    const auto size = static_cast<Eigen::Index>(block.unknowns.size());
    Eigen::VectorXd error(size);
    for (Eigen::Index j = 0; j < size; ++j)
      error[j] = system_->f.coefficient(block.equations[static_cast<std::size_t>(j)], series_, 0).error;
    error = solution.factor.magnify(error);
    for (Eigen::Index i = 0; i < size; ++i)
      series_.at(block.unknowns[static_cast<std::size_t>(i)], 0).error = error[i];
    factors_.push_back(std::move(solution.factor));
  }
  solved_orders_ = 1;
}

/// States, inputs and what keeps its value: order k of everything that no block solves for.
void Motion::enter_known(int k) {
  const Signature& signature = model_.signature;
  double factorial = 1.0;
  for (int i = 2; i <= k; ++i) factorial *= i;
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
    const double u = pieces_[static_cast<std::size_t>(i)].derivative(t_, k) / factorial;
    series_.at(row, k) = {u, k == 0 ? accuracy_.of(row, u) : accuracy_.rtol * std::abs(u)};
  }
  if (k == 0)
    for (const int row : system_->undetermined) series_.at(row, 0) = {v_[static_cast<std::size_t>(row)], 0.0};
}

/// Order k ≥ 1 of (ẋ, y): with the unknown coefficients at 0, row j gives r_j, and A·(ẋ, y)_k = −r.
void Motion::solve_order(int k) {
  for (std::size_t b = 0; b < system_->blocks.size(); ++b) {
    const SolutionBlock& block = system_->blocks[b];
    if (factors_[b].size() == 1) {
      solve_single_order(block, factors_[b].slope(), k);
      continue;
    }
    const auto size = static_cast<Eigen::Index>(block.unknowns.size());
    Eigen::VectorXd value(size), error(size);
    for (Eigen::Index j = 0; j < size; ++j)
      value[j] = -system_->f.coefficient(block.equations[static_cast<std::size_t>(j)], series_, k).value;
    value = factors_[b].solve(value);
    for (Eigen::Index i = 0; i < size; ++i)
      series_.at(block.unknowns[static_cast<std::size_t>(i)], k) = {value[i], 0.0};
    // Evaluated again with the solution in place: now the errors of A's own coefficients count as well.
    for (Eigen::Index j = 0; j < size; ++j)
      error[j] = system_->f.coefficient(block.equations[static_cast<std::size_t>(j)], series_, k).error;
    error = factors_[b].magnify(error);
    for (Eigen::Index i = 0; i < size; ++i)
      series_.at(block.unknowns[static_cast<std::size_t>(i)], k).error = error[i];
  }
}

void Motion::solve_single_order(const SolutionBlock& block, double slope, int k) {
  Carried& unknown = series_.at(block.unknowns[0], k);
  unknown = {-system_->f.coefficient(block.equations[0], series_, k).value / slope, 0.0};
  unknown.error = system_->f.coefficient(block.equations[0], series_, k).error / std::abs(slope);
}

/// States and inputs up to order k; they need (ẋ, y) up to order k − 1 only.
void Motion::extend_known(int k) {
  while (series_.orders() <= k) {
    extend(series_.orders() - 1);
    series_.add_order();
    enter_known(series_.orders() - 1);
  }
}

void Motion::extend(int k) {
  while (solved_orders_ <= k) {
    extend_known(solved_orders_);
    solve_order(solved_orders_++);
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
