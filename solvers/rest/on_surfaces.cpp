#include "solvers/rest/on_surfaces.hpp"

#include <Eigen/Dense>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {

std::vector<int> states_in(const RowMap& g, std::span<const int> rows, std::span<const double> v,
                           const Signature& signature) {
  std::vector<int> states;
  const int first = signature.state_row(0);
  for (const int row : rows)
    g.gradient(row, v, [&](int signal, double) {
      if (signal >= first && signal < first + signature.n()) states.push_back(signal - first);
    });
  return states;
}

void put_on_surfaces(const RowMap& g, std::span<const int> rows, const Signature& signature,
                     std::span<const double> weights, std::span<double> v) {
  constexpr int rounds = 3;  // multilinear in x: a step of Newton's is exact but for products of states
  const int n = signature.n(), first = signature.state_row(0);
  const int algebraic = signature.algebraic_row(0), binaries = signature.binary_row(0);
  for (int round = 0; round < rounds; ++round) {
    std::vector<Eigen::VectorXd> gradients;
    std::vector<double> values;
    for (const int row : rows) {
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
      bool of_states = true;
      g.gradient(row, v, [&](int signal, double slope) {
        if (signal >= first && signal < first + n)
          gradient[signal - first] += slope;
        else if (slope != 0.0 && (signal < first || (signal >= algebraic && signal < binaries)))
          of_states = false;
      });
      if (!of_states || gradient.isZero(0.0)) continue;
      gradients.push_back(std::move(gradient));
      values.push_back(g.value(row, v));
    }
    if (gradients.empty()) return;
    const auto count = static_cast<Eigen::Index>(gradients.size());
    Eigen::MatrixXd J(count, n);
    Eigen::VectorXd residual(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      J.row(i) = gradients[at(i)];
      residual[i] = values[at(i)];
    }
    Eigen::VectorXd scale(n);
    for (int i = 0; i < n; ++i) scale[i] = weights[at(i)];
    const Eigen::MatrixXd scaled = J * scale.asDiagonal();
    const Eigen::VectorXd move =
        scale.asDiagonal() * scaled.completeOrthogonalDecomposition().solve(-residual).eval();
    for (int i = 0; i < n; ++i) v[at(first + i)] += move[i];
  }
}

}  // namespace mti
