#pragma once

#include <Eigen/Core>

#include <functional>

#include "solvers/blocks/solve_failure.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"

namespace mti {

/// Square equations r(w) = 0 as Newton's method sees them. Every function is about the w that was entered last.
struct NewtonProblem {
  std::function<Eigen::VectorXd()> unknowns;
  std::function<Eigen::VectorXd()> residual;
  std::function<LuFactor()> factorise;  ///< J = ∂r/∂w
  std::function<void(const Eigen::VectorXd& w)> enter;
};

/// The equations linearised at w: the full step leads to w − step, step = J⁻¹ r.
struct NewtonStep {
  LuFactor factor;  ///< of J
  Eigen::VectorXd w, residual, step;
};

/// What has become of a step.
enum class NewtonProgress { moved, at_rest, stuck };

struct NewtonSolution {
  SolveFailure::Kind failure = SolveFailure::Kind::none;  ///< or `singular`, `no_convergence`
  LuFactor factor;                                        ///< of J where the last step was taken from

  [[nodiscard]] bool solved() const noexcept { return failure == SolveFailure::Kind::none; }
};

/// Newton's method, w ← w − J(w)⁻¹ r(w). It fails as `singular` at a J without full rank, and as
/// `no_convergence` if r or a step is not finite, `take` is stuck, or the iterations do not suffice.
///
/// `take` takes a step and judges it, for each of its users has another reason to stop:
///
///     a block of a mode         damped steps, until they are rounding of w or r is rounding of its summands;
///                               looked at before the step, which would add nothing but noise to w
///     a step of implicit Euler  |step| ≤ 1e-10·|w| + noise: further steps damp what is left
///     transition laws           relative size 1e-15, or 1e-10 and no smaller than any step before: x⁺ comes out
///                               as the law says; a law that x⁻ fulfils already is at rest at once
///     scaled impulses           relative size 1e-13, or 1e-9 and no smaller than the last step: starts are far
///                               away and steps may grow on the way, and only solutions are compared
[[nodiscard]] NewtonSolution newton(const NewtonProblem& problem, int most_iterations,
                                    const std::function<NewtonProgress(const NewtonStep&)>& take);

/// Enters w − step and asks whether w is at rest there.
[[nodiscard]] NewtonProgress take_full_step(
    const NewtonProblem& problem, const NewtonStep& from,
    const std::function<bool(const Eigen::VectorXd& step, const Eigen::VectorXd& w)>& at_rest);

/// max_j |step_j| / max(|w_j|, floor_j): relative to the unknowns' own size, so that units do not matter.
[[nodiscard]] double relative_size(const Eigen::VectorXd& step, const Eigen::VectorXd& w,
                                   const Eigen::VectorXd& floor);

}  // namespace mti
