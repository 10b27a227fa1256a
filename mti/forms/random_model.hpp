#pragma once

#include <cstdint>

#include "mti/source/source.hpp"

namespace mti {

/// What a random model is made of.
struct RandomModelOptions {
  int states = 10, inputs = 2, algebraic = 5, binaries = 0;
  int terms = 3;             ///< products on the right-hand side of each equation
  int longest = 3;           ///< most factors of a product
  double affine = 0.25;      ///< share of factors 1 − |S| + S v with 0 < |S| < 1; the others are ±v
  double derivatives = 0.1;  ///< share of products that hold one ẋ besides
  std::uint64_t seed = 1;
};

/// A random sparse model for tests and benchmarks:
///
///     ẋ_i = −x_i + Σ_t φ_t Π factors,    y_j = Σ_t φ_t Π factors,    (1 − 2 z_b)(x_b − θ_b) ≤ 0
///
/// with factors of x, u, y, z (and ẋ) drawn uniformly, u constant in [−1, 1] and x(0) in [−½, ½]. The sum of
/// |φ_t| of an equation is 1/(4 · (longest + 1)), so that for |x|, |u|, |y| ≤ 1 and |ẋ| ≤ 2 the matrix
/// ∂f/∂(ẋ, y) is strictly diagonally dominant and the solution stays in that box: every such model is
/// regular of index 1 and runs for ever. z_b = [x_b ≥ θ_b] compares the states in turn (binaries need
/// states).
///
/// The result depends on the options only, on every platform. Time and memory are proportional to the number
/// of factors. Errors: InvalidOption, id `bad-random-model`, where the options cannot be met.
[[nodiscard]] Source random_model(const RandomModelOptions& options);

}  // namespace mti
