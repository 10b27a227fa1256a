#pragma once

#include <vector>

#include "io/json/writer.hpp"
#include "solvers/admissibility/explanation.hpp"

namespace mti {

/// Whether events and outcome are written with why candidates were taken or turned down, where a run has kept it.
enum class WithExplanation { no, yes };

/// [{"step": 1, "changed": {"s": 1}, "accepted": false, "why": "…",
///   "rows": [{"constraint": "c1", "numbers": [[g, ε], [Dg, ε], [D²g, ε]], "deciding": 1}]}, …]
void write_explanation(json::Writer& out, const std::vector<ExplainedCandidate>& candidates);

}  // namespace mti
