#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

namespace mti {

/// A polynomial of a degree through, or closest to, so many samples in a row.
struct LocalPolynomial {
  int degree = 8, samples = 9;
  friend bool operator==(const LocalPolynomial&, const LocalPolynomial&) = default;
};

/// Samples first … last − 1 that belong together: one motion without jumps.
struct SampleRange {
  Eigen::Index first = 0, last = 0;
};

/// ẋ at the samples of a range, from the polynomial p of least squares over the `samples` nearest ones in the range:
///
///     ẋ(t_k) ≈ p′(t_k),    p = argmin Σ_j (x_j − p(t_j))²
///
/// The samples are k − h … k + h where the range has them, and the first or last of the range near its ends. Times ascend and need not
/// be equally spaced. With samples = degree + 1 the polynomial goes through them, and the error is of order h^degree for
/// a smooth x; more samples average noise. A range shorter than `samples` takes all it has, with a degree of its length
/// less one at most. A range of one sample has no derivative: NaN, to be left out.
/// Source: Savitzky, Golay, Anal. Chem. 36 (1964) 1627–1639; Fornberg, Math. Comp. 51 (1988) 699–706.
[[nodiscard]] Eigen::VectorXd derivatives_of(std::span<const double> time, const Eigen::VectorXd& x,
                                             std::span<const SampleRange> ranges,
                                             const LocalPolynomial& polynomial);

/// The polynomial, of degree 2, 4, 6 or 8 over 1, 2, 4 or 8 times as many samples as it needs, that tells a sample best
/// from its neighbours:  Σ_k (x_k − p₍₋ₖ₎(t_k))² is smallest, p₍₋ₖ₎ without sample k. Exact samples lead to high degrees, noise to
/// many samples. At most 200 samples of a range's inner part are asked; where no range is long enough it is a parabola.
[[nodiscard]] LocalPolynomial choose_polynomial(std::span<const double> time, const Eigen::VectorXd& x,
                                                std::span<const SampleRange> ranges);

}  // namespace mti
