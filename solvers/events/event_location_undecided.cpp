// Rows that only their error bounds keep, without ever passing these.
#include <cmath>
#include <limits>

#include "mti/common/rounding.hpp"
#include "solvers/events/event_location.hpp"

namespace mti {

std::optional<EventLocation::Undecided> EventLocation::undecided() {
  if (integrator_.engine() != SmoothIntegrator::Engine::ida) return std::nullopt;
  constexpr double several_roundings = 64.0 * machine_epsilon;
  std::optional<Undecided> found;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    double& since = above_since_[row];
    const double g = here_.g[kernel_row_[row]];
    if (std::isnan(since)) continue;
    if (!(g > 0.0) || !(g > several_roundings * segment_.mode_system().g.magnitude(rows_[row], v_))) {
      since = std::numeric_limits<double>::infinity();
      continue;
    }
    since = std::min(since, here_.t);
    if (found || !(here_.t - since > longest_excuse * accuracy_.resolution)) continue;
    found = Undecided{rows_[row], since, g, level_[row]};
    since = std::numeric_limits<double>::quiet_NaN();
  }
  return found;
}

}  // namespace mti
