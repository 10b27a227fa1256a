#include "solvers/identification/sample_derivatives.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

/// Weights with which samples at `time` give the value and the slope at t₀ of their polynomial: the rows 0 and 1 of the
/// pseudo-inverse of the Vandermonde matrix in (t − t₀)/h.
struct Weights {
  Eigen::VectorXd value, slope;
};
Weights weights_at(double t0, const Eigen::VectorXd& time, int degree) {
  const double h = std::max((time.array() - t0).abs().maxCoeff(), std::numeric_limits<double>::min());
  Eigen::MatrixXd V(time.size(), degree + 1);
  V.col(0).setOnes();
  for (int d = 1; d <= degree; ++d) V.col(d) = V.col(d - 1).cwiseProduct((time.array() - t0).matrix() / h);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(V);
  // The pseudo-inverse is R⁻¹ Qᵀ; its row d is Q R⁻ᵀ e_d.
  const auto row = [&](int d) -> Eigen::VectorXd {
    Eigen::VectorXd e = Eigen::VectorXd::Zero(time.size());
    e(d) = 1.0;
    Eigen::VectorXd head = e.head(degree + 1);
    qr.matrixQR().topRows(degree + 1).triangularView<Eigen::Upper>().transpose().solveInPlace(head);
    e.head(degree + 1) = head;
    return qr.householderQ() * e;
  };
  return {row(0), degree > 0 ? Eigen::VectorXd(row(1) / h) : Eigen::VectorXd::Zero(time.size())};
}

/// The samples of a range around k.
SampleRange window_around(Eigen::Index k, const SampleRange& range, Eigen::Index samples) {
  const Eigen::Index wanted = std::min(samples, range.last - range.first);
  const Eigen::Index first = std::clamp(k - wanted / 2, range.first, range.last - wanted);
  return {first, first + wanted};
}

Eigen::VectorXd times_in(std::span<const double> time, const SampleRange& window) {
  Eigen::VectorXd part(window.last - window.first);
  for (Eigen::Index k = 0; k < part.size(); ++k) part(k) = time[at(window.first + k)];
  return part;
}

/// The mean square of x_k − p₍₋ₖ₎(t_k); infinite where no range is long enough.
double prediction_error(std::span<const double> time, const Eigen::VectorXd& x,
                        std::span<const SampleRange> ranges, const LocalPolynomial& polynomial) {
  constexpr Eigen::Index most_asked = 200;
  double sum = 0.0;
  Eigen::Index count = 0;
  for (const SampleRange& range : ranges) {
    check_budget();
    // One sample more than the window, so that the polynomial without the middle one is of the same kind.
    const Eigen::Index half = (polynomial.samples + 1) / 2;
    const Eigen::Index inner = range.last - range.first - 2 * half;
    const Eigen::Index stride = std::max<Eigen::Index>(1, inner / most_asked);
    for (Eigen::Index k = range.first + half; k < range.last - half; k += stride) {
      Eigen::VectorXd around(2 * half), values(2 * half);
      for (Eigen::Index j = 0; j < 2 * half; ++j) {
        const Eigen::Index sample = k - half + j + (j >= half ? 1 : 0);
        around(j) = time[at(sample)];
        values(j) = x(sample);
      }
      const double error = x(k) - weights_at(time[at(k)], around, polynomial.degree).value.dot(values);
      sum += error * error;
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::infinity();
}

}  // namespace

Eigen::VectorXd derivatives_of(std::span<const double> time, const Eigen::VectorXd& x,
                               std::span<const SampleRange> ranges, const LocalPolynomial& polynomial) {
  Eigen::VectorXd result = Eigen::VectorXd::Constant(x.size(), std::numeric_limits<double>::quiet_NaN());
  for (const SampleRange& range : ranges) {
    if (range.last - range.first < 2) continue;
    for (Eigen::Index k = range.first; k < range.last; ++k) {
      check_budget();
      const SampleRange window = window_around(k, range, polynomial.samples);
      const Eigen::Index samples = window.last - window.first;
      const int degree = static_cast<int>(std::min<Eigen::Index>(polynomial.degree, samples - 1));
      result(k) =
          weights_at(time[at(k)], times_in(time, window), degree).slope.dot(x.segment(window.first, samples));
    }
  }
  return result;
}

LocalPolynomial choose_polynomial(std::span<const double> time, const Eigen::VectorXd& x,
                                  std::span<const SampleRange> ranges) {
  constexpr int lowest = 2, highest = 8, widest = 8;
  LocalPolynomial best{lowest, lowest + 1};
  double least = std::numeric_limits<double>::infinity();
  for (int degree = lowest; degree <= highest; degree += 2)
    for (int wide = 1; wide <= widest; wide *= 2) {
      const LocalPolynomial candidate{degree, wide * degree + 1};
      const double error = prediction_error(time, x, ranges, candidate);
      if (error < least) {
        least = error;
        best = candidate;
      }
    }
  return best;
}

}  // namespace mti
