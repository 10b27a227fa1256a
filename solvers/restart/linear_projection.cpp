#include "solvers/restart/linear_projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
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
  explicit LinearRestart(const RestartPlace& place)
      : place_(place),
        plan_(*place.system.plan),
        n_(place.model.signature.n()),
        known_(place),
        // Below it nothing is different from 0: a chain of c differentiations turns the jump of a state into an
        // impulse of order c at most, and a known impulse adds its own order.
        lowest_(-static_cast<int>(plan_.early.size()) - 2 - known_.highest_order()),
        X_(lowest_, plan_.depth + 1, static_cast<int>(place.v.size())),
        zero_(place.v.size(), 0.0) {}

  Restart solve() {
    // The matrices J = ∂f_i/∂v_j of stage 0 serve all stages. In a linear mode they are constant.
    std::vector<LuFactor> factors;
    for (const SolutionBlock& block : plan_.blocks) {
      factors.emplace_back(static_cast<int>(block.unknowns.size()),
                           SystemJacobian(block, n_).entries(place_.system.f, place_.v));
      if (factors.back().singular()) return refuse(block);
    }
    // Stage k: order c_i + k of equation i gives order e_j + k of unknown j. From the first stage at which
    // anything could differ from 0 up to stage −1; stage 0 is the motion.
    for (int k = lowest_ + 1; k < 0; ++k)
      for (std::size_t b = 0; b < factors.size(); ++b) solve_stage(plan_.blocks[b], factors[b], k);
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
    if (m == 0) sum.value = place_.system.f.value(equation, zero_);
    const auto add = [&](double slope, const Ball& x) {
      sum.value += slope * x.value;
      sum.error += std::abs(slope) * x.error;
    };
    place_.system.f.gradient(equation, place_.v, [&](int signal, double slope) {
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
  void solve_stage(const SolutionBlock& block, const LuFactor& factor, int k) {
    const auto size = static_cast<Eigen::Index>(block.unknowns.size());
    Eigen::VectorXd value(size), error(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const int m = order(block.c, at(i)) + k;
      const Ball off = m < lowest_ ? Ball{} : left(block.equations[at(i)], m);
      value[i] = -off.value;
      error[i] = off.error;
    }
    if (value.isZero(0.0) && error.isZero(0.0)) return;
    value = factor.solve(value);
    error = factor.magnify(error);
    for (Eigen::Index j = 0; j < size; ++j) {
      const auto [signal, m] = place_of(block, at(j), k);
      if (m >= lowest_) X_.at_order(signal, m) = {value[j], error[j]};
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
    for (const SolutionBlock& block : plan_.blocks)
      for (std::size_t j = 0; j < block.unknowns.size(); ++j)
        for (int o = 0; o < order(block.e, j); ++o) {
          const int unknown = block.unknowns[j];
          const Ball& x = unknown < n_ ? X_.at_order(unknown + n_, o + 1) : X_.at_order(unknown, o);
          series.enter(unknown, o, {x.value / factorial(o), x.error / factorial(o)});
          if (o == 0) place_.v[at(unknown)] = x.value;
        }
  }

  const RestartPlace& place_;
  const SolutionPlan& plan_;
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

Restart restart_linear_mode(const RestartPlace& place) { return LinearRestart(place).solve(); }

}  // namespace mti
