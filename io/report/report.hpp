#pragma once

#include <iosfwd>
#include <string>

#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/simulation/trajectory.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace mti {

struct MultimodeAnalysis;  // solvers/multimode/multimode_analysis.hpp

/// The structure of all modes as far as a report has it: the analysis, or a sentence that says why there is
/// none. With neither the report is without this section.
struct ReportedModes {
  const MultimodeAnalysis* analysis = nullptr;
  std::string left_out = {};
};

/// Writes a run as one self-contained HTML page: time plots, lanes of the binaries, events, phase plot,
/// block triangular incidence, structure of all modes, statistics.
///
/// The page loads nothing: scripts, styles, the plotting library and the data are in it, and its content
/// security policy forbids every request. All rows of the trajectory are plotted, the two rows of an event
/// included. Names and texts may hold anything; they are shown, never read as HTML.
///
/// `options` are those the run was started with; what they leave unset comes from the model's experiment.
/// Errors: those of `out`, by its state.
void write_report(std::ostream& out, const Model& model, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options = {},
                  const ReportedModes& modes = {});

/// Writes the structure of a model and of all its modes, without a run, as such a page.
void write_structure_report(std::ostream& out, const Model& model, const Structure& structure,
                            const ReportedModes& modes);

}  // namespace mti
