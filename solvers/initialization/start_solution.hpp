#pragma once

#include <string>
#include <vector>

#include "solvers/initialization/start_equations.hpp"

namespace mti {

/// What solving the equations of a start in one mode has come to.
struct StartSolution {
  enum class Kind {
    solved,
    contradiction,   ///< rows cannot be fulfilled together, to first order
    not_unique,      ///< free starts are left open, to first order
    no_convergence,  ///< Newton's method has found nothing
    too_large,       ///< a singular matrix of more unknowns than are examined
  };
  Kind kind = Kind::no_convergence;
  std::vector<double> v = {};                  ///< of the model
  std::vector<StartEquations::Row> rows = {};  ///< that stand in the way
  std::vector<int> open = {};                  ///< states whose start is left open
  std::vector<int> superfluous = {};           ///< initial equations that follow from other rows
  bool from_elsewhere = false;                 ///< found from values about the guesses, not from these

  [[nodiscard]] bool solved() const noexcept { return kind == Kind::solved; }
};

/// Newton's method from the guesses of the instant,
///
///     min |D⁻¹ δ|  where  J δ = −r  in the least squares of rows,    w := w + λ δ,    λ = 1, ½, ¼, …
///
/// λ being the first with |D⁻¹ J⁻¹ r(w + λ δ)| < |D⁻¹ δ|: whatever factors rows have, and whatever the unit of time is, the
/// same steps [Deuflhard, Newton Methods for Nonlinear Problems, 2004, section 3.3]; until
/// |r_i| ≤ 10⁻⁹ Σ_j |J_ij| max(|w_j|, nominal_j), D being the nominal values. A
/// regular square J is factorised as a sparse matrix; any other one, of up to 1500 unknowns, as a full one. Then null
/// vectors tell which starts are open, and left null vectors which rows follow from others, or contradict them.
[[nodiscard]] StartSolution solve_start_from_guess(StartEquations& equations);
/// From other beginnings about the guesses, from which the method has come to `first`; that where they lead to no solution either.
[[nodiscard]] StartSolution solve_start_from_elsewhere(StartEquations& equations, StartSolution first);
/// From the guesses, or from elsewhere.
[[nodiscard]] StartSolution solve_start(StartEquations& equations);

/// Why there is no start, in the model's names; empty if there is one.
[[nodiscard]] std::string describe(const StartSolution& solution, const Model& model);

}  // namespace mti
