#pragma once

#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/model/model.hpp"
#include "mti/model/sample_reach.hpp"

namespace mti {

/// u_i(t) as it was at a row of a trajectory: at side −1 the limit from the left.
[[nodiscard]] inline double input_at(const Model& model, int input, double time, int side) {
  const double from = side < 0 ? std::nextafter(time, -std::numeric_limits<double>::infinity())
                               : sample_reach(model, time, model.experiment.start);
  return model.inputs[at(input)].piece(from).value(time);
}

}  // namespace mti
