#pragma once

#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// v before the jump: the left limits, or, where there is no past, x⁻ with those y that follow from it and
/// the inputs alone, block after block. What needs ẋ or something impulsive stays as guessed.
[[nodiscard]] std::vector<double> values_before(const RestartPlace& place);

/// Refuses the restart where its Dirac balance is not the limit of an Euler step: a weight that
/// is multiplied by what jumps itself, or by another weight. `place.v` holds the right limits, `before` what
/// values_before() gave; what is no number there is not known to be the same. Only coefficients of weights that
/// stand out of their errors count, and factors of all of a row's coefficients that keep their sign do not. Of rows
/// that were balanced by orders of magnitude the coefficients of their leading terms count.
void examine_coefficients(const RestartPlace& place, const std::vector<double>& before, Restart& restart);

}  // namespace mti
