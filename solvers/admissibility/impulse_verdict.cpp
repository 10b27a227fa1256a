#include "solvers/admissibility/impulse_verdict.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "solvers/impulses/impulse_signs.hpp"

namespace mti {
namespace {

/// By row of S: what the refused equations determine, and what blocks behind them determine that hold any of it.
std::vector<char> left_open(const Motion& motion, int states) {
  const ModeSystem& system = motion.system();
  std::vector<char> open(motion.restart().dirac.size(), 0);
  const auto is_open = [&](int equation) {
    return std::ranges::any_of(system.f.terms(equation), [&](const RowMap::Term& term) {
      return std::ranges::any_of(system.f.factors(term.column),
                                 [&](const RowMap::Factor& factor) { return open[at(factor.signal)] != 0; });
    });
  };
  for (const SolutionBlock& block : system.plan->balance) {
    const bool is_refused = std::ranges::any_of(block.equations, [&](int equation) {
      return std::ranges::find(motion.failure().equations, equation) != motion.failure().equations.end();
    });
    if (!is_refused && std::ranges::none_of(block.equations, is_open)) continue;
    for (const int unknown : block.unknowns) {
      open[at(unknown)] = 1;
      if (unknown < states) open[at(unknown + states)] = 1;  // x jumps by the weight of ẋ
    }
  }
  return open;
}

}  // namespace

std::vector<int> check_impulses(const Motion& motion, Admissibility& verdict) {
  std::vector<int> passing;
  const std::vector<ImpulsivePart> parts = motion.restart().impulsive_parts();
  if (parts.empty()) return passing;
  const TiedPulses ties(motion.system().f, parts);
  for (const int row : motion.system().live_constraints) {
    const ImpulseSign sign = impulse_sign(motion.system().g, row, motion.v(), parts, ties);
    if (sign == ImpulseSign::allowed) passing.push_back(row);
    if (sign == ImpulseSign::none || sign == ImpulseSign::allowed) continue;
    verdict.constraints.push_back(row);
    verdict.decided_at.push_back(-1);
    if (sign == ImpulseSign::forbidden) {
      verdict.rejection = Rejection::constraint_violated;
      verdict.by_impulse = true;
    } else if (verdict.rejection == Rejection::none) {
      verdict.rejection = Rejection::restart_refused;
    }
  }
  return passing;
}

void turn_down_by_impulses(const Motion& motion, int states, Admissibility& verdict) {
  if (verdict.failure.kind != SolveFailure::Kind::jumping_coefficient) return;
  const ModeSystem& system = motion.system();
  const std::vector<char> open = left_open(motion, states);
  std::vector<ImpulsivePart> parts = motion.restart().impulsive_parts();
  std::erase_if(parts, [&](const ImpulsivePart& part) { return open[at(part.row)] != 0; });
  const TiedPulses ties(system.f, parts);
  std::vector<int> forbidding;
  for (const int row : system.live_constraints) {
    const std::span<const RowMap::Term> terms = system.g.terms(row);
    const bool is_known = std::ranges::all_of(terms, [&](const RowMap::Term& term) {
      return std::ranges::all_of(system.g.factors(term.column),
                                 [&](const RowMap::Factor& factor) { return open[at(factor.signal)] == 0; });
    });
    if (is_known && impulse_sign(system.g, row, motion.v(), parts, ties) == ImpulseSign::forbidden)
      forbidding.push_back(row);
  }
  if (forbidding.empty()) return;
  verdict.failure = {};
  verdict.rejection = Rejection::constraint_violated;
  verdict.by_impulse = true;
  verdict.constraints.insert(verdict.constraints.end(), forbidding.begin(), forbidding.end());
  verdict.decided_at.assign(verdict.constraints.size(), -1);
}

}  // namespace mti
