#pragma once

#include <string>
#include <vector>

#include "mti/multilinear/cp_map.hpp"

namespace mti {

struct Linearization;

/// The ordinary state-space form at a point of a mode of index at most 1:
///
///     δẋ = A δx + B δu,    δy = C δx + D δu
///
/// x are all states, y the declared algebraic signals.
struct StateSpaceForm {
  SparseColumns A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
};

/// Eliminates the algebraic signals of a descriptor form: solves
///
///     [∂f/∂ẋ  ∂f/∂y] (δẋ; δy) = −∂f/∂x δx − ∂f/∂u δu
///
/// block by block in the order of its block triangular form, sparse from row to row; time and memory grow
/// with the entries of the result. Errors, InvalidModel: `no-state-space` where the matrix is not square or
/// singular (index above 1, or the motion is not determined), naming signals and equations; `too-dense` with
/// more than `most_entries` entries of ẋ and y in x and u.
[[nodiscard]] StateSpaceForm state_space(const Linearization& linearization, long most_entries = 20'000'000);

}  // namespace mti
