#pragma once

#include "mti/model/model.hpp"
#include "solvers/structure/incidence.hpp"

namespace mti {

/// The unknowns of the successor problem as rows of S: ẋ, then y, then z, in declared order.
[[nodiscard]] Indexed<PatternColumn, SignalRow> successor_unknowns(const Signature& signature);

/// All equations, then all constraints (rows) against successor_unknowns (columns).
[[nodiscard]] Incidence successor_incidence(const Model& model);

}  // namespace mti
