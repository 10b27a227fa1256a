#include "solvers/admissibility/impulse_verdict.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "solvers/impulses/impulse_signs.hpp"
#include "solvers/motion/algebraic_jumps.hpp"

namespace mti {
namespace {

bool holds_any(const RowMap& map, int row, const std::vector<char>& signals) {
  return std::ranges::any_of(map.terms(row), [&](const RowMap::Term& term) {
    return std::ranges::any_of(map.factors(term.column),
                               [&](const RowMap::Factor& factor) { return signals[at(factor.signal)] != 0; });
  });
}

/// By row of S: what the refused equations determine, and what blocks behind them determine that hold any of it. Empty where
/// not all of them are balanced block by block, as in the linear part of a mode or by orders: all is open then.
std::vector<char> left_open(const Motion& motion, int states) {
  const ModeSystem& system = motion.system();
  std::vector<char> open(motion.restart().dirac.size(), 0);
  if (!motion.restart().leading.empty()) return {};
  std::ptrdiff_t refused = 0;
  for (const SolutionBlock& block : system.plan->balance) {
    const auto own = std::ranges::count_if(block.equations, [&](int equation) {
      return std::ranges::find(motion.failure().equations, equation) != motion.failure().equations.end();
    });
    refused += own;
    if (own == 0 &&
        std::ranges::none_of(block.equations, [&](int row) { return holds_any(system.f, row, open); }))
      continue;
    for (const int unknown : block.unknowns) {
      open[at(unknown)] = 1;
      if (unknown < states) open[at(unknown + states)] = 1;  // x jumps by the weight of ẋ
    }
  }
  return refused == std::ssize(motion.failure().equations) ? open : std::vector<char>();
}

}  // namespace

std::vector<int> check_impulses(const Motion& motion, const Instant& here, const Signature& signature,
                                Admissibility& verdict) {
  std::vector<int> passing;
  const std::vector<ImpulsivePart> parts = impulses_at_beginning(motion, here, signature);
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
  if (open.empty()) return;
  std::vector<ImpulsivePart> parts = motion.restart().impulsive_parts();
  std::erase_if(parts, [&](const ImpulsivePart& part) { return open[at(part.row)] != 0; });
  const TiedPulses ties(system.f, parts);
  std::vector<int> forbidding;
  for (const int row : system.live_constraints) {
    if (!holds_any(system.g, row, open) &&
        impulse_sign(system.g, row, motion.v(), parts, ties) == ImpulseSign::forbidden)
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
