#include "solvers/admissibility/conflicts.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Collects the binaries that Taylor coefficients of a mode's motion depend on.
///
/// By (24) order k of (ẋ, y) is one solve of its block, with orders up to k of the signals that the block's equations
/// hold, and order k ≥ 1 of x is order k − 1 of its ẋ over k. So a coefficient depends on the binaries of its own row
/// and of the equations of all pairs (block, order) on the way back to x at order 0: to x⁺, which depends on the
/// binaries that decide whether and where a restart moves it, and on none where nothing does.
class Dependence {
 public:
  Dependence(const ModeSystem& system, const Model& model, const Dependencies& influence)
      : system_(system), signature_(model.signature), influence_(influence) {}

  void add_binaries(std::span<const int> binaries) { binaries_.insert(binaries.begin(), binaries.end()); }

  void add_constraint(int row, int order) {
    add_binaries(influence_.of_constraint(row));
    add_signals_of(row, order);
  }

  void add_signals_of(int row, int order) {
    for (const RowMap::Term& term : system_.g.terms(row))
      for (const RowMap::Factor& factor : system_.g.factors(term.column)) add_signal(factor.signal, order);
    follow();
  }

  void add_equation(int equation) {
    add_binaries(influence_.of_equation(equation));
    add_binaries(influence_.jumps().of_equation(equation));
    open_block(system_.graph->solver_of(equation), 0);
    follow();
  }

  [[nodiscard]] std::vector<int> binaries() const { return {binaries_.begin(), binaries_.end()}; }

 private:
  /// Order `order` of the signal. Inputs are known by themselves, x at order 0 by what its restart makes of it.
  void add_signal(int signal, int order) {
    const bool state = signal >= signature_.state_row(0) && signal < signature_.input_row(0);
    const bool input = signal >= signature_.input_row(0) && signal < signature_.algebraic_row(0);
    if (input) return;
    if (state) add_binaries(influence_.jumps().of_state(signal - signature_.state_row(0)));
    if (state && order == 0) return;
    const int unknown = state ? signal - signature_.n() : signal;
    const int block = system_.graph->owner(unknown);
    // What no equation determines here may be determined where other binaries differ.
    if (block < 0)
      add_binaries(influence_.of_unknown(unknown));
    else
      open_block(block, state ? order - 1 : order);
  }

  void open_block(int block, int order) {
    if (block >= 0 && visited_.emplace(block, order).second) open_.emplace_back(block, order);
  }

  /// What a block needs of others: y at the same order; x at order k by the slope ẋ at order k − 1, so that at order 0
  /// only its restart is left of it. The states of an equation are joined by it, and jump together or not at all.
  void follow() {
    while (!open_.empty()) {
      const auto [block, order] = open_.back();
      open_.pop_back();
      for (const int equation : system_.plan->blocks[at(block)].equations) {
        add_binaries(influence_.of_equation(equation));
        add_binaries(influence_.jumps().of_equation(equation));
      }
      for (const BlockGraph::Input& input : system_.graph->inputs(block))
        if (!input.of_slope || order > 0) open_block(input.block, input.of_slope ? order - 1 : order);
    }
  }

  const ModeSystem& system_;
  const Signature& signature_;
  const Dependencies& influence_;
  std::set<int> binaries_;
  std::set<std::pair<int, int>> visited_;
  std::vector<std::pair<int, int>> open_;
};

}  // namespace

std::vector<std::vector<int>> binaries_of_broken_invariants(const Model& model, const Mode& mode) {
  const Signature& signature = model.signature;
  std::vector<double> v(at(signature.size()), 0.0);
  write_mode(signature, mode, v);
  std::vector<std::vector<int>> reasons;
  for (const BooleanFormula& formula : model.invariants) {
    if (formula.evaluate([&](int row) { return v[at(row)] != 0.0; })) continue;
    std::set<int> binaries;
    for (const BooleanFormula::Step& step : formula.steps)
      if (const int binary = step.row - signature.binary_row(0);
          step.row >= 0 && binary >= 0 && binary < signature.q())
        binaries.insert(binary);
    reasons.emplace_back(binaries.begin(), binaries.end());
  }
  return reasons;
}

std::vector<int> binaries_behind(const ModeSystem& system, const Model& model, const Dependencies& influence,
                                 int constraint, int order) {
  Dependence dependence(system, model, influence);
  dependence.add_constraint(constraint, order);
  return dependence.binaries();
}

std::vector<int> binaries_behind_signals(const ModeSystem& system, const Model& model,
                                         const Dependencies& influence, int constraint, int order) {
  Dependence dependence(system, model, influence);
  dependence.add_signals_of(constraint, order);
  return dependence.binaries();
}

std::vector<int> binaries_behind_equation(const ModeSystem& system, const Model& model,
                                          const Dependencies& influence, int equation) {
  Dependence dependence(system, model, influence);
  dependence.add_equation(equation);
  return dependence.binaries();
}

/// Why a reason is sound: while its binaries keep their values, the equations on the way to the decision are frozen
/// to the same numbers, and restarts lead to the same x⁺ there, so their blocks have the same solutions, and the coefficient that decided is the same in
/// every such candidate. Each broken row gives a reason of its own, and each excludes by itself: short reasons
/// exclude most.
std::vector<std::vector<int>> reasons_of(const Admissibility& verdict, const Model& model,
                                         const Dependencies& influence) {
  const ModeSystem& system = *verdict.system;
  if (verdict.rejection == Rejection::forbidden) return binaries_of_broken_invariants(model, system.mode);
  if (!system.graph) return {};  // it slides, is differentiated or over-determined: all of A took part
  std::vector<std::vector<int>> reasons;
  // Rows that the mode has made numbers: they stay what they are as long as their own binaries do.
  for (const int row : system.broken_equations) {
    const auto binaries = influence.of_equation(row);
    reasons.emplace_back(binaries.begin(), binaries.end());
  }
  for (const int row : system.broken_constraints) {
    const auto binaries = influence.of_constraint(row);
    reasons.emplace_back(binaries.begin(), binaries.end());
  }
  if (verdict.motion) {
    for (std::size_t i = 0; i < verdict.constraints.size(); ++i) {
      if (verdict.decided_at[i] < 0) continue;  // a number, as above, or broken by an impulse
      reasons.push_back(
          binaries_behind(system, model, influence, verdict.constraints[i], verdict.decided_at[i]));
    }
  } else if (system.structurally_solvable() && !verdict.failure.equations.empty() &&
             verdict.failure.stage == SolveFailure::Stage::motion) {
    // Numbers contradict each other: the block that could not be solved, and what gives its coefficients.
    Dependence dependence(system, model, influence);
    for (const int equation : verdict.failure.equations) dependence.add_equation(equation);
    reasons.push_back(dependence.binaries());
  }
  return reasons;
}

}  // namespace mti
