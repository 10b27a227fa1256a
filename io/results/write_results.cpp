#include "io/results/write_results.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

#include "io/files/files.hpp"
#include "io/json/writer.hpp"
#include "io/runs/write_events.hpp"
#include "io/runs/write_summary.hpp"
#include "mti/common/at.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace mti {

std::span<const std::string> result_files() {
  static const std::array<std::string, 5> names = {"trajectory.csv", "events.json", "summary.json",
                                                   "report.html", "results.mat"};
  return names;
}

void write_trajectory_csv(const Trajectory& trajectory, const std::function<void(std::string_view)>& sink) {
  constexpr std::size_t longest_number = 25;  // of a double in shortest form, with its comma
  constexpr std::size_t block = 1 << 20;
  std::string text = "time,side";
  for (const std::string& name : trajectory.names()) text.append(1, ',').append(name);
  text += '\n';
  std::string line((trajectory.columns() + 2) * longest_number, '\0');
  char* const line_end = line.data() + line.size();
  text.reserve(block + line.size());
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    char* place = std::to_chars(line.data(), line_end, trajectory.time(i)).ptr;
    *place++ = ',';
    place = std::to_chars(place, line_end, trajectory.side(i)).ptr;
    for (const double value : trajectory.row(i)) {
      *place++ = ',';
      if (std::isfinite(value)) place = std::to_chars(place, line_end, value).ptr;
    }
    *place++ = '\n';
    text.append(line.data(), at(place - line.data()));
    if (text.size() < block) continue;
    sink(text);
    text.clear();
  }
  sink(text);
}

std::string trajectory_csv(const Trajectory& trajectory) {
  std::string text;
  write_trajectory_csv(trajectory, [&](std::string_view piece) { text += piece; });
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
  const std::string events = events_json(model, trajectory);
  const std::string summary = summary_json(model, trajectory, options);
  std::vector<NamedText> files = {
      {"trajectory.csv", {}, [&](const TextSink& sink) { write_trajectory_csv(trajectory, sink); }},
      {"events.json", events},
      {"summary.json", summary}};
  std::ostringstream report;
  if (with_report == WithReport::yes) {
    write_report(report, model, trajectory, analyze_structure(model), options, context);
    files.push_back({"report.html", report.view()});
  }
  std::vector<std::string> superseded;
  if (with_report == WithReport::no &&
      begins_with(directory / "report.html", R"(name="generator" content="mti")"))
    superseded.emplace_back("report.html");
  if (begins_with(directory / "results.mat", "written by mti")) superseded.emplace_back("results.mat");
  write_files(directory, files, superseded);
}

}  // namespace mti
