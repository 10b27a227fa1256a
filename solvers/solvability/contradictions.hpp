#pragma once

#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/mode_sets/mode_space.hpp"

namespace mti {

/// Rows of a mode that, with numbers as factors, sum up to "number = 0" where equations and unknowns match: whatever the
/// signals are, the mode has no solution (solvers/plan/recombination.hpp).
struct Contradiction {
  std::vector<int> equations;      ///< of the model, ascending
  std::vector<std::string> lines;  ///< how they are put together (recombination_lines())
  ModeSet where;
};

/// Contradictions in the modes of `among`. Each is found in one mode and holds in all in which the binaries of its equations
/// have the same values. Looked at are `start`, the modes near it by which each binary takes its other value, and others, 64 in
/// all, and fewer of large models: not every contradiction is found, and
/// none of models of discrete time, whose rows are not put together.
[[nodiscard]] std::vector<Contradiction> contradictions(const Model& model, const ModeSpace& space,
                                                        const ModeSet& among, const Mode& start);

}  // namespace mti
