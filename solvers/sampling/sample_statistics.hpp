#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mti {

/// What a sample y_1 … y_n says of its distribution.
struct SampleMoments {
  std::size_t count = 0;
  double mean = 0.0;       ///< ȳ = Σ y_i / n
  double deviation = 0.0;  ///< √(Σ (y_i − ȳ)²/(n − 1)); 0 of one
  double minimum = 0.0, maximum = 0.0;
};
/// n ≥ 1.
[[nodiscard]] SampleMoments moments_of(std::span<const double> sample);

/// The quantile of order p, 0 ≤ p ≤ 1, between neighbours of the sorted sample of n ≥ 1:
///
///     q = y_(k) + (h − k)(y_(k+1) − y_(k)),    h = (n − 1) p,  k = ⌊h⌋,  y_(0) the smallest
///
/// Definition 7 of Hyndman and Fan (10.2307/2684934), that of NumPy and R.
[[nodiscard]] double sample_quantile(std::span<const double> sorted, double p);

/// Which part of the variance of y one factor x explains by itself, if factors are independent:
///
///     S = Var(E[y | x]) / Var(y)
///
/// The first-order index of Sobol, from the means ȳ_b of groups of equal x or, where x takes many values, of
/// ⌊√n⌋ neighbours in order:  η² = Σ n_b (ȳ_b − ȳ)² / Σ (y_i − ȳ)². In a sample η² is (B − 1)/(n − 1) even where x has no influence:
///
///     S ≈ 1 − (1 − η²)(n − 1)/(n − B),  at least 0
///
/// for then the mean of a group of n_b has the variance σ² = (1 − η²) Σ(y_i − ȳ)²/(n − B)/n_b by the other factors. Points of a
/// sequence of low discrepancy are spread over the other factors in each group, too, so that σ² is less; how much less is seen from
/// neighbouring groups, d_b = ȳ_(b−1) − 2ȳ_b + ȳ_(b+1) being 6σ² in the mean square but for the curve of E[y | x]:
///
///     S ≈ η² − (B − 1) c,    c = the smaller of  mean(n_b d_b²)/6 / Σ(y_i − ȳ)²  and  (1 − η²)/(n − B)
///
/// All combinations of a grid are no sample: there S = η². 0 where y varies in its last digit only, or nothing can be said.
enum class Sample { random, low_discrepancy, all_combinations };
[[nodiscard]] double first_order_index(std::span<const double> x, std::span<const double> y, Sample sample);

}  // namespace mti
