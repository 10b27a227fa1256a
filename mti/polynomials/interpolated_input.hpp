#pragma once

#include <functional>
#include <vector>

#include "mti/model/input.hpp"

namespace mti {

/// A function of time as polynomials that agree with it:
///
///     |u(t) − p(t)| <= tolerance · max(1, max |u|),    start <= t <= stop
///
/// of degree 8 through Chebyshev's points of pieces that are halved until they do, looked at between these points and at 2000 times of the range: a pulse narrower than that may be missed, and belongs to the kinks. `kinks` are times at which u or
/// its derivatives jump: pieces begin there, and u is not asked for its value at a kink itself, but beside it.
///
/// Errors: InvalidOption, ids `bad-option` (no range, a tolerance below rounding) and `not-smooth` (u is not finite somewhere, or no piece is
/// short enough: there is a kink that is not among `kinks`).
[[nodiscard]] PolynomialInput interpolated_input(const std::function<double(double)>& u, double start,
                                                 double stop, double tolerance = 1e-10,
                                                 std::vector<double> kinks = {});

}  // namespace mti
