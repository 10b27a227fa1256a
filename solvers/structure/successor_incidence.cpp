#include "solvers/structure/successor_incidence.hpp"

#include <numeric>

namespace mti {

std::vector<int> successor_unknowns(const Signature& signature) {
  std::vector<int> unknowns;
  unknowns.reserve(signature.n() + signature.p() + signature.q());
  for (int i = 0; i < signature.n(); ++i) unknowns.push_back(signature.derivative_row(i));
  for (int i = 0; i < signature.p(); ++i) unknowns.push_back(signature.algebraic_row(i));
  for (int i = 0; i < signature.q(); ++i) unknowns.push_back(signature.binary_row(i));
  return unknowns;
}

Incidence successor_incidence(const Model& model) {
  const std::vector<int> unknowns = successor_unknowns(model.signature);
  const auto all_rows = [&](const SparseColumns& Phi) {
    std::vector<int> rows(Phi.rows());
    std::iota(rows.begin(), rows.end(), 0);
    return incidence(model.S, Phi, rows, unknowns);
  };
  Incidence result = all_rows(model.Phi_eq);
  const Incidence constraints = all_rows(model.Phi_ineq);
  for (int row = 0; row < constraints.rows(); ++row) result.add_row(constraints.row(row));
  return result;
}

}  // namespace mti
