#pragma once

#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// How rows of a mode are put together anew where their numbers cancel (solvers/plan/recombination.hpp), one line
/// for each, in order: "node2 is replaced by node1 + node2", "again is left out: 0 = again - 2*gain". A
/// derivative of an equation is written der(name). Empty where nothing is to be done.
[[nodiscard]] std::vector<std::string> recombination_lines(const Model& model, const Mode& mode);

}  // namespace mti
