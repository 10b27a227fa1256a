#pragma once

#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// A row of S of a differentiated map: the order-th derivative of the entry `signal` of v.
struct SignalDerivative {
  int signal = 0;
  int order = 0;

  friend bool operator==(const SignalDerivative&, const SignalDerivative&) = default;
};

/// D^k f, the k-th time derivative of a multilinear function along v(t), again in CP form:
///
///     D f(v) = Σ_b ∂f/∂v_b · dv_b/dt,    dz/dt = 0                                         (8), (9)
///
/// Rows of S: with N entries of v, row l·N + i is the l-th derivative of v_i, l = 0 … k. That of x is not
/// used for l ≥ 1, because x^(l) = ẋ^(l−1) has a row already; nor are those of z, pre(z) and binary inputs.
/// Then follow the copies. Where differentiation puts a signal into a column that holds it already (ẋ·x gives
/// ẋ·ẋ), the second one is its copy, so that the map stays multilinear. No column holds a signal three times,
/// since only x and ẋ can meet: one copy of a row is enough.
///
/// Rows of Φ: the differentiated equations, then copy − original = 0 for every copy.
struct DifferentiatedMap {
  CpMap map;
  int signals = 0;  ///< N
  int states = 0;   ///< n: rows n … 2n − 1 of v are x, with the derivatives in rows 0 … n − 1
  int order = 0;    ///< k
  std::vector<char> constant;  ///< N entries: dv_i/dt = 0
  std::vector<int> copied;     ///< row (k + 1)·N + c is the copy of row copied[c]

  [[nodiscard]] int equations() const noexcept { return map.rows() - static_cast<int>(copied.size()); }
  /// Row of S of a derivative of v_i, order ≤ k (for x: ≤ k + 1).
  [[nodiscard]] int row(SignalDerivative derivative) const;
  /// What stands in a row of S; of a copy what it copies.
  [[nodiscard]] SignalDerivative at(int row) const;
};

/// D^times of the rows `equations` of f. Exact but for the rounding of coefficients; a column of l factors
/// that vary gives l columns, so D^k gives at most l^k, and no factor more than f has.
[[nodiscard]] DifferentiatedMap differentiate(const CpMap& f, std::span<const int> equations,
                                              const Signature& signature, int times = 1);

/// One derivative more.
[[nodiscard]] DifferentiatedMap differentiate(const DifferentiatedMap& f);

}  // namespace mti
