#pragma once

#include <vector>

#include "mti/common/index.hpp"
#include "solvers/plan/jet_polynomial.hpp"
#include "solvers/plan/recombination.hpp"

namespace mti {

/// Rows as they stand, with what they were put together from.
struct CombinedRows {
  const Indexed<EquationRow, JetPolynomial>& rows;
  const Indexed<EquationRow, std::vector<EquationRow>>& origins;
  const Indexed<EquationRow, Recombination::DiracParts>& dirac_parts;
};

struct Combination {
  Recombination::Step step;
  JetPolynomial row;
  Recombination::DiracParts dirac;
};

/// Σ factor · D^times of the equations in the place of the first, with the Dirac parts that this leaves.
[[nodiscard]] Combination combine(const std::vector<Recombination::Step::Part>& parts,
                                  const CombinedRows& from, const JetRules& rules);

}  // namespace mti
