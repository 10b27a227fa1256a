#pragma once

#include <vector>

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/admissibility/switching_problem.hpp"

namespace mti {

/// Why a candidate was turned down, as reasons_of() says (solvers/admissibility/conflicts.hpp), from the numbers of the instant:
/// for modes that are differentiated too, whose equations are all coupled by structure. A binary that only multiplies what
/// vanishes there is no part of a reason: a network of pipes with friction q·|q| begins at q = 0, and in which direction q_k
/// goes off does not depend on the sign of any other flow.
///
/// With ν_o the order of the first Taylor coefficient of a factor that is not zero, a change of factor s from order α on
/// changes its column from order
///
///     α + Σ_{o≠s} min(ν_o, α_o)
///
/// on; a change of equation i from order c_i + k on changes what its block is solved for from stage k on. So it is followed
/// back from the coefficient that decided. A binary changes from order 0 on, and wherever it is not multiplied by a state that is
/// zero, for then it may change the matrix of its block, too, or move states. The other modes then have the same motion up to the
/// order that decided, and no jump, or none.
///
/// Empty, which says nothing: where the motion slides, begins with a jump, or with recombined rows, where the model has laws,
/// and of more than `most_binaries`.
[[nodiscard]] std::vector<std::vector<int>> reasons_at_an_instant(const SwitchingProblem& problem,
                                                                  const Admissibility& verdict);

}  // namespace mti
