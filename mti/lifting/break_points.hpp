#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mti/functions/elementary_function.hpp"

namespace mti {

/// A closed interval of numbers.
struct Range {
  double low = 0.0, high = 0.0;
};

/// Points of a function, x ascending, between which it is replaced by straight lines.
struct BreakPoints {
  std::vector<double> x, y;

  /// The interpolant; outside of the points the first and the last line go on.
  [[nodiscard]] double value(double a) const;
};

/// Points over a range, the same x for several functions, such that for each of them
///
///     |φ(a) − interpolant(a)| ≤ tolerance    for all a of the range,
///
/// each line as long as that allows, from the lower end on; at least two points. The largest error of a line is looked for on a
/// grid of 64 parts, and then between its neighbours. Nothing if a φ has no finite value at a point of the range, or more than `most`
/// points would be needed.
[[nodiscard]] std::optional<std::vector<BreakPoints>> break_points(
    std::span<const ElementaryFunction> functions, Range range, double tolerance, int most);

}  // namespace mti
