#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/blocks/block_solver.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/blocks/quasi_steady.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/restart/restart.hpp"

namespace mti {

/// An affine constraint of a mode in terms of what is known, with equations taken in that are affine themselves:
/// g = Σ w_j v_j + constant − Σ_i μ_i f_i. So its error is Σ |w_j| ε_j, and that of a small difference u − v = R·i not those
/// of u and v.
struct ReducedConstraint {
  std::vector<std::pair<int, double>> known = {};      ///< rows of states and inputs with w
  std::vector<std::pair<int, double>> equations = {};  ///< with μ
};

/// The motion that starts at an instant in one mode: (ẋ, y) from f = 0 and the Taylor coefficients of all
/// signals and constraints along it,
///
///     v_i(t₀ + τ) = Σ_k c_ik τ^k,     ∂f/∂(ẋ, y)·(ẋ, y)_k = −(what lower orders give)
///
/// Order 0 is solved block by block; each further order is one linear solve per block with the same factors,
/// as (24) of the paper is for the first. Where the plan differentiates, stage k gives order e_j + k of
/// unknown j from order c_i + k of equation i (Pryce's stages). Every number carries the error that ε of
/// states and inputs causes, but never more than what the integrator vouches for, and states that relax
/// within the resolution of time are quasi-steady (solvers/blocks/quasi_steady.hpp).
///
/// It keeps what it needs of the instant. Model and accuracy are the run's, which outlives its motions.
class Motion {
 public:
  /// With `base`, a solved motion of another mode at the same instant, only what differs from it is solved:
  /// blocks whose equations changed and those that depend on them. `rows` are the model's.
  Motion(const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
         const Instant& instant, const SignalRows* rows = nullptr,
         std::shared_ptr<const Motion> base = nullptr);

  /// Only what laws make of x⁻, in the mode that ends: v() holds x⁺, nothing else is solved.
  Motion(const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
         const Instant& instant, const DueLaws& laws);

  [[nodiscard]] bool solved() const noexcept { return !failure_; }
  /// Why there is no motion: its restart's failure, or that of its equations.
  [[nodiscard]] const SolveFailure& failure() const noexcept { return failure_; }
  [[nodiscard]] const ModeSystem& system() const noexcept { return *system_; }
  [[nodiscard]] const std::shared_ptr<const ModeSystem>& shared_system() const noexcept { return system_; }
  [[nodiscard]] const std::vector<double>& v() const noexcept { return v_; }
  /// Jumps and impulses with which it begins.
  [[nodiscard]] const Restart& restart() const noexcept { return restart_; }
  /// It was solved as a variation of its base, and these unknowns (rows of S) have other values than there.
  [[nodiscard]] bool is_variation() const noexcept { return base_ != nullptr; }
  [[nodiscard]] const std::vector<int>& varied() const noexcept { return varied_; }
  /// Taylor coefficient of order k of the frozen constraint `row`, D^k g/k!, as (25) is for the first; orders are made
  /// on demand.
  [[nodiscard]] Ball constraint(int row, int k);
  /// Nothing where it holds one signal only or none but states and inputs, and where equations behind it are not affine.
  [[nodiscard]] std::optional<ReducedConstraint> reduced_constraint(int row) const;
  [[nodiscard]] const Accuracy& accuracy() const noexcept { return accuracy_; }
  /// Taylor coefficient of order k of an entry of v.
  [[nodiscard]] Ball signal(int row, int k);
  /// |dg/dt₀| of the frozen constraint `row` at the beginning of motions that begin at times t₀ about the
  /// instant, where the mode that ends has brought the states: what an uncertain t₀ leaves open about its value.
  /// Infinite where the mode that ends says nothing of that.
  [[nodiscard]] double rate_of_beginning(int row);
  /// So long do states relax that are held quasi-steady, and at least as long as the instant grants; 0: none are.
  [[nodiscard]] double relaxation() const noexcept { return std::max(grace_, held_duration()); }
  /// Without what the instant grants.
  [[nodiscard]] double held_duration() const noexcept {
    return quasi_steady_ ? quasi_steady_->duration() : 0.0;
  }

 private:
  /// Known signals in place, nothing solved.
  struct Unsolved {};
  Motion(Unsolved, const Model& model, std::shared_ptr<const ModeSystem> system, const Accuracy& accuracy,
         const Instant& instant);
  void enter_instant(const Instant& instant);
  [[nodiscard]] Ball known_constraint(int row, int k) const;
  [[nodiscard]] bool may_be_reduced(int row) const;
  [[nodiscard]] bool eliminate(std::map<int, double>& weights,
                               std::vector<std::pair<int, double>>& multipliers) const;
  [[nodiscard]] Ball reduced_coefficient(int row, int k, const Ball& found);
  void solve(const Instant& instant);
  void examine_law(const Instant& instant);
  bool hold_quasi_steady(const Instant& instant);
  void look_beside(std::span<const double> input_rates);
  [[nodiscard]] Ball relaxed_constraint(int row, int k);
  [[nodiscard]] bool knows_where_it_goes();
  void begin_anew(const Instant& instant);
  void adopt(const SolutionBlock& block, int k);
  bool begin(const Instant& instant, const DueLaws& laws, LawsOf laws_of);
  void solve_variation(const Instant& instant, const SignalRows& rows);
  bool solve_lowest(const SolutionBlock& block, const Instant& instant, LuFactor* keep);
  [[nodiscard]] SolveFailure failure_of_motion(const SolutionBlock& block, SolveFailure failure);
  [[nodiscard]] const LuFactor& factor(int block) const;
  void make_room(int order);
  void enter_known(int k);
  void solve_stage(int block, int k);
  void require(int block, int k);
  void require_signals_of(int row, int k);
  void solve_single(const SolutionBlock& block, double slope, int k);
  void solve_coupled(const SolutionBlock& block, const LuFactor& factor, int k);
  void extend(int k);

  const Model& model_;
  std::shared_ptr<const ModeSystem> system_;
  const Accuracy& accuracy_;
  double t_, grace_;
  InputPieces pieces_;
  std::vector<double> v_;
  SolveFailure failure_;
  Restart restart_;
  std::vector<double> before_;  ///< v before the restart
  std::shared_ptr<const Motion> base_;
  std::vector<int> varied_;
  std::vector<LuFactor> factors_;                     ///< by block; none of a variation
  std::unordered_map<int, LuFactor> varied_factors_;  ///< of a variation, where they are not the base's
  std::shared_ptr<const Vouched> vouched_;            ///< by the integrator, if it is about this mode
  std::shared_ptr<const Vouched> left_;               ///< about the mode that ends, if x is continuous
  bool is_exact_ =
      false;  ///< x and u are taken with all the digits that the mode that ends has brought them to
  std::optional<QuasiSteady> quasi_steady_;  ///< if some states are
  /// Of a mode that differentiates: the motion of f = 0 without more once fast states have relaxed. Its constraints count where
  /// they are known better, as the voltage of a leaking diode behind two coils in series.
  struct Relaxed {
    QuasiSteady quasi_steady;
    TaylorSeries series;
    int stages = 1;
  };
  std::optional<Relaxed> relaxed_;
  TaylorSeries series_;
  std::optional<TaylorSeries>
      beginnings_;  ///< order 1: derivatives with respect to the time of the beginning
  std::map<std::pair<int, int>, Ball> reduced_ =
      {};                      ///< coefficients of constraints by order, once asked for
  std::vector<short> stages_;  ///< for every block, stages solved: orders of its unknowns
  int whole_stages_ = 0;       ///< stages that all blocks have
};

}  // namespace mti
