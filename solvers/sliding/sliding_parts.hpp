#pragma once

#include <span>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"

namespace mti {

/// The parts of A that can be decided one after the other where motions slide: whether a surface of one part is pressed
/// on depends on its own binaries and on those of earlier parts. `first` is the verdict on the mode in which A is still to
/// be decided, `A` is ascending.
///
/// A binary depends on those that occur in a row of g or of logic with it, or in one on the same surface, and on those that
/// decide the slope Ds of its rows; parts are the strongly connected components of that. Relays that see each other by Dⁿs with n > 1 are parts of
/// their own. All of A is one part where the mode does not tell what depends on what.
[[nodiscard]] std::vector<std::vector<int>> sliding_parts(const SwitchingProblem& problem,
                                                          std::span<const int> A, const Admissibility& first);

}  // namespace mti
