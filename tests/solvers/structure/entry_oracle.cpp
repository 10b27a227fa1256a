#include "tests/solvers/structure/entry_oracle.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "tests/solvers/dense_algebra.hpp"

namespace mti::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

/// Modes that are discarded: rank decisions that are not clear, and data that lose more digits than are
/// between the two sizes below.
constexpr double least_clearance = 1e-4, most_doubt = 1e-12, most_condition = 1e4;
/// A number of order one times the condition in rounding errors is zero; what is there is far above.
constexpr double rounding = 1e-10, clear = 1e-6;

LinearEntry::Size size_of(const RowVectorXd& row) {
  const double size = row.size() == 0 ? 0.0 : row.cwiseAbs().maxCoeff();
  if (size < rounding) return LinearEntry::Size::zero;
  return size > clear ? LinearEntry::Size::some : LinearEntry::Size::doubtful;
}

std::vector<LinearEntry::Size> sizes_of(const MatrixXd& rows, Index count) {
  std::vector<LinearEntry::Size> sizes;
  for (Index i = 0; i < count; ++i) sizes.push_back(size_of(rows.row(i)));
  return sizes;
}

MatrixXd kernel(const MatrixXd& M) {
  if (M.rows() == 0 || M.cols() == 0) return MatrixXd::Identity(M.cols(), M.cols());
  const SingularValues svd = singular_values(M);
  Index rank = 0;
  while (rank < svd.values.size() && svd.values[rank] > rounding) ++rank;
  return svd.V.rightCols(M.cols() - rank);
}

}  // namespace

std::optional<LinearMode> linear_mode(const RandomLinearModel& random, const Model& model, unsigned bits) {
  LinearMode mode{
      .numbers = random.numbers(bits), .form = {}, .velocity = {}, .leading = {}, .structure = {}};
  mode.structure = analyze_mode(model, random.mode(bits));
  const Index size = random.signals();
  if (mode.structure.singular || static_cast<Index>(mode.structure.equations.size()) != size) return {};
  const auto& [E, A, b] = mode.numbers;
  MatrixXd with_one_E = MatrixXd::Zero(size + 1, size + 1), with_one_A = with_one_E;
  with_one_E.topLeftCorner(size, size) = E;
  with_one_E(size, size) = 1.0;
  with_one_A.topLeftCorner(size, size) = A;
  with_one_A.col(size).head(size) = -b;
  const std::optional<WongForm> form = wong_form(with_one_E, with_one_A);
  if (!form || form->V.cols() != mode.structure.degrees_of_freedom + 1) return {};
  if (form->clearance < least_clearance || form->doubt > most_doubt || form->condition > most_condition)
    return {};
  mode.form = *form;
  mode.velocity = -form->V * form->J * form->T_inverse.topRows(form->V.cols());
  mode.leading = MatrixXd::Zero(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j) {
      const int order = mode.structure.d[at(j)] - mode.structure.c[at(i)];
      if (order == 1) mode.leading(i, j) = E(i, j);
      if (order == 0) mode.leading(i, j) = A(i, j);
    }
  return mode;
}

namespace {

/// The `order`-th derivative of row i, of values consistent in another mode that go on with `velocity`.
RowVectorXd derivative(const RandomLinearModel::Numbers& numbers, Index i, const MatrixXd& velocity,
                       int order) {
  const Index size = numbers.E.rows();
  RowVectorXd row(size + 1);
  row << numbers.A.row(i), -numbers.b[i];
  row += numbers.E.row(i) * velocity.topRows(size);
  for (; order > 0; --order) row = row * velocity;
  return row;
}

}  // namespace

LinearEntry linear_entry(const LinearMode& before, const LinearMode& after) {
  const Index size = after.numbers.E.rows(), fast = after.form.W.cols();
  const auto c = [&](Index i) { return after.structure.c[at(i)]; };
  MatrixXd values = before.form.V;
  for (Index i = 0; i < size; ++i)
    for (int order = 0; order + 1 < c(i); ++order)
      values = values * kernel(derivative(after.numbers, i, before.velocity, order) * values);
  const MatrixXd lost = (after.form.T_inverse * values).bottomRows(fast);
  const MatrixXd& N = after.form.N;

  LinearEntry entry;
  entry.dimension = static_cast<int>(values.cols());
  entry.jumps = sizes_of(after.form.W * lost, size);
  entry.impulses = sizes_of(after.form.W * N * lost, size);
  entry.higher = size_of((N * N * lost).reshaped().transpose());
  for (Index i = 0; i < size; ++i)
    entry.residuals.push_back(
        c(i) == 0 ? LinearEntry::Size::zero
                  : size_of(derivative(after.numbers, i, before.velocity, c(i) - 1) * values));
  return entry;
}

}  // namespace mti::test
