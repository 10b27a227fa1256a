#pragma once

#include <Eigen/SparseCore>

#include <optional>
#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// States that are fast against the resolution of time δ, as an integrator would hold them.
///
/// At fixed x the equations give (ẋ, y) with the error |A⁻¹|·|∂f/∂x|·ε_x, A = ∂f/∂(ẋ, y). With L·di/dt = e − s
/// and i = G·s, s has the error ε_i/G, which grows without bound as G → 0. Yet s is well known: whatever i was, it
/// relaxes within L·G. So ε passes through the matrix of implicit Euler steps of length δ,
///
///     f(ẋ, x₀ + δ·ẋ, y) = 0,   A_δ = A + δ·∂f/∂x (in the columns of ẋ),
///     |Δ(x/δ, y)| ≤ |A_δ⁻¹|·(|∂f/∂ẋ|·ε_x/δ + what is left open about inputs, + rounding) .
///
/// with inputs that go on at their rates, u + u̇τ. Two steps lead to the slow motion, more of them give its ẋ, and x* = 10x₂ − 20x₃ + 15x₄ − 4x₅ is where it
/// stands at the instant itself: slow parts of x move by O((δλ)⁴), fast parts keep 10(δλ)⁻² of their error,
/// and each repetition reduces it by that factor again. A shorter δ is tried where another order would change x* by more
/// than its error. x* is used where no state moves by more than four of its ε. Where one
/// has to move farther, its rate decides without this. Higher coefficients follow with the same matrix from x_k
/// = ẋ_{k−1}/k + δ·ẋ_k, u_k + (k + 1)·δ·u_{k+1} in the place of u_k.
class QuasiSteady {
 public:
  /// v and the series hold the solution of order 0 at given x with its errors. On success x* and its errors
  /// are entered; (ẋ, y) are to be solved for anew. Nothing if no state is fast. `input_rates` by input.
  static std::optional<QuasiSteady> find(const RowMap& f, const SolutionPlan& plan,
                                         const Signature& signature, const Accuracy& accuracy, double t,
                                         std::span<const double> input_rates, std::vector<double>& v,
                                         TaylorSeries& series);

  /// ẋ of the slow motion, and the errors of (ẋ, y) at x*.
  void enter_order_0(std::vector<double>& v, TaylorSeries& series) const;
  /// (ẋ, y) of the slow motion as the steps give them, y* = 10y₃ − 15y₄ + 6y₅ as ẋ*: where nothing is solved for at x*.
  void enter_beside(TaylorSeries& series) const;
  /// Order k ≥ 1 of x, ẋ and y from lower ones and from orders k and k + 1 of u, which is moved on with x.
  void solve_stage(const RowMap& f, TaylorSeries& series, int k) const;
  /// δ: by then the fast states have relaxed.
  [[nodiscard]] double duration() const noexcept { return delta_; }

 private:
  struct Problem {
    const RowMap& f;
    const SolutionPlan& plan;
    const Signature& signature;
    std::span<const double> input_rates;
    const TaylorSeries& known;   ///< errors of what is known besides x: of inputs, and rounding
    const TaylorSeries& series;  ///< with the errors of what is solved for
    const std::vector<double>& v;
    const Eigen::VectorXd& scale;  ///< ε_x
    double farthest;               ///< how many of these a state may move
  };
  struct Attempt;
  static std::optional<Attempt> attempt_with(double delta, const Problem& given, std::vector<int> seem_fast);
  QuasiSteady(const SolutionPlan& plan, const Signature& signature, double delta);

  [[nodiscard]] std::vector<int> relaxing(const Problem& given, const std::vector<int>& fast) const;
  void move_inputs(TaylorSeries& series, int k) const;
  bool step(const RowMap& f, std::vector<double>& v, const Eigen::VectorXd& x);
  [[nodiscard]] bool step_with_last_factor(const RowMap& f, std::vector<double>& v,
                                           const Eigen::VectorXd& x) const;
  void enter_step(std::vector<double>& v, const Eigen::VectorXd& x, const Eigen::VectorXd& w) const;
  [[nodiscard]] double unrest(const RowMap& f, std::span<const double> v, const LuFactor& factor,
                              const Eigen::VectorXd& change, const Eigen::VectorXd& w) const;
  [[nodiscard]] LuFactor assemble(const RowMap& f, std::span<const double> v);
  template <class Value>
  [[nodiscard]] Eigen::VectorXd of_equations(Value value) const;
  /// Of Taylor coefficient k of each equation: what the series leaves open about it.
  [[nodiscard]] Eigen::VectorXd errors(const RowMap& f, const TaylorSeries& series, int k) const;
  /// Of the unknowns, with what is known being off by `known` in each equation; ẋ's stand for x/δ.
  [[nodiscard]] Eigen::VectorXd magnified(const Eigen::VectorXd& known, const Eigen::VectorXd& of_x) const;
  [[nodiscard]] bool damps(const std::vector<int>& fast, const Eigen::VectorXd& scale) const;

  int states_;
  double delta_;
  std::vector<int> equations_, unknowns_, inputs_;
  std::vector<int> column_;  ///< by row of S; of ẋ_i for ẋ_i
  LuFactor factor_;
  Eigen::SparseMatrix<double> of_rates_;  ///< ∂f/∂ẋ, a column for each state
  std::vector<Ball> order_0_;             ///< by unknown: ẋ of the slow motion, and errors
  std::vector<Ball> beside_;              ///< by unknown: the slow motion's, by the steps alone
};

/// What the steps of one length δ have found.
struct QuasiSteady::Attempt {
  QuasiSteady of;
  std::vector<int> fast;  ///< the states that relax within δ
  Eigen::VectorXd x = {}, error_x = {}, slope = {}, error_slope = {};
  Eigen::VectorXd error = {};                      ///< by unknown, of the last step
  Eigen::VectorXd beside = {}, error_beside = {};  ///< by unknown, at the instant
  std::vector<double> point = {};                  ///< v after it
  bool is_resolved = false;  ///< another order would change no fast x by more than its error

  /// Enters them as find() says.
  void enter(const RowMap& f, const Signature& signature, const TaylorSeries& known, std::vector<double>& v,
             TaylorSeries& series);
};

/// The error bound of x leaves ẋ so uncertain that some x would move by more than it within δ: x may be fast.
[[nodiscard]] bool relaxes_within(double delta, const Signature& signature, const Accuracy& accuracy,
                                  std::span<const double> v, const TaylorSeries& series);

}  // namespace mti
