#include "mti/polynomials/polynomial_roots.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "mti/common/rounding.hpp"

namespace mti {
namespace {

using Row = std::array<double, most_coefficients>;

/// p − level with the sign under which the passage is a rise, and its Bernstein coefficients on parts of an interval.
class RiseSearch {
 public:
  RiseSearch(Coefficients c, double level, double sign, double resolution)
      : size_(c.size()), resolution_(resolution) {
    assert(size_ <= most_coefficients);
    while (size_ > 1 && c[size_ - 1] == 0.0) --size_;
    for (std::size_t k = 0; k < size_; ++k) power_[k] = sign * c[k];
    if (size_ == 0) size_ = 1;
    power_[0] -= sign * level;
  }

  [[nodiscard]] std::optional<Passage> first(double from, double to) const {
    return search(bernstein(from, to), from, to);
  }

 private:
  [[nodiscard]] Coefficients coefficients() const { return {power_.data(), size_}; }

  /// From powers of τ to those of (τ − from)/(to − from), a_k, and then b_i = Σ_k C(i, k)/C(n, k) a_k.
  [[nodiscard]] Row bernstein(double from, double to) const {
    Row b = power_;
    if (from != 0.0)
      for (std::size_t first = 0; first + 1 < size_; ++first)
        for (std::size_t k = size_ - 1; k-- > first;) b[k] += from * b[k + 1];
    double scale = 1.0;
    for (std::size_t k = 1; k < size_; ++k) {
      // (to − from)^k / C(n, k), n = size − 1
      scale *= (to - from) * static_cast<double>(k) / static_cast<double>(size_ - k);
      b[k] *= scale;
    }
    for (std::size_t round = 1; round < size_; ++round)
      for (std::size_t i = size_ - 1; i >= round; --i) b[i] += b[i - 1];
    return b;
  }

  [[nodiscard]] std::optional<Passage> search(const Row& b, double left, double right) const {
    int changes = 0;
    double largest = std::abs(b[0]), highest_before = b[0];
    for (std::size_t i = 1; i < size_; ++i) {
      changes += (b[i] > 0.0) != (b[i - 1] > 0.0) ? 1 : 0;
      largest = std::max(largest, std::abs(b[i]));
      if (i + 1 < size_) highest_before = std::max(highest_before, b[i]);
    }
    if (changes == 0) return std::nullopt;
    const bool rises = b[0] <= 0.0 && b[size_ - 1] > 0.0;
    const double rounding = changes > 1 || highest_before > 0.0 ? rounding_of(coefficients(), right) : 0.0;
    // Where another row has ended the interval, this one may have come back to zero: the sign of its rounding tells nothing.
    const bool end_is_zero = b[size_ - 1] <= rounding && highest_before > rounding;
    if (changes == 1 && !(rises && end_is_zero))
      return rises ? std::optional(refine(b, left, right)) : std::nullopt;
    // What is left within rounding, or the resolution, goes by its ends.
    const double middle = 0.5 * (left + right);
    const bool resolved =
        largest <= rounding || right - left <= resolution_ || middle <= left || middle >= right;
    if (resolved) return rises ? std::optional(refine(b, left, right)) : std::nullopt;
    Row low = b, high = b;
    for (std::size_t round = 1; round < size_; ++round) {
      for (std::size_t i = 0; i + round < size_; ++i) high[i] = 0.5 * (high[i] + high[i + 1]);
      low[round] = high[0];
    }
    if (const auto found = search(low, left, middle)) return found;
    return search(high, middle, right);
  }

  /// Newton's method, kept within the bracket, which is halved where that does not make it shorter.
  [[nodiscard]] Passage refine(const Row& b, double left, double right) const {
    const Coefficients p = coefficients();
    double low = left, high = right, width_before = right - left;
    double tau = left + (right - left) * (-b[0] / (b[size_ - 1] - b[0]));
    constexpr int most_iterations = 200, patience = 4;
    for (int iteration = 1; iteration <= most_iterations; ++iteration) {
      const double value = value_of(p, tau), slope = slope_of(p, tau), rounding = rounding_of(p, tau);
      (value > 0.0 ? high : low) = tau;
      double least = std::max(resolution_, 2.0 * machine_epsilon * std::abs(tau));
      if (high - low <= least || (value > 0.0 && value <= rounding)) break;
      // Within rounding signs decide nothing: the other end of the bracket is beyond it.
      if (std::abs(value) <= rounding) least = std::max(least, rounding / std::abs(slope));
      const double step = value / slope;
      if (std::abs(step) <= 0.5 * least)
        tau += value > 0.0 ? -least : least;
      else
        tau -= step;
      bool halve = !(tau > low && tau < high);
      if (iteration % patience == 0) {
        halve = halve || high - low > 0.5 * width_before;
        width_before = high - low;
      }
      if (halve) tau = 0.5 * (low + high);
    }
    return {high, left, right};
  }

  std::size_t size_;
  Row power_{};
  double resolution_;
};

std::optional<Passage> first_passage(Coefficients c, double level, double sign, double from, double to,
                                     double resolution) {
  if (!(from < to)) return std::nullopt;
  return RiseSearch(c, level, sign, resolution).first(from, to);
}

}  // namespace

double value_of(Coefficients c, double tau) {
  double sum = 0.0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * tau + c[k];
  return sum;
}

double slope_of(Coefficients c, double tau) {
  double sum = 0.0;
  for (std::size_t k = c.size(); k-- > 1;) sum = sum * tau + static_cast<double>(k) * c[k];
  return sum;
}

double upper_bound(Coefficients c, double tau) {
  double rising = 0.0;
  for (std::size_t k = c.size(); k-- > 1;) rising = tau * (rising + std::max(c[k], 0.0));
  return c[0] + rising;
}

double rounding_of(Coefficients c, double tau) {
  double sum = 0.0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * tau + std::abs(c[k]);
  return 4.0 * static_cast<double>(c.size()) * machine_epsilon * sum;
}

std::optional<Passage> first_rise(Coefficients c, double level, double from, double to, double resolution) {
  return first_passage(c, level, 1.0, from, to, resolution);
}

std::optional<Passage> first_fall(Coefficients c, double level, double from, double to, double resolution) {
  return first_passage(c, level, -1.0, from, to, resolution);
}

}  // namespace mti
