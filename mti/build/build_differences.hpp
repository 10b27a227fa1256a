#pragma once

#include "mti/build/build_parts.hpp"

namespace mti::building {

/// Differences that decide a binary, and by which a flow is driven that binaries switch, become signals of their own in models
/// that are not affine:
///
///     (1 − 2z)(u − x) <= 0            (1 − 2z) y <= 0
///     C·der(x) = G z (u − x) + …      C·der(x) = G z y + …,      y = u − x
///
/// A state is known to rtol·|x|. Where G is large, u − x is far below that, and integrators of modes that are not affine
/// need y to know its sign (solvers/integration/small_differences.hpp); exact flows of affine modes know it without.
/// Rows keep their values: what is no multiple of the difference remains beside it.
void name_differences(const Declarations& names, text::Elementary& elementary, text::Copies& copies,
                      conditions::Generated& made, Relations& relations);

}  // namespace mti::building
