#pragma once

#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_map.hpp"
#include "solvers/mode_sets/mode_space.hpp"

namespace mti {

/// Row of S of a signal, signals being counted x first, then y.
[[nodiscard]] int row_of_signal(const Signature& signature, int signal);
/// The signal of a row of S: of x, ẋ, y; −1 for others.
[[nodiscard]] int signal_of_row(const Signature& signature, int row);

/// The structure of f(ẋ, x, u, y, z) = 0 in all modes at once.
///
/// Signal j (a state or an algebraic signal; all x, then all y) occurs in equation i in the modes `present`,
/// differentiated in those of `derivative`. An equation takes part where it does not vanish.
struct SymbolicIncidence {
  struct Entry {
    int signal = 0;
    ModeSet present;             ///< it occurs, differentiated or not: σ_ij ≥ 0
    ModeSet derivative;          ///< its derivative occurs: σ_ij = 1
    ModeSet value;               ///< it occurs itself
    ModeSet derivative_product;  ///< its derivative occurs in a product with another signal or input
    ModeSet value_product;       ///< it occurs itself in such a product
  };
  int signals = 0;
  std::vector<ModeSet> active;              ///< one per equation
  std::vector<std::vector<Entry>> entries;  ///< of each equation, ascending by signal
};

/// Freezes symbolically: columns that differ in binary factors only make one coefficient, a function of the
/// mode (solvers/mode_sets/mode_polynomial.hpp); an incidence is there where one of its coefficients does not
/// vanish. Agrees with freezing f mode by mode. Rows of S beyond those of v are copies of the rows `copied`.
[[nodiscard]] SymbolicIncidence symbolic_incidence(const CpMap& f, const Signature& signature,
                                                   const ModeSpace& space, std::span<const int> copied = {});

/// The same with equation i left out in the modes left_out[i]; nothing is if `left_out` is empty.
[[nodiscard]] SymbolicIncidence without_rows(SymbolicIncidence incidence, std::span<const ModeSet> left_out);

/// For the `wanted` rows of f the pairs of modes (z, z') in which it is not the same function of (ẋ, x, u,
/// y): variable k of z is variable 2k of the sets, that of z' is 2k + 1. Nothing for other rows.
[[nodiscard]] std::vector<ModeSet> changed_rows(const CpMap& f, const ModeSpace& space,
                                                const std::vector<char>& wanted);

}  // namespace mti
