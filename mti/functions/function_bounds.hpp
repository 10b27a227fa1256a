#pragma once

#include <span>

#include "mti/functions/elementary_function.hpp"

namespace mti {

/// [low, high]
struct ValueRange {
  double low = 0.0, high = 0.0;
  [[nodiscard]] double width() const { return high - low; }
};
/// Of what is given.
[[nodiscard]] ValueRange range_of(std::span<const double> values);

/// max φ(a) − min φ(a) over a range of a; infinite where φ has a pole in it, or is not defined.
[[nodiscard]] double spread_of(const ElementaryFunction& phi, ValueRange a);
/// The same of n/d.
[[nodiscard]] double spread_of_quotient(ValueRange n, ValueRange d);
/// The range of a is no more than half of the scale on which φ, or 1/a if there is none, changes: the distance to the end of
/// its domain, or 1.
[[nodiscard]] bool is_resolved(const ElementaryFunction* phi, ValueRange a);
/// What |φ(z)| does not exceed for complex z with |z − a| ≤ radius; infinite where no bound is known.
[[nodiscard]] double bound_on_disc(const ElementaryFunction& phi, double a, double radius);

}  // namespace mti
