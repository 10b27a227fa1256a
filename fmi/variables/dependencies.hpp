#pragma once

#include <vector>

#include "mti/model/model.hpp"

namespace mti::fmi {

/// What signals of one part of a model can depend on, in any mode.
struct PartOfModel {
  std::vector<int> states;  ///< ascending
  std::vector<int> inputs;
};

struct Parts {
  std::vector<PartOfModel> parts;
  std::vector<int> of_state;  ///< which part each state is in
};

/// Two signals are in one part if rows of f or g, laws or invariants lead from one to the other, a state and its derivative
/// being one; known inputs connect nothing. A mode solves with some of these rows and their derivatives, on surfaces
/// too, so that der(x) depends on no states and inputs but those of its part, whatever the mode and its index.
[[nodiscard]] Parts parts_of(const Model& model);

}  // namespace mti::fmi
