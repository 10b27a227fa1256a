#pragma once

#include <span>

#include "solvers/blocks/block_system.hpp"

namespace mti {

/// Newton steps in which arguments follow the results of steep functions, for a block in which such functions defeat the linear
/// picture: of φ(a) = −(rest of its row) the step makes the right side, and a is what has that result,
///
///     exp, sinh, cosh,    v_a^p with p > 1,
///
/// if there is one, instead of what the tangent at the last a says. So a current through a diode tells its voltage, exp(40) from
/// where exp(0) is as well as the other way round; where the voltage is what is given, a grows by the logarithm of the step.
/// True if steps became small; the unknowns are near a solution then. Source: Nagel, SPICE2 (1975), sec. 5.3, where junction
/// voltages are limited so.
[[nodiscard]] bool approach_by_inverses(BlockSystem& system, const RowMap& f, const SolutionBlock& block,
                                        std::span<double> v);

}  // namespace mti
