#include "io/report/report.hpp"

#include "io/report/report_data.hpp"
#include "io/report/report_run.hpp"
#include "io/report/report_template.hpp"

namespace mti {

void write_report(std::ostream& out, const Model& model, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options,
                  const ReportContext& context) {
  fill_template(out, model.name, report_data(model, trajectory, structure, options, context));
}

void write_report(std::ostream& out, const Model& model, const ReportRun& run, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options,
                  const ReportContext& context) {
  fill_template(out, model.name, report_data(model, run, trajectory, structure, options, context));
}

void write_structure_report(std::ostream& out, const Model& model, const Structure& structure,
                            const ReportContext& context) {
  fill_template(out, model.name, structure_report_data(model, structure, context));
}

}  // namespace mti
