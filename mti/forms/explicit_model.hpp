#pragma once

#include <Eigen/Core>

#include <optional>
#include <vector>

#include "mti/multilinear/cp_map.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// What the signals of a form in matrices are called and where they start. A list that is empty is made as
/// long as the matrices need: x1, x2, …, u1, u2, …, y1, y2, …, all 0.
struct FormSignals {
  std::vector<StateSource> states = {};
  std::vector<InputSource> inputs = {};
  std::vector<AlgebraicSource> outputs = {};
};

/// ẋ = F(x, u), y = G(x, u) from a structure matrix and a parameter matrix (CPN1):
///
///     (F; G)_j = Σ_k phi_jk · Π_i (1 − |U_ik| + U_ik w_i),    w = (x, u)
///
/// U is (n + m) × R with entries from −1 to 1, phi is (n + p) × R. `states` is n; it is not needed where
/// `signals.states` are given. build() of the result reports what does not fit.
[[nodiscard]] Source explicit_model(const SparseColumns& U, const SparseColumns& phi, int states,
                                    FormSignals signals = {});

/// The same from CP factors of any scale:
///
///     (F; G)_j = Σ_k phi_jk · lambda_k · Π_i (U⁽ⁱ⁾_1k + U⁽ⁱ⁾_2k w_i),    w = (x, u)
///
/// One 2 × R matrix U⁽ⁱ⁾ for each of w; phi is (n + p) × R; lambda has R entries, or none for ones.
[[nodiscard]] Source explicit_model(const std::vector<Eigen::MatrixXd>& U, const Eigen::VectorXd& lambda,
                                    const Eigen::MatrixXd& phi, int states, FormSignals signals = {});

/// A linear model E ẋ = A x + B u, y = C x + D u; without E, ẋ = A x + B u.
struct StateSpace {
  SparseColumns A, B, C, D;
  std::optional<SparseColumns> E = {};
};
[[nodiscard]] Source linear_model(const StateSpace& matrices, FormSignals signals = {});

}  // namespace mti
