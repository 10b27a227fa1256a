#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solvers/admissibility/doubt.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// Why a mode cannot follow.
enum class Rejection {
  none,                 ///< it can
  forbidden,            ///< an invariant of the model is false
  no_solution,          ///< its equations contradict each other or the state
  not_unique,           ///< a state's motion, or a signal a constraint needs, is not determined
  restart_refused,      ///< what its restart gives would depend on how the model is written
  no_convergence,       ///< no solution of the equations was found
  constraint_violated,  ///< g > 0, or an impulse of forbidden sign
  constraint_rising,    ///< g = 0 and the motion leaves the domain
  not_attracting,       ///< it slides on a surface that one of its sides leaves
};

/// What became of one candidate for the next mode (docs/theory.md, "The successor problem", a to c).
struct Admissibility {
  Rejection rejection = Rejection::none;
  SolveFailure failure = {};          ///< why its equations have no motion
  std::vector<int> constraints = {};  ///< that it breaks
  std::vector<int> decided_at = {};   ///< for each of these: the order that the decision rests on, −1: none
  std::size_t sides_that_leave =
      0;                    ///< the last so many constraints: surfaces that one of their sides leaves
  bool by_impulse = false;  ///< some constraint is broken by the sign of an impulse
  bool only_impulses_pass =
      false;                  ///< impulses are let pass by all constraints that their right limits break
  Doubt doubt = Doubt::none;  ///< the worst
  std::vector<int> run_along = {};      ///< surfaces of its mode on which one side stays by itself
  std::string reason = {};              ///< why it is forbidden, if no invariant says so
  std::shared_ptr<Motion> motion = {};  ///< that would begin there, wherever its equations have a solution
  std::shared_ptr<const ModeSystem> system = {};
  std::vector<int> near = {};  ///< constraints that are not clearly inside; empty if there is no motion

  [[nodiscard]] bool admissible() const noexcept { return rejection == Rejection::none; }
};

/// The motion that starts at the instant in a mode, with recombined rows where there is none otherwise
/// (solvers/plan/recombination.hpp).
[[nodiscard]] std::shared_ptr<Motion> motion_in(const Model& model,
                                                const std::shared_ptr<const ModeSystem>& system,
                                                const Accuracy& accuracy, const Instant& instant);

/// Solves the mode's equations at the instant and decides a to c: the equations have a solution, g ≤ 0, and
/// for every g_l = 0 the first non-zero number of Dg_l, D²g_l, … is negative or all vanish. Zero means
/// within the error that rtol and atol allow. In discrete time a solution with g ≤ 0 is all that is asked
/// for.
[[nodiscard]] Admissibility check_admissibility(const Model& model, std::shared_ptr<const ModeSystem> system,
                                                const Accuracy& accuracy, const Instant& instant);

/// The same by comparison with the verdict on another mode at the same instant: what cannot have changed is
/// taken over from there. `rows` are the model's.
[[nodiscard]] Admissibility check_variation(const Model& model, const SignalRows& rows,
                                            std::shared_ptr<const ModeSystem> system,
                                            const Accuracy& accuracy, const Instant& instant,
                                            const Admissibility& base);

/// Whether check_variation() would turn the mode down by this constraint, and not because its restart is refused: by
/// the same motion and the same numbers, without a look at the other constraints. False says nothing.
[[nodiscard]] bool is_excluded_by(const Model& model, const SignalRows& rows,
                                  const std::shared_ptr<const ModeSystem>& system, const Accuracy& accuracy,
                                  const Instant& instant, const Admissibility& base, int constraint);

/// The same for several constraints: the highest order of coefficients on which it rests that each turns the mode down, and
/// −1 of those that do not. All −1 where an invariant excludes the mode.
[[nodiscard]] std::vector<int> orders_that_exclude(const Model& model, const SignalRows& rows,
                                                   const std::shared_ptr<const ModeSystem>& system,
                                                   const Accuracy& accuracy, const Instant& instant,
                                                   const Admissibility& base,
                                                   std::span<const int> constraints);

/// Orders of derivatives after which a motion on a boundary counts as staying there; none in discrete time.
[[nodiscard]] int orders_of_decision(const Model& model, const ModeSystem& system);

/// b and c for one row with these Taylor coefficients: g < 0, or the first that is not zero is negative.
[[nodiscard]] bool stays_inside(const std::function<Ball(int k)>& coefficient, double time_uncertainty,
                                int orders);

/// The candidate's fate in the model's names, e.g. "constraint tank1_low is violated: 0.4 > 0".
[[nodiscard]] std::string describe(const Admissibility& verdict, const Model& model);

}  // namespace mti
