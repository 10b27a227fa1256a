#include "tests/solvers/considered_modes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"

namespace mti::test {
namespace {

bool is_binary(const Signature& signature, int row) {
  if (row >= signature.binary_row(0)) return true;
  return row >= signature.input_row(0) && row < signature.algebraic_row(0) &&
         signature.inputs()[at(row - signature.input_row(0))].binary;
}

double value_of(const Model& model, const SparseColumns& Phi, int row, const std::vector<double>& v) {
  double sum = 0.0;
  for (int k = 0; k < Phi.cols(); ++k) {
    double product = Phi.coeff(row, k);
    if (product == 0.0) continue;
    for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor)
      product *= 1.0 - std::abs(factor.value()) + factor.value() * v[at(factor.row())];
    sum += product;
  }
  return sum;
}

}  // namespace

bool holds_binaries_only(const Model& model, const SparseColumns& Phi, int row) {
  bool some = false;
  for (int k = 0; k < Phi.cols(); ++k) {
    if (Phi.coeff(row, k) == 0.0) continue;
    for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor) {
      if (!is_binary(model.signature, static_cast<int>(factor.row()))) return false;
      some = true;
    }
  }
  return some;
}

bool is_considered(const Model& model, const Mode& mode) {
  std::vector<double> v(at(model.signature.size()), 0.0);
  write_mode(model.signature, mode, v);
  const auto is_set = [&](int row) { return v[at(row)] != 0.0; };
  if (!std::all_of(model.invariants.begin(), model.invariants.end(),
                   [&](const BooleanFormula& formula) { return formula.evaluate(is_set); }))
    return false;
  // The coefficients are numbers of one to two digits: what is not rounding is at least 1e-3.
  constexpr double rounding = 1e-9;
  for (int row = 0; row < model.equations(); ++row)
    if (holds_binaries_only(model, model.Phi_eq, row) &&
        std::abs(value_of(model, model.Phi_eq, row, v)) > rounding)
      return false;
  for (int row = 0; row < model.constraints(); ++row)
    if (holds_binaries_only(model, model.Phi_ineq, row) && value_of(model, model.Phi_ineq, row, v) > rounding)
      return false;
  return true;
}

}  // namespace mti::test
