#pragma once

#include "solvers/search/constraint_problem.hpp"

namespace mti {

/// Adds to a problem what its linear equations imply for single unknown signals: with A y + B(z) = 0 in reduced
/// row echelon form each row holds one signal that no other holds,
///
///     y_i + Σ_free a_ij y_j + b_i(z) = 0,
///
/// so that intervals see through equations which are coupled (w = b + K z + L w). The signals that occur in
/// most equations are solved for. Rows that would lose too many digits are left out.
void add_solved_equations(ConstraintProblem& problem);

}  // namespace mti
