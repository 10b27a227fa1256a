#pragma once

#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// Binaries that occur in equations or laws and that no rule of the model decides, by their indices 0 … q−1,
/// ascending: their values make no difference to
///
/// * a constraint: neither it, nor an equation or law behind its signals holds the binary;
/// * a condition on binaries alone: an invariant, or an equation of binaries (solvers/mode_sets/mode_space.hpp).
///
/// Behind x are the equations that hold ẋ, and those that hold x and no unknown; behind y all that hold y; behind both
/// the laws that hold them; and then what is behind the signals of those. In a run such a binary keeps its start value,
/// unless its equations have no solution.
[[nodiscard]] std::vector<int> undecided_binaries(const Model& model);

}  // namespace mti
