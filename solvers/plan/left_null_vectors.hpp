#pragma once

#include <utility>
#include <vector>

#include "mti/common/index.hpp"
#include "solvers/plan/jet_polynomial.hpp"

namespace mti {

/// A row of the matrix of polynomials whose dependences are sought.
using MatrixRow = IndexOf<struct MatrixRowTag>;

/// Numbers u with Σ_i u_i · row_i = 0, up to rounding.
struct LeftNullVector {
  MatrixRow pivot;  ///< a row with u = 1 whose level is the lowest of those that take part
  std::vector<std::pair<MatrixRow, double>> others =
      {};  ///< the other rows that take part, ascending, and their u
};

/// The number of at most 20 binary digits that is nearest to u: of whole numbers below 2^20, in units of any power
/// of 2, they themselves.
[[nodiscard]] double with_few_digits(double u);

/// All vectors of numbers u that make the combinations Σ_i u_i · rows[i][j] vanish for every j, where rows[i]
/// is a list of polynomials: a dependence that holds at every point.
///
/// A basis in which no vector holds the pivot of another; pivots have the lowest of the `levels` of the rows
/// in their vector. A row with a monomial that no other row has takes no part, nor does a row that has one
/// when those are gone, and so on, so that where rows are independent and sparse this is soon known; rows
/// that remain are eliminated densely, rows and monomials in units of their own
/// (solvers/linear_algebra/binary_scales.hpp), so that what is found does not depend on the units of rows and
/// signals. Nothing is found among more than 400 of those.
[[nodiscard]] std::vector<LeftNullVector> left_null_vectors(
    const Indexed<MatrixRow, std::vector<JetPolynomial>>& rows, const Indexed<MatrixRow, int>& levels);

}  // namespace mti
