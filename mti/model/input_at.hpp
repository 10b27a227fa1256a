#pragma once

#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/model/model.hpp"
#include "mti/model/sample_reach.hpp"

namespace mti {

/// u_i(t) as it was at a row of a trajectory: at side −1 the limit from the left, but where the run begins what it begins with.
[[nodiscard]] inline double input_at(const Model& model, int input, double time, int side,
                                     double begin = -std::numeric_limits<double>::infinity()) {
  const double from = side < 0 && time > begin
                          ? std::nextafter(time, -std::numeric_limits<double>::infinity())
                          : sample_reach(model, time, model.experiment.start);
  return model.inputs[at(input)].piece(from).value(time);
}

}  // namespace mti
