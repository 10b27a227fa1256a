#include "solvers/admissibility/met_later.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/polynomials/polynomial_roots.hpp"
#include "solvers/laws/transition_laws.hpp"

namespace mti {
namespace {

/// The restart leaves the row's way as it has been: no state jumps, or none by which its slope changes.
bool goes_on(const Signature& signature, const Instant& instant, Motion& motion, int row) {
  const std::vector<double>& v = motion.v();
  bool jumps = false;
  for (int i = 0; i < signature.n(); ++i) {
    const int state = signature.state_row(i);
    jumps = jumps ||
            std::abs(v[at(state)] - instant.v[at(state)]) > motion.accuracy().of(state, instant.v[at(state)]);
  }
  if (!jumps) return true;
  const ModeSystem& system = motion.system();
  if (!instant.has_past || system.has_unknowns[at(row)] != 0) return false;
  double changed = 0.0;
  system.g.gradient(row, instant.v, [&](int signal, double slope) {
    const int i = signal - signature.state_row(0);
    if (i < 0 || i >= signature.n()) return;
    const auto rate = at(signature.derivative_row(i));
    changed += slope * (v[rate] - instant.v[rate]);
  });
  return std::abs(changed) <= motion.constraint(row, 1).error;
}

constexpr int orders = 4;  // beyond a body that falls with a force that varies
using TaylorOfRow = std::array<double, orders + 1>;

bool has_law(const Model& model, const Instant& instant, int row) {
  const WaitedFor waits = waited_for(model, instant, row);
  return waits.becomes_true || waits.becomes_false || !reach_laws(model, std::span(&row, 1)).empty();
}

/// How long it takes at least until g_0 + Σ g_k τ^k comes to zero by one of its terms, g_0 < 0.
double least_time(const TaylorOfRow& g) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= orders; ++k)
    if (g[at(k)] > 0.0) least = std::min(least, std::pow(-g[0] / g[at(k)], 1.0 / k));
  return least;
}

/// The row may have been within its errors ever since it was met last: it takes about as long now as that is ago.
bool is_met_again_and_again(const Instant& instant, int row, const TaylorOfRow& g) {
  constexpr double part = 1.0 / 8.0;
  return instant.last_met && !(least_time(g) < part * (instant.t - (*instant.last_met)(row)));
}

}  // namespace

bool is_met_later(const Model& model, const Instant& instant, Motion& motion, int row) {
  constexpr double part = 1e-6;  // of ε, beyond rounding
  const Ball value = motion.constraint(row, 0);
  if (!(value.value < 0.0)) return false;
  const bool is_plain = !has_law(model, instant, row);
  // What has a law is met when it is due. Anything else may be met as early as any event may, and is where nothing says how early
  // that is.
  const double within =
      is_plain ? std::max(instant.asked_of_times, instant.time_uncertainty) : instant.same_instant;
  if (!std::isfinite(within)) return false;
  // At the top of a flight below ε the slope is none; at rest, or where its law has been applied, no flight is left.
  const Ball slope = motion.constraint(row, 1);
  const bool flies =
      value.value < -part * value.error && std::ranges::find(instant.answered, row) == instant.answered.end();
  if (!(slope.value > slope.error) && !flies) return false;
  TaylorOfRow g{};
  for (int k = 0; k <= orders; ++k) g[at(k)] = motion.constraint(row, k).value;
  if (!(upper_bound(g, within) < -rounding_of(g, within))) return false;
  return goes_on(model.signature, instant, motion, row) &&
         !(is_plain && is_met_again_and_again(instant, row, g));
}

}  // namespace mti
