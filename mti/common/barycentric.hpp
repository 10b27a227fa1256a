#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mti {

/// Polynomials by their values v_j at the points
///
///     t_j = (a + b)/2 − cos(πj/n) (b − a)/2,    j = 0 … n
///
/// of an interval [a, b], evaluated by the barycentric formula
///
///     p(t) = Σ_j λ_j v_j/(t − t_j) / Σ_j λ_j/(t − t_j),    λ_j = (−1)^j, halved for j = 0 and j = n .
///
/// One value alone is a constant. Source: Berrut and Trefethen 2004 (10.1137/S0036144502417715), (5.4).

/// t_j; the ends exactly.
[[nodiscard]] double interpolation_node(double begin, double end, std::size_t j, std::size_t n);
/// p(t); v_j exactly at t_j.
[[nodiscard]] double interpolated(double t, double begin, double end, std::span<const double> v);
/// p'(t_j), j = 0 … n: (9.4) there.
[[nodiscard]] std::vector<double> slopes_at_nodes(double begin, double end, std::span<const double> v);

}  // namespace mti
