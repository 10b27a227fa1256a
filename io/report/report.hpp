#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/structure/sub_problems.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

struct MultimodeAnalysis;  // solvers/multimode/multimode_analysis.hpp

/// A parameter of the model as a page shows it: as it was written, or the value that replaced it.
struct ReportedParameter {
  std::string name, value;
};

/// What a model does not hold and a report shows beside it. The structure of all modes: the analysis, or a
/// sentence that says why there is none; with neither the report is without this section.
struct ReportContext {
  const MultimodeAnalysis* analysis = nullptr;
  std::string left_out = {};
  std::vector<ReportedParameter> parameters = {};
};

/// Writes a run as one self-contained HTML page: time plots of signals and inputs, lanes of the binaries and
/// binary inputs, constraints over time, events, phase plot, equations, block triangular incidence, structure
/// of all modes, statistics.
///
/// The page loads nothing: scripts, styles, the plotting library and the data are in it, and its content
/// security policy forbids every request. All rows of the trajectory are plotted, the two rows of an event
/// included; of a run of more than 50,000 values some 4,000 points of each signal, extremes and jumps among them. Names and texts may hold anything;
/// they are shown, never read as HTML.
///
/// `options` are those the run was started with; what they leave unset comes from the model's experiment.
/// Errors: those of `out`, by its state.
void write_report(std::ostream& out, const Model& model, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options = {},
                  const ReportContext& context = {});

/// Writes the structure of a model and of all its modes, without a run, as such a page.
void write_structure_report(std::ostream& out, const Model& model, const Structure& structure,
                            const ReportContext& context);

}  // namespace mti
