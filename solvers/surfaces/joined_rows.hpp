#pragma once

#include <span>

#include "solvers/surfaces/common_zeros.hpp"
#include "solvers/surfaces/joining_equations.hpp"

namespace mti {

/// Whether rows a and b vanish on one surface near v by equations R = 0, some of which are nonlinear: −1 with opposite
/// signs, 1 with the same, 0 if not, or if that is not certain.
///
/// At points around v of {a = 0, R = 0} it is asked that b = 0 and, for what the gradients of R leave,
///
///     ∇b = c·∇a + Σ λ_i ∇R_i,    c ≠ 0, of the same sign at all of them.
///
/// R are the equations that join the signals of a and b. v has one entry per row of S; `scale` says how far a step
/// of each goes.
[[nodiscard]] int joined_orientation(const JoiningEquations& equations, const MapRow& a, const MapRow& b,
                                     std::span<const double> v, std::span<const double> scale);

/// The row vanishes wherever the equations do that join its signals, among them some of the rows first … last − 1.
///
/// It is asked for at points that are found from starts all over the place: if it vanishes on a part of an irreducible
/// component of {R = 0}, it does so on the whole of it, and other components are met by some start. `sizes` says for
/// each row of S what is large.
[[nodiscard]] bool vanishes_with(const JoiningEquations& equations, const MapRow& row, int first, int last,
                                 std::span<const double> sizes);

}  // namespace mti
