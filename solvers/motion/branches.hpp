#pragma once

#include <span>

#include "solvers/motion/motion.hpp"

namespace mti {

/// The motion has some signal of a nonlinear block clearly elsewhere than `before`, by rows of S, at the same states: the branch
/// that has led there has come to an end, as that of y³ − 3y = x through y = −2 has at x = 2, and the equations have another solution,
/// which nothing leads to.
[[nodiscard]] bool is_on_another_branch(const Motion& motion, const Signature& signature,
                                        std::span<const double> before);

}  // namespace mti
