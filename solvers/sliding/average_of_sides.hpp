#pragma once

#include <optional>
#include <string>

#include "solvers/blocks/instant.hpp"
#include "solvers/mode/mode_cache.hpp"

namespace mti {

/// The rate of a state while it slides, and the average that motions on the sides of the surfaces would give it.
struct RateOffAverage {
  int state = -1;
  double sliding = 0.0, average = 0.0;
};

/// Where the interpolated columns of a sliding mode do not give Filippov's combination of its sides,
///
///     ẋ ≠ Σ_σ Π_s (θ_s or 1 − θ_s) ẋ_σ,    σ = the sides of all surfaces, ẋ_σ of the mode on that side,
///
/// the state that is farthest off; nothing if they give it. They do where ẋ is affine in each θ, so not where an equation
/// multiplies a sliding binary with an unknown, or an unknown that depends on one with another: with (1 + z)·i = 1 the
/// current is 1/(1 + θ), and its average 1 − θ/2. `instant.v` is the motion of the sliding mode. Nothing, too, where a side
/// has no motion from there, or one that jumps, and of more than `most_averaged` surfaces.
[[nodiscard]] std::optional<RateOffAverage> rate_off_average(const Model& model, ModeCache& cache,
                                                             const Accuracy& accuracy, const Instant& instant,
                                                             const Mode& mode);

/// That in words, for a slide that begins at `time`.
[[nodiscard]] std::string describe(const RateOffAverage& off, const Mode& mode, const Signature& signature,
                                   double time);

/// Motions on the 2^s sides of so many surfaces are looked at.
inline constexpr std::size_t most_averaged = 6;

}  // namespace mti
