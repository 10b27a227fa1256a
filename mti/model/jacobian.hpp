#pragma once

#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// Rows of S of whole groups of signals: what a Jacobian is taken with respect to.
[[nodiscard]] std::vector<int> derivative_rows(const Signature& signature);
[[nodiscard]] std::vector<int> state_rows(const Signature& signature);
[[nodiscard]] std::vector<int> input_rows(const Signature& signature);
[[nodiscard]] std::vector<int> algebraic_rows(const Signature& signature);
[[nodiscard]] std::vector<int> binary_rows(const Signature& signature);

/// A map f (or g) and its sparse Jacobians with respect to chosen groups of signals, for solvers of one's
/// own:
///
///     ∂f_j/∂v_b = Σ_k Φ_jk · S_bk · Π_{i≠b} (1 − |S_ik| + S_ik v_i)                        (8)
///
///     Jacobian f(model.f(), {derivative_rows(signature), state_rows(signature)});
///     f.evaluate(v);
///     f.value();      // f(v)
///     f.matrix(0);    // ∂f/∂ẋ
///     f.matrix(1);    // ∂f/∂x
///
/// The patterns are fixed when it is made: an entry that is 0 at some point stays stored. `evaluate`
/// allocates nothing and costs time linear in the non-zeros of S and Φ; the matrices stay at their places in
/// memory. A copy is independent of the original: use one in each thread. Source: the paper, equation (8).
class Jacobian {
 public:
  Jacobian() = default;
  /// Column c of matrix(i) belongs to the signal `groups[i][c]`, a row of S; a signal may be in several
  /// groups. Throws InvalidModel (id `index-out-of-range`) for a row that S has not.
  Jacobian(const CpMap& map, std::vector<std::vector<int>> groups);

  /// At v, one entry per row of S.
  void evaluate(std::span<const double> v) noexcept;

  [[nodiscard]] std::span<const double> value() const noexcept { return value_; }
  [[nodiscard]] const SparseColumns& matrix(std::size_t group) const { return matrices_[group]; }
  [[nodiscard]] std::size_t groups() const noexcept { return matrices_.size(); }
  [[nodiscard]] int rows() const noexcept { return kernel_.rows(); }
  [[nodiscard]] int signals() const noexcept { return kernel_.signals(); }

 private:
  CpKernel kernel_;
  CpKernel::Workspace workspace_;
  std::vector<double> value_, entries_;
  std::vector<std::vector<int>> groups_;
  std::vector<SparseColumns> matrices_;
};

}  // namespace mti
