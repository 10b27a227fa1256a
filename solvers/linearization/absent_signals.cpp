#include "solvers/linearization/absent_signals.hpp"

#include <cmath>
#include <memory>
#include <set>
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

OpenSignal open_signal(const RowMap& f, int equation, const std::set<int>& open,
                       const std::vector<double>& v) {
  for (const RowMap::Term& term : f.terms(equation)) {
    if (f.function_of(term.column) == nullptr) continue;
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (open.contains(factor.signal)) return {};
  }
  OpenSignal found;
  bool several = false;
  f.gradient(equation, v, [&](int signal, double slope) {
    if (slope == 0.0 || !open.contains(signal)) return;
    several = several || (found.row >= 0 && found.row != signal);
    found.row = signal;
    found.slope += slope;
  });
  return several ? OpenSignal{} : found;
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
