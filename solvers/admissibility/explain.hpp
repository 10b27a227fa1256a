#pragma once

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/admissibility/explanation.hpp"

namespace mti {

/// A verdict with the numbers it rests on, (20) to (25) of the paper and higher derivatives where they
/// decide. `before` is z⁻; `instant` that of the verdict.
[[nodiscard]] ExplainedCandidate explain(const Admissibility& verdict, const Model& model,
                                         const Instant& instant, const Mode& before);

}  // namespace mti
