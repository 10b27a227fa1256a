#pragma once

#include <Eigen/Dense>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "mti/source/source.hpp"
#include "tests/solvers/wong_sequences.hpp"

namespace mti::test {

/// E ẋ + A x = b with a start value x⁻ that need not fulfil anything.
///
/// Data are small multiples of 1/4 or sums of products of such, so that what cancels, cancels exactly.
struct RandomPencil {
  Eigen::MatrixXd E, A;
  std::vector<Eigen::VectorXd> b;  ///< b, ḃ, … at t = 0; zero beyond
  Eigen::VectorXd x_minus;
  WongForm form;

  [[nodiscard]] Eigen::Index size() const { return E.rows(); }
};

/// Number of finite eigenvalues that the pattern allows at most: the largest weight of a transversal, where
/// an entry of E counts 1 and one of A alone 0. Less than 0 if there is no transversal.
///
/// Where it is dim V the structural analysis tells the truth: deg det(s E + A) = Σd − Σc.
[[nodiscard]] int structural_degrees_of_freedom(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A);
[[nodiscard]] bool structure_is_faithful(const RandomPencil& pencil);

/// A regular pencil of 2 to 8 signals with the wanted index (1 to 3), sparse, faithful and well conditioned:
/// block triangular with a nilpotent part, or a mechanism M v̇ + K v + Gᵀλ = b with constraints on v or
/// positions; with rows and signals permuted and some of them added to others. Nothing where no draw of this
/// seed is such.
[[nodiscard]] std::optional<RandomPencil> draw_sparse_pencil(int index, unsigned seed);

/// P diag(I, N) Q, P diag(J, I) Q with full random P and Q: no pattern tells its index.
[[nodiscard]] std::optional<RandomPencil> draw_dense_pencil(int index, unsigned seed);

/// "0.5*der(x1) - 1*x2"; zeros left out.
[[nodiscard]] std::string linear_text(const Eigen::RowVectorXd& E_row, const Eigen::RowVectorXd& A_row);
/// The left side of row i.
[[nodiscard]] std::string row_text(const RandomPencil& pencil, Eigen::Index i);
/// x1, x2, …: a state where a column of E (of one of the pencils) holds something, else an algebraic signal.
void declare_signals(const std::vector<const RandomPencil*>& pencils, Source& source);
/// The pencil as a model, with x⁻ as start values and b = const.
[[nodiscard]] Source source_of(const RandomPencil& pencil);

}  // namespace mti::test
