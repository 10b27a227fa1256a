#include "fmi/cosimulation/event_indicators.hpp"

#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti::fmi {

double EventIndicators::of_row(const RowMap& g, int row, std::span<const double> v, int first_known) const {
  constexpr double roundings = 16.0, part = 0.5;
  double epsilon = roundings * machine_epsilon * g.magnitude(row, v);
  g.gradient(row, v, [&](int signal, double slope) {
    const bool is_known = signal >= first_known || (signal >= first_input_ && signal < first_algebraic_);
    if (!is_known) epsilon += part * std::abs(slope) * accuracy_.of(signal, v[at(signal)]);
  });
  if (!(epsilon > 0.0)) epsilon = held();  // it vanishes
  return epsilon - g.value(row, v);
}

}  // namespace mti::fmi
