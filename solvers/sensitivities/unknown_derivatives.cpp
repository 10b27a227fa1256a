#include "solvers/sensitivities/unknown_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mti/common/at.hpp"
#include "solvers/derivatives/restart_derivative.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index probes = 4;

/// Right-hand sides, and behind them their summands with signs by which terms that cancel do not: those of two rows differ in
/// one of the probes or another, but for one pair of sixteen.
MatrixXd with_probes(const MatrixXd& right, const MatrixXd& summands) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;
  MatrixXd all(right.rows(), (probes + 1) * right.cols());
  all.leftCols(right.cols()) = right;
  for (Index probe = 0; probe < probes; ++probe)
    for (Index row = 0; row < right.rows(); ++row) {
      const std::uint64_t bits = (static_cast<std::uint64_t>(row) + 1U) * golden;
      const double sign = ((bits >> (60U + static_cast<unsigned>(probe))) & 1U) != 0U ? -1.0 : 1.0;
      all.row(row).segment((probe + 1) * right.cols(), right.cols()) = sign * summands.row(row);
    }
  return all;
}

}  // namespace

std::optional<UnknownDerivatives> complete(LinearisedMode& mode, double t, std::span<const double> w,
                                           std::span<const double> wp, const MatrixXd& x_p,
                                           const MatrixXd& x_size) {
  LinearPoint point;
  mode.evaluate(t, w, wp, point);
  const ModeSystem& system = mode.system();
  const int size = mode.size(), rows = mode.rows(), n = static_cast<int>(x_p.rows());
  // Unknowns: values that are not given, then rates that occur.
  std::vector<int> of_value(at(size), -1), of_rate(at(size), -1);
  int count = 0;
  for (int slot = 0; slot < size; ++slot) {
    const auto [row, order] = mode.unknowns().slots()[at(slot)];
    const auto among = [signal = row](const std::vector<int>& list) {
      return std::ranges::find(list, signal) != list.end();
    };
    const bool given =
        order == 0 && slot < n && !among(system.plan->algebraic_states) && !among(system.undetermined);
    if (!given) of_value[at(slot)] = count++;
  }
  for (int slot = 0; slot < size; ++slot)
    if (mode.differential()[at(slot)] != 0) of_rate[at(slot)] = count++;
  if (count > rows) return std::nullopt;

  std::vector<Eigen::Triplet<double>> entries;
  MatrixXd right = -point.B, summands = point.B.cwiseAbs();
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(rows);
  const auto enter = [&](const Eigen::Triplet<double>& entry, int unknown) {
    if (unknown >= 0) {
      entries.emplace_back(entry.row(), unknown, entry.value());
      scale[entry.row()] = std::max(scale[entry.row()], std::abs(entry.value()));
    } else {
      right.row(entry.row()) -= entry.value() * x_p.row(entry.col());
      summands.row(entry.row()) += std::abs(entry.value()) * x_size.row(entry.col());
    }
  };
  for (const Eigen::Triplet<double>& entry : point.A) enter(entry, of_value[at(entry.col())]);
  for (const Eigen::Triplet<double>& entry : point.E) enter(entry, of_rate[at(entry.col())]);
  for (double& row : scale) row = row > 0.0 ? 1.0 / row : 1.0;
  Eigen::SparseMatrix<double> M(rows, count);
  M.setFromTriplets(entries.begin(), entries.end());
  M = scale.asDiagonal() * M;
  const MatrixXd all = with_probes(scale.asDiagonal() * right, scale.asDiagonal() * summands);
  MatrixXd u;
  constexpr int small = 120;
  if (count == 0) {
    u = MatrixXd::Zero(0, all.cols());
  } else if (rows == count && rows > small) {
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factor(M);
    if (factor.info() != Eigen::Success) return std::nullopt;
    u = factor.solve(all);
  } else {
    const auto solution = solve_scaled(MatrixXd(M), all);
    if (!solution) return std::nullopt;
    u = *solution;
  }
  if (!u.allFinite()) return std::nullopt;
  const Index columns = x_p.cols();
  MatrixXd u_size = u.leftCols(columns).cwiseAbs();
  for (Index probe = 1; probe <= probes; ++probe)
    u_size = u_size.cwiseMax(u.middleCols(probe * columns, columns).cwiseAbs());
  u = MatrixXd(u.leftCols(columns));

  const MatrixXd none = MatrixXd::Zero(size, columns);
  UnknownDerivatives result{none, none, none, none, {}};
  result.w.topRows(n) = x_p;
  result.w_size.topRows(n) = x_size;
  for (int slot = 0; slot < size; ++slot) {
    if (const int i = of_value[at(slot)]; i >= 0) {
      result.w.row(slot) = u.row(i);
      result.w_size.row(slot) = u_size.row(i);
    }
    if (const int i = of_rate[at(slot)]; i >= 0) {
      result.wp.row(slot) = u.row(i);
      result.wp_size.row(slot) = u_size.row(i);
    }
  }
  if (rows > count)
    result.misfit = misfit_of(M * u - scale.asDiagonal() * right,
                              M.cwiseAbs() * u.cwiseAbs() + scale.asDiagonal() * summands);
  return result;
}

}  // namespace mti
