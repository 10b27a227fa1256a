#include "solvers/motion/motion.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/blocks/rank_deficiency.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/restart/impulse_coefficients.hpp"
#include "solvers/restart/known_impulses.hpp"

namespace mti {
namespace {

/// (k + 1)(k + 2) … (k + m): the factor by which m differentiations multiply the Taylor coefficient of order k + m.
double rising(int m, int k) {
  double product = 1.0;
  for (int i = 1; i <= m; ++i) product *= k + i;
  return product;
}

}  // namespace

Motion::Motion(Unsolved, const Model& model, std::shared_ptr<const ModeSystem> system,
               const Accuracy& accuracy, const Instant& instant)
    : model_(model),
      system_(std::move(system)),
      accuracy_(accuracy),
      t_(instant.t),
      pieces_(instant.pieces),
      series_(system_->rows_of_v(model.signature)),
      beginnings_(system_->rows_of_v(model.signature)) {
  enter_instant(instant);
  if (instant.vouched && !system_->held && system_->plan->plain() &&
      instant.vouched->mode == system_->mode)
    vouched_ = instant.vouched;
  else if (instant.vouched && !system_->held && system_->plan->plain() && instant.z_before.empty())
    left_ = instant.vouched;
}

Motion::Motion(const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
               const Instant& instant, const SignalRows* rows, std::shared_ptr<const Motion> base)
    : Motion(Unsolved{}, model, std::move(system), accuracy, instant) {
  const bool varies = base && rows != nullptr && base->status_ == Status::solved && !base->base_ &&
                      !base->quasi_steady_ && system_->graph && base->system_->plan == system_->plan &&
                      instant.z_before.empty();
  if (varies && system_->structurally_solvable()) {
    base_ = std::move(base);
    solve_variation(instant, *rows);
    if (status_ != Status::solved ||
        !relaxes_within(accuracy_.resolution, model_.signature, *system_->plan, accuracy_, v_, series_))
      return;
    base_.reset();
    varied_.clear();
    varied_factors_.clear();
    series_ = TaylorSeries(system_->rows_of_v(model_.signature));
    enter_instant(instant);
    solve(instant);
  } else if (system_->structurally_solvable()) {
    solve(instant);
  } else {
    status_ = Status::unsolvable_structure;
    culprits_ = system_->broken_equations;
    culprits_.insert(culprits_.end(), system_->plan->over_determined.begin(),
                     system_->plan->over_determined.end());
  }
  v_.resize(at(model.signature.size()));
}

Motion::Motion(const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
               const Instant& instant, const DueLaws& laws)
    : Motion(Unsolved{}, model, std::move(system), accuracy, instant) {
  make_room(system_->plan->depth);
  begin(instant, laws);
  v_.resize(at(model.signature.size()));
}

void Motion::solve(const Instant& instant) {
  make_room(system_->plan->depth);
  if (!begin(instant, change_laws(model_, instant.z_before, system_->mode.z))) return;
  const std::vector<SolutionBlock>& blocks = system_->plan->blocks;
  factors_.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (!solve_lowest(blocks[b], instant, &factors_[b])) return;
  stages_.assign(blocks.size(), 1);
  whole_stages_ = 1;
  if (!vouched_ && !hold_quasi_steady(instant)) return;
  examine_coefficients({model_, *system_, accuracy_, instant, v_, series_}, before_, restart_);
  if (!accept_restart() || system_->plan->algebraic_states.empty()) return;
  extend(1);  // their slopes follow from the next order
  for (const int row : system_->plan->algebraic_states)
    v_[at(row - model_.signature.n())] = series_.at(row - model_.signature.n(), 0).value;
}

/// Where states relax within the resolution of time, without leaving what is known about them, the motion
/// begins where they have relaxed. False if that has no solution.
bool Motion::hold_quasi_steady(const Instant& instant) {
  quasi_steady_ = QuasiSteady::find(system_->f, *system_->plan, model_.signature, accuracy_, t_, v_, series_);
  if (!quasi_steady_) return true;
  const std::vector<SolutionBlock>& blocks = system_->plan->blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (!solve_lowest(blocks[b], instant, &factors_[b])) return false;
  quasi_steady_->enter_order_0(v_, series_);
  return true;
}

/// Order k of the unknowns of a block where the error bound of the integrator is smaller than that of the equations.
void Motion::adopt(const SolutionBlock& block, int k) {
  if (!vouched_ || block.differentiated()) return;
  for (const int unknown : block.unknowns) {
    const Ball known = vouched_->at(unknown, k);
    if (!(known.error < series_.at(unknown, k).error)) continue;
    BlockSeries{&series_, model_.signature.n()}.enter(unknown, k, known);
    if (k == 0) v_[at(unknown)] = known.value;
  }
}

/// Order 0 of the base, except of blocks that hold a changed equation or an unknown that came out
/// differently.
void Motion::solve_variation(const Instant& instant, const SignalRows& rows) {
  const Signature& signature = model_.signature;
  const BlockGraph& graph = *system_->graph;
  v_ = base_->v_;
  write_mode(signature, system_->mode, v_);
  series_.take_order_0(base_->series_);
  std::priority_queue<int, std::vector<int>, std::greater<>> open;  // blocks are in solving order
  const auto changed = [&](int signal) {
    for (const int equation : rows.f.with(signal))
      if (const int block = graph.solver_of(equation); block >= 0) open.push(block);
  };
  const Mode &mode = system_->mode, &other = base_->system_->mode;
  for (int i = 0; i < signature.q(); ++i)
    if (mode.z[at(i)] != other.z[at(i)]) changed(signature.binary_row(i));
  for (int i = 0; i < signature.r(); ++i)
    if (mode.pre[at(i)] != other.pre[at(i)]) changed(signature.pre_row(i));
  int last = -1;
  while (!open.empty()) {
    const int b = open.top();
    open.pop();
    if (b == last) continue;
    last = b;
    const SolutionBlock& block = system_->plan->blocks[at(b)];
    if (!solve_lowest(block, instant, &varied_factors_[b])) return;
    bool differs = false;
    for (const int unknown : block.unknowns) {
      const auto place = at(unknown);
      if (v_[place] == base_->v_[place] &&
          series_.at(unknown, 0).error == base_->series_.at(unknown, 0).error)
        continue;
      varied_.push_back(unknown);
      differs = true;
    }
    if (differs)
      for (const int dependent : graph.dependents(b)) open.push(dependent);
  }
  stages_.assign(system_->plan->blocks.size(), 1);
  whole_stages_ = 1;
}

const LuFactor& Motion::factor(int block) const {
  if (!base_) return factors_[at(block)];
  const auto found = varied_factors_.find(block);
  return found != varied_factors_.end() ? found->second : base_->factor(block);
}

/// The stages before 0: x⁺ and the quantities that its constraints fix.
bool Motion::begin(const Instant& instant, const DueLaws& laws) {
  const RestartPlace place{model_, *system_, accuracy_, instant, v_, series_};
  if (laws.empty() && !system_->plan->differentiated() && !has_dirac_parts(*system_)) return true;
  before_ = values_before(place);
  if (!instant.has_past) v_ = before_;
  restart_ = laws.empty() ? mti::restart(place) : restart_under_laws(place, laws);
  return accept_restart();
}

/// Takes over why there is no restart.
bool Motion::accept_restart() {
  if (restart_.done()) return true;
  using Reason = Restart::Status;
  status_ = restart_.status == Reason::contradiction || restart_.status == Reason::off_position
                ? Status::contradiction
            : restart_.status == Reason::not_unique     ? Status::not_unique
            : restart_.status == Reason::no_convergence ? Status::no_convergence
                                                        : Status::refused;
  culprits_ = restart_.equations;
  undetermined_ = restart_.unknowns;
  return false;
}

bool Motion::solve_lowest(const SolutionBlock& block, const Instant& instant, LuFactor* keep) {
  check_budget();
  BlockSolution solution =
      solve_and_carry(system_->f, block, v_, instant.guess, {&series_, model_.signature.n()});
  if (solution.status != BlockStatus::solved) {
    explain(block, solution.status);
    return false;
  }
  if (keep != nullptr) *keep = std::move(solution.factor);
  adopt(block, 0);
  return true;
}

void Motion::explain(const SolutionBlock& block, BlockStatus status) {
  culprits_ = block.equations;
  if (status == BlockStatus::no_convergence) {
    status_ = Status::no_convergence;
    return;
  }
  // With those solved before it, where they are of one stage.
  const auto blocks = at(&block - system_->plan->blocks.data()) + 1;
  RankDeficiency singularity =
      block.differentiated()
          ? explain_block(system_->f, block, v_, {&series_, model_.signature.n()})
          : explain_singularity(system_->f, std::span(system_->plan->blocks).first(blocks), v_);
  rank_ = singularity.rank;
  size_ = singularity.size;
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

/// States, inputs and what keeps its value (of an absent state the slope 0, as made): order k of everything
/// that no block solves for.
void Motion::enter_known(int k) {
  const Signature& signature = model_.signature;
  for (int i = 0; i < signature.n(); ++i) {
    const int row = signature.state_row(i);
    if (k == 0) {
      const double x = v_[at(row)];
      series_.at(row, 0) = {x, accuracy_.of(row, x)};
    } else {
      const Ball& slope = series_.at(signature.derivative_row(i), k - 1);
      series_.at(row, k) = {slope.value / k, slope.error / k};
    }
  }
  for (const int row : system_->plan->algebraic_states)
    series_.at(row, k) = k == 0 ? Ball{v_[at(row)], 0.0} : Ball{};
  for (int i = 0; i < signature.m(); ++i) {
    if (signature.inputs()[at(i)].binary) continue;
    const int row = signature.input_row(i);
    const double u = pieces_[at(i)].derivative(t_, k) / rising(k, 0);
    series_.at(row, k) = {u, k == 0 ? accuracy_.of(row, u) : accuracy_.rtol * std::abs(u)};
  }
  int extra = signature.size();
  for (const InputDerivative& derivative : input_derivatives(*system_)) {
    const double u = derivative.value(t_, pieces_, k) / factorial(k);
    series_.at(extra++, k) = {u, accuracy_.rtol * std::abs(u)};
  }
  if (k > 0) return;
  for (const std::vector<int>* kept : {&system_->plan->unmatched, &system_->plan->absent.slopes})
    for (const int row : *kept) series_.at(row, 0) = {v_[at(row)], 0.0};
}

/// Stage k ≥ 1: with the coefficients sought at 0, equation j gives r_j, and ∂f/∂v · w = −r in the scaling of
/// stage 0.
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

void Motion::solve_single(const SolutionBlock& block, double slope, int k) {
  Ball unknown{-system_->f.coefficient(block.equations[0], series_, k).value / slope, 0.0};
  series_.at(block.unknowns[0], k) = unknown;
  unknown.error = system_->f.coefficient(block.equations[0], series_, k).error / std::abs(slope);
  BlockSeries{&series_, model_.signature.n()}.enter(block.unknowns[0], k, unknown);
}

/// All blocks up to order k.
void Motion::extend(int k) {
  for (; whole_stages_ <= k; ++whole_stages_) {
    make_room(whole_stages_ + system_->plan->depth);
    if (quasi_steady_) {
      quasi_steady_->solve_stage(system_->f, series_, whole_stages_);
      continue;
    }
    for (std::size_t b = 0; b < stages_.size(); ++b)
      if (stages_[b] <= whole_stages_) solve_stage(static_cast<int>(b), whole_stages_);
  }
}

/// Block b up to order k, and before it whatever it needs for that.
void Motion::require(int b, int k) {
  struct Visit {
    int block, order;
    std::size_t next_input = 0;
  };
  if (b < 0) return;
  make_room(k + 1);
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

Ball Motion::constraint(int row, int k) {
  if (system_->graph && !quasi_steady_ && whole_stages_ <= k)
    require_signals_of(row, k);
  else if (system_->has_unknowns[at(row)] != 0)
    extend(k);
  else
    extend(k - 1);
  if (!system_->plan->algebraic_states.empty()) extend(k + 1);
  make_room(k);
  return system_->g.coefficient(row, series_, k);
}

Ball Motion::signal(int row, int k) {
  extend(system_->plan->algebraic_states.empty() ? k : k + 1);
  make_room(k);
  return series_.at(row, k);
}

}  // namespace mti
