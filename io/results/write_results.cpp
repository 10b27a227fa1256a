#include "io/results/write_results.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

#include "io/files/files.hpp"
#include "io/json/writer.hpp"
#include "io/results/write_explanation.hpp"
#include "mti/common/at.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace mti {
namespace {

using json::in_line;
using json::Writer;

/// {"z1": [0, 1], …}
void write_changes(Writer& out, const Signature& signature, const std::vector<Change>& changes) {
  out.begin_object(in_line);
  for (const Change& change : changes) {
    out.key(signature.row_name(change.row)).begin_array();
    out.value(change.before).value(change.after).end_array();
  }
  out.end_object();
}

void write_alternatives(Writer& out, const Signature& signature,
                        const std::vector<std::vector<Change>>& alternatives) {
  out.begin_array(in_line);
  for (const std::vector<Change>& changes : alternatives) write_changes(out, signature, changes);
  out.end_array();
}

/// {"tau": {"weight": w, "order": 1}, …}; of several orders of one signal the highest, the others in "lower".
void write_impulses(Writer& out, const Signature& signature, const std::vector<Impulse>& impulses) {
  out.begin_object(in_line);
  for (std::size_t i = 0; i < impulses.size();) {
    const int row = impulses[i].row;
    out.key(signature.row_name(row)).begin_object();
    out.member("weight", impulses[i].weight).member("order", impulses[i].order);
    std::size_t next = i + 1;
    if (next < impulses.size() && impulses[next].row == row) {
      out.key("lower").begin_array(in_line);
      for (; next < impulses.size() && impulses[next].row == row; ++next) {
        out.begin_object(in_line).member("weight", impulses[next].weight);
        out.member("order", impulses[next].order).end_object();
      }
      out.end_array();
    }
    out.end_object();
    i = next;
  }
  out.end_object();
}

void write_event(Writer& out, const Model& model, const Event& event) {
  const Signature& signature = model.signature;
  out.begin_object().member("time", event.time).member("kind", to_string(event.kind));
  out.key("constraints").begin_array(in_line);
  for (const int constraint : event.constraints) out.value(model.constraint_names[at(constraint)]);
  out.end_array();
  write_changes(out.key("changed"), signature, event.changed);
  write_changes(out.key("jumps"), signature, event.jumps);
  write_impulses(out.key("impulses"), signature, event.impulses);
  for (const auto& [key, rows] : {std::pair("left", &event.left), std::pair("returned", &event.returned)}) {
    if (rows->empty()) continue;
    out.key(key).begin_array(in_line);
    for (const int row : *rows) out.value(signature.row_name(row));
    out.end_array();
  }
  out.member("candidates_tried", event.candidates_tried);
  write_alternatives(out.key("ties"), signature, event.ties);
  if (!event.steps.empty()) write_alternatives(out.key("steps"), signature, event.steps);
  if (!event.explanation.empty()) write_explanation(out.key("explanation"), event.explanation);
  out.end_object();
}

void write_accumulations(Writer& out, const Model& model, const Trajectory& trajectory) {
  out.begin_array();
  for (const Accumulation& limit : trajectory.accumulations) {
    out.begin_object(in_line).member("time", limit.time).member("ratio", limit.ratio);
    out.member("uncertainty", limit.uncertainty).member("followed", limit.followed);
    out.key("constraints").begin_array(in_line);
    for (const int constraint : limit.constraints) out.value(model.constraint_names[at(constraint)]);
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

std::string_view name_of(LinearSolver solver) {
  switch (solver) {
    case LinearSolver::dense:
      return "dense";
    case LinearSolver::klu:
      return "klu";
    case LinearSolver::automatic:
      break;
  }
  return "auto";
}

void write_options(Writer& out, const Model& model, const SimulationOptions& options) {
  const ResolvedOptions resolved = resolve(model, options);
  out.begin_object();
  out.member("start", resolved.start).member("stop", resolved.stop);
  out.member("rtol", resolved.rtol).member("atol", resolved.atol);
  out.member("output_interval", resolved.output_interval);
  out.member("max_seconds", options.max_seconds);  // null: no limit
  out.member("max_events", options.max_events).member("max_candidates", options.max_candidates);
  out.member("sliding", options.sliding);
  out.member("linear_solver", name_of(options.linear_solver));
  out.end_object();
}

long count_non_finite(const Trajectory& trajectory) {
  long count = 0;
  for (std::size_t i = 0; i < trajectory.size(); ++i)
    count += std::ranges::count_if(trajectory.row(i), [](double value) { return !std::isfinite(value); });
  return count;
}

void write_statistics(Writer& out, const Trajectory& trajectory) {
  const Statistics& statistics = trajectory.statistics;
  out.begin_object();
  out.member("steps", statistics.steps).member("residual_evaluations", statistics.residual_evaluations);
  out.member("jacobian_evaluations", statistics.jacobian_evaluations);
  out.member("error_test_failures", statistics.error_test_failures);
  out.member("events", statistics.events).member("candidates", statistics.candidates);
  out.member("modes_visited", statistics.modes_visited);
  out.member("rows", static_cast<long>(trajectory.size()));
  out.member("non_finite_values", count_non_finite(trajectory));
  out.member("wall_seconds", statistics.wall_seconds);
  out.end_object();
}

}  // namespace

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
  Writer out;
  out.begin_array();
  for (const Event& event : trajectory.events) write_event(out, model, event);
  out.end_array();
  return std::move(out).finish();
}

std::string summary_json(const Model& model, const Trajectory& trajectory, const SimulationOptions& options) {
  Writer out;
  out.begin_object();
  out.member("outcome", to_string(trajectory.outcome.kind)).member("message", trajectory.outcome.message);
  out.member("end_time", trajectory.outcome.end_time);
  if (!trajectory.outcome.explanation.empty())
    write_explanation(out.key("explanation"), trajectory.outcome.explanation);
  write_statistics(out.key("statistics"), trajectory);
  write_accumulations(out.key("accumulations"), model, trajectory);
  out.key("warnings").begin_array();
  for (const std::string& warning : trajectory.warnings) out.value(warning);
  out.end_array();
  out.key("undetermined").begin_array();
  for (const int row : trajectory.undetermined) out.value(model.signature.row_name(row));
  out.end_array();
  out.key("absent").begin_array();
  for (const Absence& absence : trajectory.absences)
    out.begin_object(in_line)
        .member("signal", model.signature.row_name(absence.row))
        .member("from", absence.from)
        .member("to", absence.to)
        .end_object();
  out.end_array();
  write_options(out.key("options"), model, options);
  out.member("model", model.name).member("version", MTI_VERSION);
  out.end_object();
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
