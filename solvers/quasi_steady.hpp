#pragma once

#include <Eigen/SparseCore>

#include <optional>
#include <span>
#include <vector>

#include "mti/row_map.hpp"
#include "mti/signature.hpp"
#include "solvers/block_factor.hpp"
#include "solvers/instant.hpp"
#include "solvers/solution_plan.hpp"

namespace mti {

/// States that are fast against the resolution of time δ, as an integrator would hold them.
///
/// At fixed x the equations give (ẋ, y) with the error |A⁻¹|·|∂f/∂x|·ε_x, A = ∂f/∂(ẋ, y): for L·di/dt = e −
/// s, i = G·s that is ε_i/G of s, which grows without bound as G → 0. Yet s is well known: whatever i was, it
/// relaxes within L·G. So ε passes through the matrix of implicit Euler steps of length δ,
///
///     f(ẋ, x₀ + δ·ẋ, y) = 0,   A_δ = A + δ·∂f/∂x (in the columns of ẋ),
///     |Δ(x/δ, y)| ≤ |A_δ⁻¹|·(|∂f/∂ẋ|·ε_x/δ + what is left open about inputs, + rounding) .
///
/// Two steps lead to the slow motion, two more give its ẋ, and x* = x₂ − 2δ·ẋ₄ is where it stands at the
/// instant itself: slow parts of x move by O((δλ)²), fast ones are left with (δλ)⁻² of what they were off,
/// and again so when this is repeated. It is used where no state moves by more than its ε. Where one has to
/// move farther, its rate is decisive without this. Higher coefficients follow with the same matrix from x_k
/// = ẋ_{k−1}/k + δ·ẋ_k.
class QuasiSteady {
 public:
  /// v and the series hold the solution of order 0 at given x with its errors. On success x* and its errors
  /// are entered; (ẋ, y) are to be solved for anew. Nothing if no state is fast.
  static std::optional<QuasiSteady> find(const RowMap& f, const SolutionPlan& plan,
                                         const Signature& signature, const Accuracy& accuracy, double t,
                                         std::vector<double>& v, TaylorSeries& series);

  /// ẋ of the slow motion, and the errors of (ẋ, y) at x*.
  void enter_order_0(std::vector<double>& v, TaylorSeries& series) const;
  /// Order k ≥ 1 of x, ẋ and y from lower ones.
  void solve_stage(const RowMap& f, TaylorSeries& series, int k) const;

 private:
  QuasiSteady(const SolutionPlan& plan, const Signature& signature, double delta);

  bool step(const RowMap& f, std::vector<double>& v, const Eigen::VectorXd& x);
  bool assemble(const RowMap& f, std::span<const double> v);
  /// Of the unknowns, with what is known being off by `known` in each equation; ẋ's stand for x/δ.
  [[nodiscard]] Eigen::VectorXd magnified(const Eigen::VectorXd& known, const Eigen::VectorXd& of_x) const;
  [[nodiscard]] bool damps(const std::vector<int>& fast, const Eigen::VectorXd& scale) const;

  int states_;
  double delta_;
  std::vector<int> equations_, unknowns_;
  std::vector<int> column_;  ///< by row of S; of ẋ_i for ẋ_i
  BlockFactor factor_;
  Eigen::SparseMatrix<double> of_rates_;  ///< ∂f/∂ẋ, a column for each state
  std::vector<Carried> order_0_;          ///< by unknown: ẋ of the slow motion, and errors
};

/// What is left open about x leaves ẋ so open that some x would move by more within δ: it may be fast.
[[nodiscard]] bool relaxes_within(double delta, const Signature& signature, const SolutionPlan& plan,
                                  const Accuracy& accuracy, std::span<const double> v,
                                  const TaylorSeries& series);

}  // namespace mti
