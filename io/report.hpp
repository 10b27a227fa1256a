#pragma once

#include <iosfwd>

#include "mti/model.hpp"
#include "solvers/simulate.hpp"
#include "solvers/structure.hpp"
#include "solvers/trajectory.hpp"

namespace mti {

/// Writes a run as one self-contained HTML page: time plots, lanes of the binaries, events, phase plot,
/// block triangular incidence, statistics. Spec 5, "Results".
///
/// The page loads nothing: scripts, styles, the plotting library and the data are in it, and its content
/// security policy forbids every request. All rows of the trajectory are plotted, the two rows of an event
/// included. Names and texts may hold anything; they are shown, never read as HTML.
///
/// `options` are those the run was started with; what they leave unset comes from the model's experiment.
/// Errors: those of `out`, by its state.
void write_report(std::ostream& out, const Model& model, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options = {});

}  // namespace mti
