#include "fmi/cosimulation/event_indicators.hpp"

#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti::fmi {

double EventIndicators::value(int constraint, std::span<const double> v) const {
  constexpr double roundings = 16.0, part = 0.5;
  double epsilon = roundings * machine_epsilon * g_.magnitude(constraint, v);
  g_.gradient(constraint, v, [&](int signal, double slope) {
    const bool is_known = signal >= first_binary_ || (signal >= first_input_ && signal < first_algebraic_);
    if (!is_known) epsilon += part * std::abs(slope) * accuracy_.of(signal, v[at(signal)]);
  });
  if (!(epsilon > 0.0)) epsilon = accuracy_.rtol;  // it vanishes
  return epsilon - g_.value(constraint, v);
}

}  // namespace mti::fmi
