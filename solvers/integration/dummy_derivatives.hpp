#pragma once

#include <span>
#include <vector>

#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// The unknowns of a differentiated plan whose derivatives are not integrated but solved for.
///
/// Of every block of the leading system with equations that are differentiated, as many unknowns are chosen
/// by pivoting, so that these equations can be solved for them: dummy derivatives (Mattsson, Söderlind, SIAM
/// J. Sci. Comput. 14 (1993) 677-692), one level after the other. Entry j of the result says for unknown j
/// (in the order of the blocks) how many of its derivatives, from the highest down, are dummies.
struct DummyDerivatives {
  std::vector<int> unknowns;  ///< rows of S: ẋ, y, ζ
  std::vector<int> orders;    ///< e of each: its highest derivative in the leading system
  std::vector<int> dummies;

  friend bool operator==(const DummyDerivatives&, const DummyDerivatives&) = default;
};

/// Selection at v; `scale` is the size of a step of every row of S. Of pivots of like size, y before x, and of two states the one
/// that moves farther within `duration`, |x| + |ẋ|·duration in units of its scale: of a small voltage beside a large one, whose
/// tolerance is as large, the small one is integrated, which stiff equations ask for. Throws IntegrationFailure where rounding
/// leaves fewer independent columns than rows.
[[nodiscard]] DummyDerivatives select_states(const RowMap& f, const SolutionPlan& plan, int states,
                                             std::span<const double> v, std::span<const double> scale,
                                             double duration);

/// How well the selection still does at v, in (0, 1]: 1 over how much errors of what is integrated come out
/// amplified in what is solved for.
[[nodiscard]] double quality(const DummyDerivatives& selection, const RowMap& f, const SolutionPlan& plan,
                             int states, std::span<const double> v, std::span<const double> scale);

}  // namespace mti
