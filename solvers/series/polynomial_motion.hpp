#pragma once

#include "solvers/series/series_coefficients.hpp"

namespace mti {

/// Whether the polynomials of which orders 0 … p have been found are the motion itself, all orders above p being 0.
///
/// With degrees d_j = max {k ≤ p : v_{j,k} ≠ 0} the equations have at these polynomials no order above
///
///     R = max over the terms of f and g of Σ d_j over the term's factors ,
///
/// and orders up to p are 0, since the coefficients have been found so. R < p therefore proves it, x being one order above ẋ.
/// Coefficients that vanish do not: the motion of ẍ = −t²x has orders 0, 4, 8, … alone. Not proved where a function has an
/// argument that varies.
[[nodiscard]] bool is_polynomial(const SeriesCoefficients& coefficients, int p);

}  // namespace mti
