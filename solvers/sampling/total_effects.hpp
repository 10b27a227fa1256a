#pragma once

#include <span>
#include <vector>

namespace mti {

/// Which parts of the variance of y = f(x_1 … x_d) factors explain, if they are independent:
///
///     S_j = Var(E[y | x_j]) / Var(y)            by itself
///     T_j = E[Var(y | all but x_j)] / Var(y)    by itself and together with others
struct Effects {
  std::vector<double> first_order, total;  ///< d
};

/// From N blocks of d + 2 values: f(A_b), then f of A_b with the j-th factor of B_b for j = 1 … d, then f(B_b), where A_b and B_b are independent:
///
///     S_j ≈ 1 − Σ_b (f(B_b) − f(A_b with B_bj))² / (2 N V),    T_j ≈ Σ_b (f(A_b) − f(A_b with B_bj))² / (2 N V)
///
/// with the variance V of f(A) and f(B); S_j at least 0. Both 0 where y varies in its last digits only. Two blocks or more.
/// Source: [jansen1999], eqs. (10), (11); [saltelli2010], table 2 (b), (f).
[[nodiscard]] Effects effects_of(std::span<const double> y, int factors);

}  // namespace mti
