#include "solvers/restart/linear_projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/linear_algebra/bounded_factor.hpp"
#include "solvers/plan/system_jacobian.hpp"
#include "solvers/restart/known_impulses.hpp"

namespace mti {
namespace {

/// X_m of all signals, x and y by their rows of S; for x at m = 0 the jump, X_0 − x⁻, so that E x⁻ need not
/// be kept apart in order −1 of the equations.
class LaurentSeries {
 public:
  LaurentSeries(int lowest, int highest, int signals)
      : lowest_(lowest), signals_(signals), terms_(at((highest - lowest + 1) * signals)) {}

  [[nodiscard]] Ball& at_order(int signal, int m) { return terms_[at((m - lowest_) * signals_ + signal)]; }
  [[nodiscard]] bool has(int m) const { return m >= lowest_; }

 private:
  int lowest_, signals_;
  std::vector<Ball> terms_;
};

class LinearRestart {
 public:
  LinearRestart(const RestartPlace& place, const LinearPart& part)
      : place_(place),
        plan_(*place.system.plan),
        n_(place.model.signature.n()),
        known_(place),
        // Below it nothing is different from 0: a chain of c differentiations turns the jump of a state into an
        // impulse of order c at most, and a known impulse adds its own order.
        lowest_(-static_cast<int>(plan_.early.size()) - 2 - known_.highest_order()),
        X_(lowest_, plan_.depth + 1, static_cast<int>(place.v.size())),
        zero_(place.v.size(), 0.0) {
    for (const SolutionBlock& block : plan_.blocks)
      if (part.equations[at(block.equations.front())] != 0) blocks_.push_back(&block);
  }

  Restart solve() {
    // The matrices J = ∂f_i/∂v_j of stage 0 serve all stages. In a linear mode they are constant.
    std::vector<BoundedFactor> factors;
    for (const SolutionBlock* const block : blocks_) {
      factors.emplace_back(static_cast<int>(block->unknowns.size()),
                           SystemJacobian(*block, n_).entries(place_.system.f, place_.v));
      if (factors.back().singular()) return refuse(*block);
    }
    // Stage k: order c_i + k of equation i gives order e_j + k of unknown j. From the first stage at which
    // anything could differ from 0 up to stage −1; stage 0 is the motion.
    for (int k = lowest_ + 1; k < 0; ++k)
      for (std::size_t b = 0; b < factors.size(); ++b) solve_stage(*blocks_[b], factors[b], k);
    return conclude();
  }

 private:
  static int order(const std::vector<int>& orders, std::size_t i) { return orders.empty() ? 0 : orders[i]; }

  /// Row of S whose X the unknown stands for, and its order at stage k.
  [[nodiscard]] std::pair<int, int> place_of(const SolutionBlock& block, std::size_t j, int k) const {
    const int unknown = block.unknowns[j], e = order(block.e, j);
    return unknown < n_ ? std::pair(unknown + n_, e + 1 + k) : std::pair(unknown, e + k);
  }

  /// The residual of order m of an equation, Σ_j (E_ij X_{j,m+1} + A_ij X_{j,m}) − b_i^(m), with X = 0 where
  /// it is still sought. Inputs are known to the right of t: they have no X of order below 0.
  Ball left(int equation, int m) {
    const Signature& signature = place_.model.signature;
    Ball sum = m < 0 ? known_.at(equation, -m) : Ball{};
    const RowMap& f = place_.system.f;
    if (m == 0) sum = {f.value(equation, zero_), 8.0 * machine_epsilon * f.magnitude(equation, zero_)};
    const auto add = [&](double slope, const Ball& x) {
      sum.value += slope * x.value;
      sum.error += std::abs(slope) * (x.error + 8.0 * machine_epsilon * std::abs(x.value));
    };
    f.gradient(equation, place_.v, [&](int signal, double slope) {
      const bool input = (signal >= signature.input_row(0) && signal < signature.algebraic_row(0)) ||
                         signal >= signature.size();
      const bool state = signal >= n_ && signal < 2 * n_;
      if (input) {
        if (m >= 0) add(slope * factorial(m), place_.series.at(signal, m));
      } else if (signal < n_) {
        add(slope, X_.at_order(signal + n_, m + 1));  // at m = −1 the jump, x⁻ being taken off
      } else if (X_.has(m)) {
        add(slope, X_.at_order(signal, m));
        if (state && m == 0) add(slope, before(signal));
      }
    });
    return sum;
  }

  /// x⁻ with its error.
  [[nodiscard]] Ball before(int state) const {
    return {place_.instant.v[at(state)], place_.series.at(state, 0).error};
  }

  /// J·X = −(residual), for the unknowns of one block; the error bound passes through |J⁻¹|.
  void solve_stage(const SolutionBlock& block, const BoundedFactor& factor, int k) {
    const auto size = static_cast<Eigen::Index>(block.unknowns.size());
    Eigen::VectorXd value(size), error(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const int m = order(block.c, at(i)) + k;
      const Ball off = m < lowest_ ? Ball{} : left(block.equations[at(i)], m);
      value[i] = -off.value;
      error[i] = off.error;
    }
    if (value.isZero(0.0) && error.isZero(0.0)) return;
    const BoundedSolution found = factor.solve(value, error);
    for (Eigen::Index j = 0; j < size; ++j) {
      const auto [signal, m] = place_of(block, at(j), k);
      if (m >= lowest_) X_.at_order(signal, m) = {found.w[j], found.error[j]};
    }
  }

  /// A singular matrix, explained at stage −1.
  Restart refuse(const SolutionBlock& block) {
    std::vector<Ball> dirac(place_.v.size());
    return {failure_of_restart(place_, block, failure_of(block, SolveFailure::Kind::singular),
                               {&place_.series, n_, &dirac, place_.instant.v})};
  }

  /// x⁺ = x⁻ + X_0, and X_m with m < 0 as weights of δ^(−m). An algebraic state is left to the
  /// motion.
  Restart conclude() {
    const Signature& signature = place_.model.signature;
    Restart result;
    result.dirac.resize(at(signature.size()));
    for (int i = 0; i < n_; ++i) {
      const int row = signature.state_row(i);
      const bool algebraic = std::find(plan_.algebraic_states.begin(), plan_.algebraic_states.end(), row) !=
                             plan_.algebraic_states.end();
      if (algebraic) continue;
      result.dirac[at(i)] = X_.at_order(row, 0);
      place_.v[at(row)] = place_.instant.v[at(row)] + X_.at_order(row, 0).value;
      place_.series.at(row, 0).value = place_.v[at(row)];
    }
    enter_lower_orders();
    const auto take = [&](int row) {
      result.dirac[at(row)] = X_.at_order(row, -1);
      for (int m = -2; X_.has(m); --m)
        if (const Ball& weight = X_.at_order(row, m); std::abs(weight.value) > weight.error)
          result.others.push_back({row, weight, static_cast<double>(-m)});
    };
    for (int i = 0; i < n_; ++i) take(signature.state_row(i));
    for (int i = 0; i < signature.p(); ++i) take(signature.algebraic_row(i));
    return result;
  }

  /// What stages below 0 fix: orders 0 … e − 1 of every unknown.
  void enter_lower_orders() {
    const BlockSeries series{&place_.series, n_};
    for (const SolutionBlock* const block : blocks_)
      for (std::size_t j = 0; j < block->unknowns.size(); ++j)
        for (int o = 0; o < order(block->e, j); ++o) {
          const int unknown = block->unknowns[j];
          const Ball& x = unknown < n_ ? X_.at_order(unknown + n_, o + 1) : X_.at_order(unknown, o);
          series.enter(unknown, o, {x.value / factorial(o), x.error / factorial(o)});
          if (o == 0) place_.v[at(unknown)] = x.value;
        }
  }

  const RestartPlace& place_;
  const SolutionPlan& plan_;
  std::vector<const SolutionBlock*> blocks_;  ///< of the linear part
  int n_;
  KnownImpulses known_;
  int lowest_;
  LaurentSeries X_;
  std::vector<double> zero_;  ///< what is left of a row there is its constant
};

}  // namespace

bool is_linear_mode(const RestartPlace& place) {
  const RowMap& f = place.system.f;
  for (int row = 0; row < f.rows(); ++row)
    for (const RowMap::Term& term : f.terms(row))
      if (!f.is_affine(term.column)) return false;
  return true;
}

/// Blocks leave as long as one of their rows is not affine or holds a signal of a block that has left, through x or ẋ.
LinearPart::LinearPart(const RestartPlace& place, const std::vector<char>& left_out)
    : equations(at(place.system.f.rows()), 0) {
  const RowMap& f = place.system.f;
  const SolutionPlan& plan = *place.system.plan;
  const int n = place.model.signature.n();
  std::vector<int> owner(place.v.size(), -1);
  std::vector<char> inside(plan.blocks.size(), 1);
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    for (const int unknown : plan.blocks[b].unknowns) {
      owner[at(unknown)] = static_cast<int>(b);
      if (unknown < n) owner[at(unknown + n)] = static_cast<int>(b);
    }
    if (!left_out.empty() && left_out[at(plan.blocks[b].equations.front())] != 0) inside[b] = 0;
  }
  const auto fits = [&](int row) {
    return std::ranges::all_of(f.terms(row), [&](const RowMap::Term& term) {
      return f.is_affine(term.column) &&
             std::ranges::all_of(f.factors(term.column), [&](const RowMap::Factor& factor) {
               const int block = owner[at(factor.signal)];
               return block < 0 || inside[at(block)] != 0;
             });
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
      if (inside[b] == 0 || std::ranges::all_of(plan.blocks[b].equations, fits)) continue;
      inside[b] = 0;
      changed = true;
    }
  }
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    const SolutionBlock& block = plan.blocks[b];
    whole = whole && inside[b] != 0;
    if (inside[b] == 0) continue;
    for (std::size_t i = 0; i < block.equations.size(); ++i) {
      const int row = block.equations[i];
      equations[at(row)] = 1;
      has_own_stages =
          has_own_stages || (block.differentiated() && block.c[i] > 1) ||
          (place.system.recombination && !place.system.recombination->dirac_parts[EquationRow(row)].empty());
    }
  }
  if (whole) has_own_stages = true;
  // Its equations need nothing of the rest, so that stages below 0 do not mix both either; where they did, nothing
  // could be done for a part alone.
  const auto mixes = [&](const SolutionBlock& block) {
    const auto own = [&](int row) { return equations[at(row)] != 0; };
    const auto mine = [&](int unknown) {
      return owner[at(unknown)] >= 0 && inside[at(owner[at(unknown)])] != 0;
    };
    const bool all = std::ranges::all_of(block.equations, own) && std::ranges::all_of(block.unknowns, mine);
    return !all && (std::ranges::any_of(block.equations, own) || std::ranges::any_of(block.unknowns, mine));
  };
  bool mixed = std::ranges::any_of(plan.balance, mixes);
  for (const SolutionPlan::Stage& stage : plan.early)
    mixed = mixed || std::ranges::any_of(stage.blocks, mixes);
  if (mixed && !whole) has_own_stages = false;
}

Restart restart_linear_mode(const RestartPlace& place, const LinearPart& part) {
  return LinearRestart(place, part).solve();
}

std::vector<int> beyond_linear_part(const RestartPlace& place, const LinearPart& part, const Restart& found) {
  std::vector<char> any(place.v.size(), 0), high(place.v.size(), 0);
  const int n = place.model.signature.n();
  for (const ImpulsivePart& one : found.impulsive_parts()) {
    const bool is_high = one.order > 1.0;
    (is_high ? high : any)[at(one.row)] = 1;
    // The slope of a state has the next order.
    if (one.row >= n && one.row < 2 * n) high[at(one.row - n)] = 1;
  }
  std::vector<int> equations;
  const RowMap& f = place.system.f;
  for (const SolutionBlock& block : place.system.plan->blocks)
    for (std::size_t i = 0; i < block.equations.size(); ++i) {
      const int row = block.equations[i];
      const bool differentiated = block.differentiated() && block.c[i] > 0;
      if (part.equations[at(row)] == 0 && std::ranges::any_of(f.terms(row), [&](const RowMap::Term& term) {
            return std::ranges::any_of(f.factors(term.column), [&](const RowMap::Factor& factor) {
              return high[at(factor.signal)] != 0 || (differentiated && any[at(factor.signal)] != 0);
            });
          }))
        equations.push_back(row);
    }
  return equations;
}

}  // namespace mti
