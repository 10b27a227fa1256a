#pragma once

#include <deque>
#include <limits>
#include <span>
#include <vector>

namespace mti {

/// A signal a(s) up to where a run has come, as far back as a delay looks: polynomials on stretches that follow each
/// other (mti/common/barycentric.hpp), and the times at which it is not smooth. Before the run it is a given number.
class SignalHistory {
 public:
  /// What the run passes later may depend on smoothness of a up to derivatives of this order, that of the integrator.
  static constexpr int smoothest = 6;

  SignalHistory(double delay, double before) : delay_(delay), before_(before) {}

  /// The run begins at s with this value; what was known is forgotten.
  void begin(double s, double value);
  /// On from end(): values at the nodes of the stretch.
  void add(double begin, double end, std::span<const double> values);
  /// A derivative of a of this order may jump at s, or a itself (order 0). Ones of more than `smoothest` do not count.
  void add_kink(double s, int order);
  /// Nothing before s will be asked for.
  void forget_before(double s);

  [[nodiscard]] double delay() const noexcept { return delay_; }
  [[nodiscard]] double end() const noexcept { return end_; }
  /// A time later than s, by more than rounding of `scale`, at which a is not smooth; infinity if none is known.
  [[nodiscard]] double next_kink(double s, double scale) const;
  /// The time of the kink that is one with s but for rounding of `scale`; s if there is none.
  [[nodiscard]] double snapped(double s, double scale) const;
  /// The order of the kink at s; more than `smoothest` if there is none.
  [[nodiscard]] int order_at(double s, double scale) const;
  /// a and its k-th derivative at s; from the right only where that is said. The first one is continuous where stretches meet,
  /// unless a has a kink there: what an integrator makes of a has not to follow jumps that only its own steps have left.
  [[nodiscard]] double derivative(double s, int k, bool from_right) const;

 private:
  struct Stretch {
    double begin = 0.0, end = 0.0;
    std::vector<double> values;
  };
  struct Kink {
    double time = 0.0;
    int order = 0;
  };
  [[nodiscard]] const Stretch& stretch_at(double s, bool from_right) const;
  [[nodiscard]] double slope_beyond(const Stretch& stretch, bool at_end) const;
  [[nodiscard]] const Kink* kink_at(double s, double scale) const;

  double delay_, before_;
  double start_ = std::numeric_limits<double>::infinity(), end_ = start_;
  std::deque<Stretch> stretches_;
  std::deque<Kink> kinks_;
};

}  // namespace mti
