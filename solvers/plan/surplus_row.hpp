#pragma once

#include <optional>
#include <span>

#include "mti/common/index.hpp"
#include "solvers/plan/combination.hpp"

namespace mti {

/// Of an over-determined part: a row f_p that is a sum, with numbers as factors, of other rows and of their
/// first and second derivatives, but for a number.
///
///     f_p + Σ_i Σ_k u_ik · D^k f_i = number,    k = 0, 1, 2,    i ≠ p
///
/// as polynomials in all signals and their derivatives, inputs among them: w' = −w follows from x' = −x and
/// w = 2x. The numbers of f_p itself are not differentiated, for f_p is to follow from the others, and of
/// several such rows the last one is taken. What remains of the sum is 0, a redundant row, or a number, a
/// contradiction of the rows that take part.
[[nodiscard]] std::optional<Combination> surplus_row(std::span<const EquationRow> equations,
                                                     const CombinedRows& from, const JetRules& rules);

}  // namespace mti
