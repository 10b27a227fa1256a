#include "solvers/motion/motion.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/blocks/rank_deficiency.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/restart/impulse_coefficients.hpp"
#include "solvers/restart/known_impulses.hpp"

namespace mti {

Motion::Motion(Unsolved, const Model& model, std::shared_ptr<const ModeSystem> system,
               const Accuracy& accuracy, const Instant& instant)
    : model_(model),
      system_(std::move(system)),
      accuracy_(accuracy),
      t_(instant.t),
      grace_(instant.grace),
      pieces_(instant.pieces),
      series_(system_->rows_of_v(model.signature)) {
  enter_instant(instant);
  // What the integrator vouches for holds in the mode that it has integrated. Of any other mode it tells where the
  // motion began that led here, unless laws may have moved x since.
  if (!instant.vouched || system_->held) return;
  if (instant.vouched->mode == system_->mode)
    vouched_ = instant.vouched;
  else if (instant.z_before.empty() && system_->plan->plain())
    left_ = instant.vouched;
  is_exact_ = left_ && left_->states_are_exact;
}

/// A variation needs the plan of its base, and a base that solves f = 0 at x⁻ as it stands: not a variation itself,
/// none whose states have relaxed or may be moved by laws.
Motion::Motion(const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
               const Instant& instant, const SignalRows* rows, std::shared_ptr<const Motion> base)
    : Motion(Unsolved{}, model, std::move(system), accuracy, instant) {
  const bool varies = base && rows != nullptr && base->solved() && !base->base_ && !base->quasi_steady_ &&
                      system_->graph && system_->has_plan_of(*base->system_) && instant.z_before.empty();
  if (varies && system_->structurally_solvable()) {
    // States that relax here would join all blocks: then the motion is solved as a whole after all.
    base_ = std::move(base);
    const bool may_be_exact = std::exchange(is_exact_, false);
    solve_variation(instant, *rows);
    if (!solved() || !relaxes_within(accuracy_.resolution, model_.signature, accuracy_, v_, series_)) return;
    base_.reset();
    varied_.clear();
    varied_factors_.clear();
    is_exact_ = may_be_exact;
    begin_anew(instant);
    solve(instant);
  } else if (system_->structurally_solvable()) {
    solve(instant);
  } else {
    const std::vector<int>& over_determined = system_->plan->over_determined;
    failure_.kind = SolveFailure::Kind::structure;
    failure_.equations = system_->broken_equations;
    failure_.equations.insert(failure_.equations.end(), over_determined.begin(), over_determined.end());
    failure_.signals = over_determined.empty() ? system_->ambiguous : system_->plan->under_determined;
  }
  v_.resize(at(model.signature.size()));
}

Motion::Motion(const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
               const Instant& instant, const DueLaws& laws)
    : Motion(Unsolved{}, model, std::move(system), accuracy, instant) {
  make_room(system_->plan->depth);
  if (begin(instant, laws, LawsOf::last_mode)) {
    // What the integrator vouches for lies before the law.
    vouched_.reset();
    left_.reset();
    examine_law(instant);
  }
  v_.resize(at(model.signature.size()));
}

/// Stages of the plan in their order (docs/restarts.md, "Stages"): those below 0 give x⁺, stage 0 gives (ẋ, y) from
/// f = 0 at x⁺, block after block, because a block needs nothing of those that come later.
void Motion::solve(const Instant& instant) {
  make_room(system_->plan->depth);
  const DueLaws laws = change_laws(model_, instant.z_before, system_->mode.z);
  if (!begin(instant, laws, LawsOf::next_mode)) return;
  const std::vector<SolutionBlock>& blocks = system_->plan->blocks;
  factors_.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (!solve_lowest(blocks[b], instant, &factors_[b])) return;
  stages_.assign(blocks.size(), 1);
  whole_stages_ = 1;
  if (is_exact_ && !knows_where_it_goes()) {
    is_exact_ = false;
    begin_anew(instant);
    return solve(instant);
  }
  // What an integrator vouches for says nothing of what is differentiated, or of what slides.
  const bool is_plain = system_->plan->plain() && system_->sliding.empty();
  const bool knows_rates = is_exact_ || (is_plain && vouched_ && !vouched_->coefficients.empty());
  if (!knows_rates && !hold_quasi_steady(instant)) return;

  // Only with the right limits is it known whether what multiplies an impulse has jumped itself.
  examine_coefficients({model_, *system_, accuracy_, instant, v_, series_}, before_, restart_);
  failure_ = restart_.failure;
  if (!solved() || system_->plan->algebraic_states.empty()) return;
  extend(1);  // their slopes follow from the next order
  for (const int row : system_->plan->algebraic_states)
    v_[at(row - model_.signature.n())] = series_.at(row - model_.signature.n(), 0).value;
}

/// Right limits in the mode that ends show whether what multiplies an impulse has jumped with the states. v takes those
/// of y, of which a further law at the same instant has to know. What that mode does not determine at x⁺ is no number.
void Motion::examine_law(const Instant& instant) {
  if (restart_.impulsive_parts().empty()) return;
  const std::vector<double> entered = v_;
  const std::vector<SolutionBlock>& blocks = system_->plan->blocks;
  std::size_t solved_blocks = 0;
  while (solved_blocks < blocks.size() && solve_lowest(blocks[solved_blocks], instant, nullptr))
    ++solved_blocks;
  failure_ = {};
  std::vector<double> right = v_;
  for (std::size_t b = solved_blocks; b < blocks.size(); ++b)
    for (std::size_t j = 0; j < blocks[b].unknowns.size(); ++j)
      if (const auto row = at(blocks[b].unknowns[j]); !blocks[b].differentiated() || blocks[b].e[j] == 0) {
        v_[row] = entered[row];
        right[row] = std::numeric_limits<double>::quiet_NaN();
      }
  const auto y = static_cast<std::ptrdiff_t>(model_.signature.algebraic_row(0));
  std::copy(entered.begin(), entered.begin() + y, v_.begin());
  examine_coefficients({model_, *system_, accuracy_, instant, right, series_}, before_, restart_);
  failure_ = restart_.failure;
}

/// From states that have all their digits: every constraint is inside, or its slope has a sign. Then nothing has to relax.
bool Motion::knows_where_it_goes() {
  return std::ranges::all_of(system_->live_constraints, [this](int row) {
    const Ball g = constraint(row, 0);
    if (g.value < -g.error) return true;
    const Ball slope = constraint(row, 1);
    return slope.error < std::abs(slope.value);
  });
}

/// Nothing is solved, what is known stands as at the instant.
void Motion::begin_anew(const Instant& instant) {
  series_ = TaylorSeries(system_->rows_of_v(model_.signature));
  restart_ = Restart();
  enter_instant(instant);
}

/// Where states relax within the resolution of time, without leaving what is known about them, the motion
/// begins where they have relaxed. False if that has no solution.
bool Motion::hold_quasi_steady(const Instant& instant) {
  std::vector<double> input_rates;
  input_rates.reserve(at(model_.signature.m()));
  for (int i = 0; i < model_.signature.m(); ++i)
    input_rates.push_back(model_.signature.inputs()[at(i)].binary ? 0.0 : pieces_[at(i)].derivative(t_, 1));
  if (!system_->plan->plain()) {
    look_beside(input_rates);
    return true;
  }
  quasi_steady_ = QuasiSteady::find(system_->f, *system_->plan, model_.signature, accuracy_, t_, input_rates,
                                    v_, series_);
  if (!quasi_steady_) return true;
  const std::vector<SolutionBlock>& blocks = system_->plan->blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (!solve_lowest(blocks[b], instant, &factors_[b])) return false;
  quasi_steady_->enter_order_0(v_, series_);
  return true;
}

/// Order k of the unknowns of a block where the error bound of the integrator is smaller than that of the equations.
void Motion::adopt(const SolutionBlock& block, int k) {
  if (!vouched_ || !block.of_order_0()) return;
  for (const int unknown : block.unknowns) {
    const Ball known = vouched_->at(unknown, k);
    if (!(known.error < series_.at(unknown, k).error)) continue;
    BlockSeries{&series_, model_.signature.n()}.enter(unknown, k, known);
    if (k == 0) v_[at(unknown)] = known.value;
  }
}

/// Order 0 of the base, except of blocks that hold a changed equation or an unknown that came out
/// differently. Blocks are taken in their order of solution: when one is due, all that it needs is final. One whose
/// unknowns come out the same, to the last bit and with the same error, spreads no further.
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
bool Motion::begin(const Instant& instant, const DueLaws& laws, LawsOf laws_of) {
  const RestartPlace place{model_, *system_, accuracy_, instant, v_, series_};
  if (laws.empty() && !system_->plan->differentiated() && !has_dirac_parts(*system_)) return true;
  before_ = values_before(place);
  if (!instant.has_past) v_ = before_;
  restart_ = laws.empty() ? mti::restart(place) : restart_under_laws(place, laws, laws_of);
  failure_ = restart_.failure;
  return solved();
}

bool Motion::solve_lowest(const SolutionBlock& block, const Instant& instant, LuFactor* keep) {
  check_budget();
  BlockSeries series{&series_, model_.signature.n()};
  series.constant = &system_->constant_factors();
  BlockSolution solution = solve_and_carry(system_->f, block, v_, instant.guess, series);
  if (!solution.solved()) {
    failure_ = failure_of_motion(block, std::move(solution.failure));
    return false;
  }
  if (keep != nullptr) *keep = std::move(solution.factor);
  adopt(block, 0);
  return true;
}

/// The null vectors of a singular block, together with the blocks solved before it where all are of one stage.
SolveFailure Motion::failure_of_motion(const SolutionBlock& block, SolveFailure failure) {
  if (failure.kind != SolveFailure::Kind::singular) return failure;
  const auto blocks = at(&block - system_->plan->blocks.data()) + 1;
  return examined(SolveFailure::Stage::motion, block,
                  block.differentiated()
                      ? explain_block(system_->f, block, v_, {&series_, model_.signature.n()})
                      : explain_singularity(system_->f, std::span(system_->plan->blocks).first(blocks), v_));
}

}  // namespace mti
