#pragma once

#include <optional>
#include <vector>

#include "mti/polynomials/polynomial.hpp"

namespace mti::building {

/// Equations in which algebraic signals stand for binaries, as written for the binaries themselves:
///
///     y − b = 0,  L(y, z) = 0    →    y − b = 0,  L(b, z) = 0
///
/// where b is one binary, pre(z) or binary input, and L holds no other signals than such y, b and z. So logic is logic
/// whatever names it uses, and its outputs go along with what determines them. Equations whose numbers depend on
/// directions stay as they are.
void write_named_binaries(std::vector<std::optional<text::Polynomial>>& equations);

}  // namespace mti::building
