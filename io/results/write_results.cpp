#include "io/results/write_results.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "io/json/writer.hpp"
#include "io/results/csv_rows.hpp"
#include "io/results/result_columns.hpp"
#include "io/results/result_stream.hpp"
#include "io/runs/write_events.hpp"
#include "io/runs/write_summary.hpp"

namespace mti {

std::span<const std::string> result_files() {
  static const std::array<std::string, 8> names = {"trajectory.csv",  "events.json",   "summary.json",
                                                   "sensitivity.csv", "report.html",   "results.mat",
                                                   "trajectory.nc",   "trajectory.mat"};
  return names;
}

std::string trajectory_csv(const Model& model, const Trajectory& trajectory) {
  const ResultColumns columns(model, trajectory);
  std::string text = csv_header(columns.names());
  const TextSink sink = [&](std::string_view piece) { text += piece; };
  CsvRows rows(columns.list().size());
  std::vector<double> values(columns.list().size());
  for (std::size_t row = 0; row < trajectory.size(); ++row) {
    columns.read(trajectory, row, values);
    rows.add(trajectory.time(row), trajectory.side(row), values, sink);
  }
  rows.flush(sink);
  return text;
}

std::string events_json(const Model& model, const Trajectory& trajectory) {
  json::Writer out;
  write_events(out, model, trajectory, WithExplanation::yes);
  return std::move(out).finish();
}

std::string summary_json(const Model& model, const Trajectory& trajectory, const SimulationOptions& options) {
  json::Writer out;
  write_summary(out, model, trajectory, options, WithExplanation::yes);
  return std::move(out).finish();
}

void write_results(const std::filesystem::path& directory, const Model& model, const Trajectory& trajectory,
                   const SimulationOptions& options, WithReport with_report, const ReportContext& context) {
  ResultStream results(directory, model, options, with_report);
  results.add(trajectory);
  results.finish(trajectory, with_report, context);
}

}  // namespace mti
