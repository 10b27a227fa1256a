#include "solvers/linearize.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/cp_kernel.hpp"
#include "mti/freeze.hpp"
#include "solvers/simulate.hpp"

namespace mti {
namespace {

constexpr int largest_dense = 1500;

Mode mode_of(const Signature& signature, std::span<const double> v) {
  Mode mode;
  const auto bit = [&](int row) { return v[static_cast<std::size_t>(row)] > 0.5 ? char{1} : char{0}; };
  for (int i = 0; i < signature.q(); ++i) mode.z.push_back(bit(signature.binary_row(i)));
  for (int i = 0; i < signature.r(); ++i) mode.pre.push_back(bit(signature.pre_row(i)));
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[static_cast<std::size_t>(i)].binary)
      mode.binary_inputs.push_back(bit(signature.input_row(i)));
  return mode;
}

/// Columns of ∂f/∂v for the listed rows of S, times `sign`, for the rows that the mode leaves.
SparseColumns part(const CpKernel& kernel, const std::vector<double>& J, const std::vector<int>& new_row,
                   int rows, const std::vector<int>& signals, double sign) {
  const SparsePattern& pattern = kernel.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t column = 0; column < signals.size(); ++column) {
    if (signals[column] < 0) continue;
    const auto signal = static_cast<std::size_t>(signals[column]);
    for (auto at = static_cast<std::size_t>(pattern.column_start[signal]);
         at < static_cast<std::size_t>(pattern.column_start[signal + 1]); ++at)
      if (J[at] != 0.0)
        entries.emplace_back(new_row[static_cast<std::size_t>(pattern.row[at])], static_cast<int>(column),
                             sign * J[at]);
  }
  SparseColumns matrix(rows, static_cast<int>(signals.size()));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// Eigenvalues of λE − A. With [∂f/∂ẋ ∂f/∂y] regular (index 1) those of the reduced ẋ = A_r x; otherwise by
/// the QZ algorithm on the pencil, infinite ones left out.
void find_eigenvalues(Linearization& result, int n) {
  const auto size = static_cast<int>(result.A.cols());
  if (result.A.rows() != size) {
    result.eigenvalues_note = "the mode has " + std::to_string(result.A.rows()) + " equations for " +
                              std::to_string(size) + " unknowns";
    return;
  }
  if (size > largest_dense) {
    result.eigenvalues_note = "more than " + std::to_string(largest_dense) + " unknowns";
    return;
  }
  const Eigen::MatrixXd E = result.E, A = result.A;
  Eigen::MatrixXd algebraic(size, size);
  algebraic << E.leftCols(n), -A.rightCols(size - n);
  const Eigen::VectorXd row_size = algebraic.cwiseAbs().rowwise().maxCoeff();
  Eigen::VectorXd scale(size);
  for (int i = 0; i < size; ++i) scale[i] = row_size[i] > 0.0 ? 1.0 / row_size[i] : 1.0;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(scale.asDiagonal() * algebraic);
  lu.setThreshold(1e-12);
  if (lu.isInvertible()) {
    const Eigen::MatrixXd rates = lu.solve(scale.asDiagonal() * A.leftCols(n));
    const Eigen::VectorXcd values =
        Eigen::EigenSolver<Eigen::MatrixXd>(rates.topRows(n), false).eigenvalues();
    result.eigenvalues.assign(values.data(), values.data() + values.size());
  } else {
    const Eigen::GeneralizedEigenSolver<Eigen::MatrixXd> solver(A, E, false);
    const double limit = 1e-12 * std::max(A.cwiseAbs().maxCoeff(), 1.0);
    for (int i = 0; i < size; ++i) {
      const double beta = solver.betas()[i];
      if (std::abs(beta) <= limit && std::abs(solver.alphas()[i]) <= limit) {
        result.eigenvalues.clear();
        result.eigenvalues_note = "the pencil is singular: the motion is not determined";
        return;
      }
      if (std::abs(beta) > 1e-9 * std::abs(solver.alphas()[i]))
        result.eigenvalues.push_back(solver.alphas()[i] / beta);
    }
  }
  std::sort(result.eigenvalues.begin(), result.eigenvalues.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  });
  result.eigenvalues_computed = true;
}

}  // namespace

Linearization linearize(const Model& model, std::span<const double> v) {
  const Signature& signature = model.signature;
  Linearization result;
  result.v.assign(v.begin(), v.end());
  const CpMap f = freeze(model.f(), fixed_signals(signature, mode_of(signature, v)));
  const CpKernel kernel(f);
  CpKernel::Workspace workspace = kernel.workspace();
  std::vector<double> value(static_cast<std::size_t>(kernel.rows())), J(kernel.pattern().nonzeros());
  kernel.value_and_jacobian(result.v, value, J, workspace);

  std::vector<char> live(static_cast<std::size_t>(f.rows()), 0);
  for (const int row : kernel.pattern().row) live[static_cast<std::size_t>(row)] = 1;
  std::vector<int> new_row(static_cast<std::size_t>(f.rows()), -1);
  int rows = 0;
  for (std::size_t row = 0; row < live.size(); ++row)
    if (live[row] != 0) {
      new_row[row] = rows++;
      result.equations.push_back(model.equation_names[row]);
    }

  std::vector<int> rates, unknowns, inputs, outputs;
  for (int i = 0; i < signature.n(); ++i) {
    rates.push_back(signature.derivative_row(i));
    unknowns.push_back(signature.state_row(i));
  }
  for (int i = 0; i < signature.p(); ++i) {
    rates.push_back(-1);
    unknowns.push_back(signature.algebraic_row(i));
    if (!signature.algebraic()[static_cast<std::size_t>(i)].auxiliary) outputs.push_back(signature.n() + i);
  }
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[static_cast<std::size_t>(i)].binary) inputs.push_back(signature.input_row(i));
  result.E = part(kernel, J, new_row, rows, rates, 1.0);
  result.A = part(kernel, J, new_row, rows, unknowns, -1.0);
  result.B = part(kernel, J, new_row, rows, inputs, -1.0);
  result.C = SparseColumns(static_cast<int>(outputs.size()), static_cast<int>(unknowns.size()));
  for (std::size_t i = 0; i < outputs.size(); ++i) result.C.insert(static_cast<int>(i), outputs[i]) = 1.0;
  result.C.makeCompressed();
  result.D = SparseColumns(static_cast<int>(outputs.size()), static_cast<int>(inputs.size()));
  for (const int row : unknowns) result.unknowns.push_back(signature.row_name(row));
  for (const int row : inputs) result.inputs.push_back(signature.row_name(row));
  for (const int output : outputs)
    result.outputs.push_back(result.unknowns[static_cast<std::size_t>(output)]);
  find_eigenvalues(result, signature.n());
  return result;
}

Linearization linearize(const Model& model, double time) {
  SimulationOptions options;
  options.stop = time;
  options.output_interval = std::max(time - model.experiment.start, 1.0);
  const Trajectory run = simulate(model, options);
  if (run.outcome.kind != OutcomeKind::reached_stop)
    throw InvalidModel("not-reached", "/experiment/stop",
                       "no consistent point at t = " + std::to_string(time) + ": " + run.outcome.message);
  Linearization result = linearize(model, run.end_point);
  result.time = time;
  return result;
}

}  // namespace mti
