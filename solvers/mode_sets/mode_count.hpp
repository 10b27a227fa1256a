#pragma once

#include <span>
#include <string>

#include "solvers/mode_sets/mode_set.hpp"

namespace mti {

/// Number of modes that lie in all of `sets`, of the 2^variables modes there are, in decimal digits: exact,
/// however large.
///
/// Sets that share variables are intersected; the numbers of groups that share none multiply. Errors:
/// std::invalid_argument if a set depends on a variable from `variables` on; ModeSetTooLarge.
[[nodiscard]] std::string count_modes(std::span<const ModeSet> sets, int variables);

}  // namespace mti
