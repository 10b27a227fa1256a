#pragma once

#include <vector>

namespace mti {

/// The sum of coefficients that have come together in one column and row, added up exactly and rounded once:
///
///     fl(Σ_i c_i),    0 where |Σ c_i| ≤ 2 n eps Σ' |c_i|, Σ' over those that may have been rounded
///
/// n terms that cancel to rounding count as zero, so that the pattern of Φ is the incidence of the function.
/// Terms that cancel to nothing are none of these: of 1 − 1 + 1e-300 only 1e-300 is left to be judged.
/// Numbers that were written as they are (mti/common/written_number.hpp) were not rounded: 1700000000000001 −
/// 1700000000000000 is 1. `terms` is sorted. Not finite if the sum is not.
[[nodiscard]] double merged_sum(std::vector<double>& terms);

/// Σ_i c_i − `sum`, which rounding has taken from it, where that is a part of the smallest term that matters: of
/// 1e9 + 0.02 the conductance of a load is left to 7 digits. Otherwise 0.
[[nodiscard]] double rest_of(const std::vector<double>& terms, double sum);

}  // namespace mti
