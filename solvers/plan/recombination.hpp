#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mti/common/index.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/plan/differentiated_input.hpp"
#include "solvers/plan/jet_polynomial.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// Recombined rows of a mode whose structural rank is larger than its numerical rank.
///
/// Where a block of the system Jacobian J_ij = ∂f_i/∂(leading derivative of j) is singular at every point,
/// with numbers u_i that give Σ u_i J_ij = 0, a row p with the smallest offset c_p among the rows with u_i ≠ 0
/// is replaced,
///
///     f_p := Σ_i (u_i/u_p) · D^(c_i − c_p) f_i
///
/// which holds lower derivatives only: Σd − Σc falls, so this comes to an end, repeated until no block is
/// left with such numbers. Where it holds derivatives that equations cannot hold, derivatives of other rows
/// that take these out are added with numbers of their own: D^k f_i with k < c_i − c_p, k ≤ c_i − c_p in earlier blocks.
/// Solutions stay the same, for f_p can be recovered from the others. A row that becomes
/// 0 = 0 follows from the other rows, and so do rows of an over-determined part that combine to nothing, by
/// themselves or with derivatives of others (solvers/plan/surplus_row.hpp): they are dropped. What becomes "number = 0" is a contradiction of just these rows.
/// Source: Tan, Nedialkov, Pryce, Conversion methods for improving structural analysis of
/// differential-algebraic equation systems, BIT Numer. Math. 57 (2017) 845-865, the linear combination
/// method, for each block; numbers u, which hold at every point.
struct Recombination {
  /// One replacement, in terms of the rows as they were then.
  struct Step {
    struct Part {
      EquationRow equation;
      double factor;
      int times;  ///< how often it is differentiated
    };
    EquationRow equation;  ///< the row that was replaced; a part of its own with factor 1
    std::vector<Part> parts;
    bool dropped = false;  ///< 0 = 0 remained
    bool surplus = false;  ///< the row was one of an over-determined part
  };
  /// The Dirac part that a replaced row has beside that of what stands in it: polynomials in x⁻ and in inputs
  /// and their derivatives at t⁺; entry m − 1 multiplies the (m − 1)-th derivative of δ(t). A row D f_i holds
  /// in the new mode only, where f_i = 0 from t⁺ on whatever it was before, so that x⁻ off f_i = 0 leaves
  /// f_i(x⁻, u⁺)·δ.
  using DiracParts = std::vector<JetPolynomial>;

  RowMap f;                                 ///< as many rows as before; dropped ones are empty
  SolutionPlan plan;                        ///< of these
  std::vector<DifferentiatedInput> inputs;  ///< rows of S after the model's
  std::vector<Step> steps;                  ///< in the order in which they were made
  std::vector<EquationRow> redundant;       ///< rows that follow from others, ascending
  Indexed<EquationRow, std::vector<EquationRow>>
      origins;  ///< rows of the mode that a row was put together from
  Indexed<EquationRow, DiracParts> dirac_parts;
};

/// Nothing if no row can be replaced or dropped. `f` are the rows of a mode, `unknowns` ẋ, y and sliding ζ by
/// their rows of S.
[[nodiscard]] std::optional<Recombination> recombine(const Model& model, const RowMap& f,
                                                     std::span<const int> unknowns);

}  // namespace mti
