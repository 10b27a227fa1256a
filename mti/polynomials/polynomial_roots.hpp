#pragma once

#include <optional>
#include <span>

namespace mti {

/// Where polynomials p(τ) = Σ_k c_k τ^k of a step pass a level, on coefficients alone.
///
/// On an interval p is written in Bernstein form, p = Σ_i b_i B_i. It lies within the range of the b_i, and has no more
/// roots than they change their sign, and as many up to an even number (Vincent, Descartes). One change isolates a
/// root; none excludes it; otherwise the interval is halved (de Casteljau). So every root is found, however close to
/// another it is, as long as p between them is more than rounding. Source: [lane1981].
using Coefficients = std::span<const double>;

/// So many coefficients a polynomial may have.
constexpr std::size_t most_coefficients = 64;

[[nodiscard]] double value_of(Coefficients c, double tau);
[[nodiscard]] double slope_of(Coefficients c, double tau);

/// What p does not exceed in [0, tau], tau ≥ 0, the sum of its terms that rise:
///
///     p(τ) ≤ c_0 + Σ_{k≥1} max(c_k, 0) τ^k .
[[nodiscard]] double upper_bound(Coefficients c, double tau);

/// What rounding leaves open about p anywhere in [0, tau]: 4 n ε Σ_k |c_k| τ^k for n coefficients.
[[nodiscard]] double rounding_of(Coefficients c, double tau);

/// A passage of the level, and the interval that isolates it from others.
struct Passage {
  double tau = 0.0;  ///< p has arrived: the right-hand end of a bracket of some units in the last place
  double left = 0.0, right = 0.0;
};

/// The first passage of p from ≤ level to > level in [from, to], 0 ≤ from ≤ to. Where p comes closer to the level than
/// its rounding and turns back there is none. Passages closer together than `resolution` are one or none.
[[nodiscard]] std::optional<Passage> first_rise(Coefficients c, double level, double from, double to,
                                                double resolution);
/// The first from ≥ level to < level.
[[nodiscard]] std::optional<Passage> first_fall(Coefficients c, double level, double from, double to,
                                                double resolution);

}  // namespace mti
