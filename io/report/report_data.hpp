#pragma once

#include <string>

#include "io/report/report.hpp"
#include "io/report/report_run.hpp"
#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/structure/sub_problems.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// What the scripts of a report work on, as JSON:
///
///     {"model": {name, description, sizes}, "origin": {version, date, discrete, time_unit}, "equations",
///      "parameters": [[name, value], ...], "summary", "events": what summary.json and events.json hold,
///      "columns": [{name, unit, group}], "time": [...], "side": [...], "values": [[column 0], ...],
///      "structure": {rows: [{name, kind, unknowns: [positions]}], unknowns: [{name}], blocks: [...], ...}}
///
/// Columns of auxiliary signals are left out, as in trajectory.csv; inputs are added. How the values of large
/// runs are thinned is said in io/report/report_run.hpp ("columns_thinned", "columns_left_out": how many
/// columns). "equations" is {"text"} or {"left_out": why}. Numbers are the shortest that read back the same;
/// those that are not finite are null. Every '<' is written as an escape, so that the text can stand in a
/// <script> element whatever the names are.
///
/// Each of "values", and each of the "values" of "constraints", is [value at every row, …] or, of binary signals and
/// where a run is thinned, {"rows": […], "values": […]}; "constraints" has "names", "unknown": [[name, why], …] and
/// "left_out" beside them. "time" and "side" have those rows of the run at which something is held. Of many events some
/// are left out ("events_gap", io/report/report_events.hpp).
/// "matrices" is what io/report/report_matrices.hpp says.
/// "all_modes" is what io/report/report_modes.hpp says, {"left_out": why} or missing.
[[nodiscard]] std::string report_data(const Model& model, const Trajectory& trajectory,
                                      const Structure& structure, const SimulationOptions& options,
                                      const ReportContext& context = {});

/// The same of a run whose rows and events went into `run`; `trajectory` has the rest.
[[nodiscard]] std::string report_data(const Model& model, const ReportRun& run, const Trajectory& trajectory,
                                      const Structure& structure, const SimulationOptions& options,
                                      const ReportContext& context);

/// The same without a run: no "summary", no columns, rows and events.
[[nodiscard]] std::string structure_report_data(const Model& model, const Structure& structure,
                                                const ReportContext& context);

}  // namespace mti
