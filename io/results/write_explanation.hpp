#pragma once

#include <vector>

#include "io/json/writer.hpp"
#include "solvers/admissibility/explanation.hpp"

namespace mti {

/// [{"step": 1, "changed": {"s": 1}, "accepted": false, "why": "…",
///   "rows": [{"constraint": "c1", "numbers": [[g, ε], [Dg, ε], [D²g, ε]], "deciding": 1}]}, …]
void write_explanation(json::Writer& out, const std::vector<ExplainedCandidate>& candidates);

}  // namespace mti
