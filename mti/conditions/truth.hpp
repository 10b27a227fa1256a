#pragma once

#include <optional>
#include <vector>

#include "mti/conditions/generated.hpp"
#include "mti/polynomials/polynomial.hpp"

namespace mti::conditions {

/// 1 − c and a − b.
[[nodiscard]] text::Polynomial complement(const text::Polynomial& truth);
[[nodiscard]] text::Polynomial difference(const text::Polynomial& a, const text::Polynomial& b);

/// Polynomials of more binaries than this are not tabulated: 2^k values.
inline constexpr std::size_t kMostTabulated = 10;

/// The symbols of a polynomial of binaries, binary inputs and pre-values alone, ascending; nothing for others.
[[nodiscard]] std::optional<std::vector<text::Symbol>> binaries_of(const text::Polynomial& polynomial);

/// The value where binary i of `binaries` has bit i of `assignment`.
[[nodiscard]] double value_at(const text::Polynomial& polynomial, const std::vector<text::Symbol>& binaries,
                              unsigned assignment);

/// Whether a value that is 0 is another one, or may be, where a parameter differs from its value.
[[nodiscard]] bool may_leave_zero(const text::Polynomial& polynomial,
                                  const std::vector<text::Symbol>& binaries, unsigned assignment);

/// True if the polynomial takes no values but 0 and 1, of at most kMostTabulated binaries.
[[nodiscard]] bool is_truth(const text::Polynomial& polynomial);

/// z or 1 − z of a binary of the model.
[[nodiscard]] std::optional<Literal> literal_of(const text::Polynomial& truth);

/// The multilinear polynomial with these values, `values[assignment]`:  c_A = Σ_{B ⊆ A} (−1)^|A∖B| value_B.
[[nodiscard]] text::Polynomial interpolated(const std::vector<text::Symbol>& binaries,
                                            std::vector<double> values);

}  // namespace mti::conditions
