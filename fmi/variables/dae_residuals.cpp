#include "fmi/variables/dae_residuals.hpp"

#include <algorithm>
#include <set>

#include "fmi/variables/model_exchange.hpp"
#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"
#include "solvers/multimode/all_modes.hpp"

namespace mti::fmi {
namespace {

int most_differentiations(const AllModes& all, int equation) {
  int most = 0;
  for (const ModeSet& level : all.offsets.c[at(equation)].levels)
    most += all.space.considered(level).empty() ? 0 : 1;
  return most;
}

/// Rows of S but those of binaries and of what is remembered of them.
std::vector<int> signals_in(const RowMap& f, int row, const Signature& signature) {
  std::set<int> signals;
  for (const RowMap::Term& term : f.terms(row))
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (factor.signal < signature.binary_row(0)) signals.insert(factor.signal);
  return {signals.begin(), signals.end()};
}

std::vector<DaeResidual> residuals_of(const Model& model, const AllModes& all) {
  const Signature& signature = model.signature;
  const SignalRows rows(model);
  const auto is_state = [&](int signal) {
    return signal >= signature.state_row(0) && signal < signature.input_row(0);
  };
  std::vector<DaeResidual> residuals;
  for (int row = 0; row < model.equations(); ++row) {
    if (rows.f.is_logic(row)) continue;
    DaeResidual residual{.row = row,
                         .differentiations = most_differentiations(all, row),
                         .signals = signals_in(rows.f, row, signature)};
    residual.has_rate = residual.differentiations > 0 && std::ranges::all_of(residual.signals, is_state);
    residuals.push_back(std::move(residual));
  }
  return residuals;
}

}  // namespace

std::vector<DaeResidual> dae_residuals(const Model& model) {
  return residuals_of(model, AllModes(model, most_nodes_looked_at));
}

std::optional<std::string> why_no_dae(const Model& model) {
  if (model.is_discrete()) return "its time is discrete";
  const Signature& signature = model.signature;
  try {
    const AllModes all(model, most_nodes_looked_at);
    if (auto why = why_singular(model, all)) return why;
    for (int signal = 0; signal < signature.n() + signature.p(); ++signal)
      if (const ModeSet absent = all.space.considered(all.parts.absent[at(signal)]); !absent.empty()) {
        const int state = signal, algebraic = signal - signature.n();
        return "no equation holds " +
               (algebraic < 0 ? signature.states()[at(state)].name
                              : signature.algebraic()[at(algebraic)].name) +
               modes_text(all.space, absent);
      }
    const auto equations = static_cast<int>(residuals_of(model, all).size());
    if (equations != signature.n() + signature.p())
      return "of its equations " + std::to_string(equations) + " hold more than binaries, for " +
             std::to_string(signature.n() + signature.p()) + " derivatives and algebraic signals";
    return std::nullopt;
  } catch (const ModeSetTooLarge&) {
    return "its modes are too many to look at all of them";
  }
}

}  // namespace mti::fmi
