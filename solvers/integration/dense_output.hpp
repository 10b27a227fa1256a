#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace mti {

/// Which limit is meant at an instant at which signals jump.
enum class Side { left, right };

/// Signals as functions of time: on each stretch of a run the polynomial of degree n through values at Chebyshev's points
/// (mti/common/barycentric.hpp). n is the degree of the integrator's own polynomials, of power series and of BDF: these are
/// kept but for rounding. A stretch of no length holds an instant.
class DenseOutput {
 public:
  /// v(t_0) … v(t_n), n ≥ 1, of which the entries `rows` are kept. Stretches follow each other.
  void add(double begin, double end, int n, std::span<const int> rows,
           const std::function<std::span<const double>(double t)>& v);
  /// An instant, from which nothing goes on yet.
  void add(double time, std::span<const int> rows, std::span<const double> v);

  [[nodiscard]] bool empty() const noexcept { return stretches_.empty(); }
  /// The first and the last time; not to be called if empty.
  [[nodiscard]] double begin() const { return stretches_.front().begin; }
  [[nodiscard]] double end() const { return stretches_.back().end; }
  /// The signal of the entry `column` of `rows` at t. Throws std::out_of_range where nothing is known of it.
  [[nodiscard]] double value(double t, std::size_t column, Side side) const;
  /// ∫ v dt from begin to end, that of the polynomials but for rounding. Throws std::out_of_range if there is no such column.
  [[nodiscard]] double integral(std::size_t column) const;
  /// The largest value of `sign` times a signal, limits from both sides of jumps among them; not to be called if empty. Where a
  /// polynomial of degree n has more extremes than its n + 1 values tell apart, that next to the largest of these counts.
  [[nodiscard]] double greatest(std::size_t column, double sign) const;

 private:
  struct Stretch {
    double begin = 0.0, end = 0.0;
    std::size_t first = 0;  ///< in starts_
    std::size_t columns = 0;
  };
  [[nodiscard]] const Stretch& stretch_at(double t, Side side) const;
  [[nodiscard]] std::span<const double> values_of(const Stretch& stretch, std::size_t column) const;
  void append_column(std::span<const double> values);

  std::vector<Stretch> stretches_;
  std::vector<std::size_t> starts_;  ///< in values_, of each column, and the end of the last
  std::vector<double> values_;       ///< v_0 … v_n; one number for what is constant
};

}  // namespace mti
