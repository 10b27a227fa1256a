#include "solvers/linearization/absent_signals.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/mode/mode_cache.hpp"

namespace mti {
namespace {

/// The only one of `open` that the row holds, with its slope at v; −1: none, several, or in a function.
struct OpenSignal {
  int row = -1;
  double slope = 0.0;
};

/// Which signals a term holds is for its form to say, not for its slope: in p·q = 0 with p and q open both slopes are 0 as
/// long as nothing is known of them. A term that a known factor makes 0 holds none.
OpenSignal open_signal(const RowMap& f, int equation, const std::set<int>& open,
                       const std::vector<double>& v) {
  OpenSignal found;
  for (const RowMap::Term& term : f.terms(equation)) {
    const std::span<const RowMap::Factor> factors = f.factors(term.column);
    const auto is_open = [&](const RowMap::Factor& factor) { return open.contains(factor.signal); };
    const bool vanishes = std::ranges::any_of(factors, [&](const RowMap::Factor& factor) {
      return !is_open(factor) && 1.0 - std::abs(factor.S) + factor.S * v[at(factor.signal)] == 0.0;
    });
    if (vanishes) continue;
    for (const RowMap::Factor& factor : factors) {
      if (!is_open(factor)) continue;
      if (f.function_of(term.column) != nullptr || (found.row >= 0 && found.row != factor.signal)) return {};
      found.row = factor.signal;
    }
  }
  if (found.row < 0) return {};
  f.gradient(equation, v, [&](int signal, double slope) {
    if (signal == found.row) found.slope += slope;
  });
  return found.slope != 0.0 ? found : OpenSignal{};
}

}  // namespace

void give_absent_signals(const Model& model, const Mode& mode, std::vector<double>& v) {
  ModeCache cache(model);
  const std::shared_ptr<const ModeSystem> system = cache.get(mode);
  std::set<int> open;
  for (const Definition& definition : system->idle) open.insert(definition.signal);
  for (const int function : mode.resting) open.erase(model.function_texts[at(function)].result);
  give_signals(model, std::move(open), v);
}

void give_signals(const Model& model, std::set<int> open, std::vector<double>& v) {
  const RowMap f(model.f());
  for (bool goes_on = !open.empty(); goes_on;) {
    goes_on = false;
    for (int equation = 0; equation < f.rows(); ++equation) {
      const OpenSignal signal = open_signal(f, equation, open, v);
      if (signal.row < 0) continue;
      double& value = v[at(signal.row)];
      const double before = value;
      value = 0.0;
      const double given = -f.value(equation, v) / signal.slope;
      value = std::isfinite(given) ? given : before;
      open.erase(signal.row);
      goes_on = !open.empty();
    }
  }
}

}  // namespace mti
