#pragma once

#include <set>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// Gives values to signals that `mode` does without (mti/model/idle_definitions.hpp), as the argument and the value of a
/// function in a branch that is not taken, which are 0 there: from the equations of the model, one after the other, that hold just one of
/// them, linearly. `v`: one entry per row of S. What no equation gives keeps its value.
void give_absent_signals(const Model& model, const Mode& mode, std::vector<double>& v);

/// The same for these signals, whether the mode does without them or not: auxiliary ones, such as the copies of powers and
/// the arguments of functions, follow so from the others.
void give_signals(const Model& model, std::set<int> open, std::vector<double>& v);

}  // namespace mti
