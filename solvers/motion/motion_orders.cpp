#include <Eigen/Dense>

#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {
namespace {

/// (k + 1)(k + 2) … (k + m): the factor by which m differentiations multiply the Taylor coefficient of order k + m.
double rising(int m, int k) {
  double product = 1.0;
  for (int i = 1; i <= m; ++i) product *= k + i;
  return product;
}

}  // namespace

/// Stage k ≥ 1, which is (24) for every order. Order k of f is A·(order k of the unknowns) + (what lower orders give):
/// with the coefficients sought at 0, equation j gives r_j, and A·w = −r with the matrix A = ∂f/∂v of stage 0.
void Motion::solve_stage(int b, int k) {
  const SolutionBlock& block = system_->plan->blocks[at(b)];
  const LuFactor& matrix = factor(b);
  if (matrix.size() == 1 && !block.differentiated())
    solve_single(block, matrix.slope(), k);
  else
    solve_coupled(block, matrix, k);
  adopt(block, k);
  stages_[at(b)] = static_cast<short>(k + 1);
}

/// Order c_j + k of equation j counts (k + 1) … (k + c_j) times, and so does order e_i + k of unknown i: these are the
/// factors that c_j, e_i differentiations bring, with which A is the same at every stage.
void Motion::solve_coupled(const SolutionBlock& block, const LuFactor& factor, int k) {
  const auto size = static_cast<Eigen::Index>(block.unknowns.size());
  const auto c = [&](Eigen::Index j) { return block.differentiated() ? block.c[at(j)] : 0; };
  const auto e = [&](Eigen::Index i) { return block.differentiated() ? block.e[at(i)] : 0; };
  const auto row = [&](Eigen::Index j) {
    return system_->f.coefficient(block.equations[at(j)], series_, c(j) + k);
  };
  const BlockSeries series{&series_, model_.signature.n()};
  const auto enter = [&](Eigen::Index i, const Ball& coefficient) {
    series.enter(block.unknowns[at(i)], e(i) + k, coefficient);
  };
  Eigen::VectorXd value(size), error(size);
  for (Eigen::Index j = 0; j < size; ++j) value[j] = -rising(c(j), k) * row(j).value;
  value = factor.solve(value);
  for (Eigen::Index i = 0; i < size; ++i) enter(i, {value[i] / rising(e(i), k), 0.0});
  // Evaluated again with the solution in place: now the errors of the matrix's own coefficients count as
  // well.
  for (Eigen::Index j = 0; j < size; ++j) error[j] = rising(c(j), k) * row(j).error;
  error = factor.magnify(error);
  for (Eigen::Index i = 0; i < size; ++i) enter(i, {value[i] / rising(e(i), k), error[i] / rising(e(i), k)});
}

/// The same for one equation, without vectors: most blocks of large models are such.
void Motion::solve_single(const SolutionBlock& block, double slope, int k) {
  Ball unknown{-system_->f.coefficient(block.equations[0], series_, k).value / slope, 0.0};
  series_.at(block.unknowns[0], k) = unknown;
  unknown.error = system_->f.coefficient(block.equations[0], series_, k).error / std::abs(slope);
  BlockSeries{&series_, model_.signature.n()}.enter(block.unknowns[0], k, unknown);
}

/// All blocks up to order k: for modes without a graph of their blocks, and where relaxing states join them all.
void Motion::extend(int k) {
  for (; whole_stages_ <= k; ++whole_stages_) {
    make_room(whole_stages_ + system_->plan->depth);
    if (quasi_steady_) {
      make_room(whole_stages_ + 1);
      quasi_steady_->solve_stage(system_->f, series_, whole_stages_);
      continue;
    }
    for (std::size_t b = 0; b < stages_.size(); ++b)
      if (stages_[b] <= whole_stages_) solve_stage(static_cast<int>(b), whole_stages_);
  }
}

/// Block b up to order k, and before it whatever it needs for that, so that a constraint which few signals decide
/// costs a few blocks. An explicit stack: chains of blocks may be long.
void Motion::require(int b, int k) {
  struct Visit {
    int block, order;
    std::size_t next_input = 0;
  };
  if (b < 0) return;
  make_room(k + 1);
  if (stages_[at(b)] > k) return;
  std::vector<Visit> open{{b, k}};
  while (!open.empty()) {
    Visit& visit = open.back();
    const int missing = stages_[at(visit.block)];
    if (missing > visit.order) {
      open.pop_back();
      continue;
    }
    // Orders of one block are made one after the other.
    if (visit.next_input == 0 && missing < visit.order) {
      open.push_back({visit.block, visit.order - 1});
      continue;
    }
    const auto inputs = system_->graph->inputs(visit.block);
    if (visit.next_input < inputs.size()) {
      const BlockGraph::Input input = inputs[visit.next_input++];
      const int order = input.of_slope ? visit.order - 1 : visit.order;
      if (order >= 1) open.push_back({input.block, order});
      continue;
    }
    solve_stage(visit.block, visit.order);
    open.pop_back();
  }
}

/// Solves for all coefficients that order k of a constraint needs.
void Motion::require_signals_of(int row, int k) {
  const Signature& signature = model_.signature;
  make_room(k);
  for (const RowMap::Term& term : system_->g.terms(row))
    for (const RowMap::Factor& factor : system_->g.factors(term.column)) {
      const bool state = factor.signal >= signature.state_row(0) && factor.signal < signature.input_row(0);
      const int order = state ? k - 1 : k;
      if (order >= 1)
        require(system_->graph->owner(state ? factor.signal - signature.n() : factor.signal), order);
    }
}

/// (25) for every order: order k of g needs order k of ẋ and y where they occur in it, of x the slope's order k − 1.
Ball Motion::constraint(int row, int k) {
  if (system_->graph && !quasi_steady_ && whole_stages_ <= k)
    require_signals_of(row, k);
  else if (system_->has_unknowns[at(row)] != 0)
    extend(k);
  else
    extend(k - 1);
  if (!system_->plan->algebraic_states.empty()) extend(k + 1);  // their slopes follow from the next order
  make_room(k);
  const Ball found = system_->g.coefficient(row, series_, k), known = known_constraint(row, k);
  Ball better = known.error < found.error ? known : found;
  constexpr double near = 2.0;  // of its error
  if (relaxed_ && std::abs(better.value) <= near * better.error)
    if (const Ball relaxed = relaxed_constraint(row, k); relaxed.error < better.error) better = relaxed;
  if (std::abs(better.value) > near * better.error || quasi_steady_ || !may_be_reduced(row)) return better;
  const auto [reduced, is_new] = reduced_.try_emplace({row, k});
  if (is_new) reduced->second = reduced_coefficient(row, k, found);
  return reduced->second.error < better.error ? reduced->second : better;
}

/// By the integrator, of this mode or of the one that ends. States that relax here begin where they have been left, too: a row
/// that is inside there is inside until they have taken it elsewhere.
Ball Motion::known_constraint(int row, int k) const {
  constexpr Ball unknown{0.0, std::numeric_limits<double>::infinity()};
  if (vouched_) return vouched_->constraint(row, k);
  if (!left_ || k > 0 || left_->constraints.empty()) return unknown;
  const auto form = ConstraintForm::of(system_->g, row, model_.signature);
  if (!form) return unknown;
  const Ball left = left_->value_of(*form);
  return !quasi_steady_ || left.value < -left.error ? left : unknown;
}

Ball Motion::signal(int row, int k) {
  extend(system_->plan->algebraic_states.empty() ? k : k + 1);
  make_room(k);
  return series_.at(row, k);
}

/// A motion that begins dt₀ later begins at x + ẋ⁻·dt₀, where the mode that ends has brought x meanwhile, and with
/// inputs that have gone on. (ẋ, y) follow from f = 0: once more (24), with ẋ⁻ in the place of ẋ.
double Motion::rate_of_beginning(int row) {
  if (!left_ || !left_->mode || left_->coefficients.empty() || quasi_steady_ || !solved())
    return std::numeric_limits<double>::infinity();
  if (!beginnings_) {
    const Signature& signature = model_.signature;
    TaylorSeries& moved = beginnings_.emplace(system_->rows_of_v(signature));
    moved.take_order_0(series_);
    moved.add_order();
    for (int i = 0; i < signature.n(); ++i)
      moved.at(signature.state_row(i), 1).value = left_->at(signature.derivative_row(i), 0).value;
    for (int i = 0; i < signature.m(); ++i)
      if (!signature.inputs()[at(i)].binary)
        moved.at(signature.input_row(i), 1).value = pieces_[at(i)].derivative(t_, 1);
    for (std::size_t b = 0; b < system_->plan->blocks.size(); ++b) {
      const SolutionBlock& block = system_->plan->blocks[b];
      const auto size = static_cast<Eigen::Index>(block.unknowns.size());
      Eigen::VectorXd value(size);
      for (Eigen::Index j = 0; j < size; ++j)
        value[j] = -system_->f.coefficient(block.equations[at(j)], moved, 1).value;
      value = factor(static_cast<int>(b)).solve(value);
      for (Eigen::Index i = 0; i < size; ++i) moved.at(block.unknowns[at(i)], 1).value = value[i];
    }
  }
  return std::abs(system_->g.coefficient(row, *beginnings_, 1).value);
}

}  // namespace mti
