#pragma once

#include <cstddef>
#include <deque>
#include <optional>

namespace mti {

/// Recognises switching times that accumulate: t_k → t_∞ with intervals that shrink geometrically.
///
/// With intervals d over one period of the switching pattern and ratio r = d_k/d_{k−1} < 1 the limit is
/// t_∞ = t_k + d_k·r/(1 − r) (spec 2, "Zeno"). It is reported when what is left is within some
/// ten times the resolution of the event times, so that further events could hardly be told from the limit.
class ZenoDetector {
 public:
  struct Limit {
    double time = 0.0;   ///< estimate of t_∞
    double ratio = 0.0;  ///< of successive intervals
  };
  /// Adds an event; `resolution` is the uncertainty of its time.
  [[nodiscard]] std::optional<Limit> add(double time, double resolution);
  /// The limit that the events so far tend to, if their intervals shrink and `time` is close to it: what is
  /// left is below a thousandth of what the intervals have covered. For a run that finds no successor there.
  [[nodiscard]] std::optional<Limit> near(double time) const;

 private:
  [[nodiscard]] std::optional<Limit> estimate(std::size_t period) const;
  std::deque<double> times_;
};

}  // namespace mti
