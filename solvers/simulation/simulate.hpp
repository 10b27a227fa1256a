#pragma once

#include "mti/model/model.hpp"
#include "solvers/run_options/simulation_options.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Runs a model from a consistent start to the stop time, through every mode change.
///
/// The model is not changed and no state is kept between calls: two threads may run one model at a time.
/// A run that cannot go on returns what it has with the reason in `outcome`; only options that are not
/// usable throw (InvalidOption, pointer "/experiment/..." or the option's name), and what `observe`,
/// `progress`, `sink` or `warn` throws comes out as it is.
[[nodiscard]] Trajectory simulate(const Model& model, const SimulationOptions& options = {});

}  // namespace mti
