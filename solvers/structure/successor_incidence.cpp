#include "solvers/structure/successor_incidence.hpp"

#include <numeric>

#include "mti/model/jacobian.hpp"

namespace mti {

Indexed<PatternColumn, SignalRow> successor_unknowns(const Signature& signature) {
  return pattern_columns({derivative_rows(signature), algebraic_rows(signature), binary_rows(signature)});
}

Incidence successor_incidence(const Model& model) {
  const Indexed<PatternColumn, SignalRow> unknowns = successor_unknowns(model.signature);
  const auto all_rows = [&](const SparseColumns& Phi) {
    std::vector<int> rows(Phi.rows());
    std::iota(rows.begin(), rows.end(), 0);
    return incidence(model.S, Phi, rows, unknowns);
  };
  Incidence result = all_rows(model.Phi_eq);
  const Incidence constraints = all_rows(model.Phi_ineq);
  for (const PatternRow row : constraints.row_indices()) result.add_row(constraints.row(row));
  return result;
}

}  // namespace mti
