#include "solvers/stepping/rates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/model/delays.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw InvalidOption("bad-option", "derivative", text); }

void append(const SparseColumns& matrix, int row, int column, std::vector<Eigen::Triplet<double>>& entries) {
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      entries.emplace_back(row + static_cast<int>(entry.row()), column + k, entry.value());
}

}  // namespace

LinearizationPoint solved_at(const Model& model, LinearizationPoint point, double t,
                             std::optional<std::span<const double>> x) {
  const Signature& signature = model.signature;
  if (model.is_discrete()) refuse("a model of discrete time has no derivatives");
  require_no_delayed_signals(model, "derivatives at a point");
  if (!std::isfinite(t)) refuse("expected a finite time; found " + text::format_number(t, 9));
  if (x) {
    if (std::ssize(*x) != signature.n())
      refuse("expected " + std::to_string(signature.n()) + " states; found " + std::to_string(x->size()));
    for (int i = 0; i < signature.n(); ++i) {
      const double value = (*x)[at(i)];
      if (!std::isfinite(value))
        refuse("expected finite states; found " + signature.row_name(signature.state_row(i)) + " = " +
               text::format_number(value, 9));
      point.v[at(signature.state_row(i))] = value;
    }
  }
  point.time = t;
  return consistent_point(model, std::move(point));
}

std::vector<double> rates_of(const Model& model, const LinearizationPoint& point) {
  const Signature& signature = model.signature;
  std::vector<double> rates;
  const auto tell = [&](int row) { rates.push_back(point.v[at(row)] + 0.0); };  // no −0
  for (int i = 0; i < signature.n(); ++i) tell(signature.derivative_row(i));
  for (int i = 0; i < signature.p(); ++i)
    if (!signature.algebraic()[at(i)].auxiliary) tell(signature.algebraic_row(i));
  return rates;
}

SparseColumns rates_jacobian(const Model& model, const LinearizationPoint& point) {
  const StateSpaceForm form = state_space(linearize(model, point, {.with_eigenvalues = false}));
  const auto n = static_cast<int>(form.A.rows());
  std::vector<Eigen::Triplet<double>> entries;
  append(form.A, 0, 0, entries);
  append(form.B, 0, n, entries);
  append(form.C, n, 0, entries);
  append(form.D, n, n, entries);
  SparseColumns jacobian(n + static_cast<int>(form.C.rows()), n + static_cast<int>(form.B.cols()));
  jacobian.setFromTriplets(entries.begin(), entries.end());
  return jacobian;
}

}  // namespace mti
