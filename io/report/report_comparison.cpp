#include "io/report/report_comparison.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/files.hpp"
#include "io/report/report_columns.hpp"
#include "io/report/report_date.hpp"
#include "io/report/report_template.hpp"
#include "io/report/report_text.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw UnusableFile(
      std::vector<Fault>{{.id = "no-results", .pointer = "", .message = message, .file = path}});
}

struct Run {
  std::string name;
  std::vector<std::string> names;  ///< of the columns behind time and side
  std::vector<double> time, side;
  std::vector<std::vector<double>> values;
  Json events = Json::array(), summary;
  std::set<std::string> binaries;
};

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t end = line.find(','); end != std::string_view::npos; end = line.find(',')) {
    cells.push_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  cells.push_back(line);
  return cells;
}

/// NaN for an empty cell; false for text that is no number.
bool read_number(std::string_view cell, double& value) {
  value = std::numeric_limits<double>::quiet_NaN();
  if (cell.empty()) return true;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size();
}

void read_trajectory(const ResultFolder& folder, Run& run) {
  std::string_view rest = folder.trajectory;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto cells = cells_of(line);
    if (number == 1) {
      if (cells.size() < 2 || cells[0] != "time" || cells[1] != "side")
        refuse(folder.path, "trajectory.csv does not begin with the columns time and side");
      run.names.assign(cells.begin() + 2, cells.end());
      run.values.resize(run.names.size());
      continue;
    }
    const std::string place = "trajectory.csv, line " + std::to_string(number) + ": ";
    if (cells.size() != run.names.size() + 2)
      refuse(folder.path, place + "found " + std::to_string(cells.size()) + " values, expected " +
                              std::to_string(run.names.size() + 2));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      double value = 0.0;
      if (!read_number(cells[c], value) || (c < 2 && std::isnan(value)))
        refuse(folder.path, place + "\"" + std::string(cells[c]) + "\" is no number");
      (c == 0 ? run.time : c == 1 ? run.side : run.values[c - 2]).push_back(value);
    }
    if (run.time.size() > 1 && run.time[run.time.size() - 2] > run.time.back())
      refuse(folder.path, place + "the time falls");
  }
  if (run.time.empty()) refuse(folder.path, "trajectory.csv has no row");
}

// The checks throw, as Json does, where a member that the page reads is missing or of another type.

void check_changes(const Json& changes) {
  for (const auto& [name, values] : changes.items()) static_cast<void>(values.at(1));
}

void check_impulse(const Json& impulse) {
  for (const char* key : {"weight", "order"}) static_cast<void>(impulse.at(key));
  for (const Json& lower : impulse.value("lower", Json::array())) check_impulse(lower);
}

void check_event(const Json& event) {
  static_cast<void>(event.at("time").get<double>());
  static_cast<void>(event.at("kind").get<std::string>());
  static_cast<void>(event.at("constraints").get<std::vector<std::string>>());
  static_cast<void>(event.at("candidates_tried").get<long>());
  for (const char* key : {"changed", "jumps"}) check_changes(event.at(key));
  for (const char* key : {"ties", "steps"})
    for (const Json& changes : event.value(key, Json::array())) check_changes(changes);
  for (const auto& [name, impulse] : event.at("impulses").items()) check_impulse(impulse);
}

void read_events(const ResultFolder& folder, Run& run) {
  run.events = Json::parse(folder.events);
  for (Json& event : run.events.get_ref<Json::array_t&>()) {
    check_event(event);
    event.erase("explanation");
    for (const auto& change : event["changed"].items()) run.binaries.insert(change.key());
  }
}

void read_summary(const ResultFolder& folder, Run& run) {
  run.summary = Json::parse(folder.summary);
  for (const char* key : {"outcome", "message", "model", "version"})
    static_cast<void>(run.summary.at(key).get<std::string>());
  static_cast<void>(run.summary.at("end_time").get<double>());
  for (const char* key : {"statistics", "options"}) static_cast<void>(run.summary.at(key));
  run.summary.erase("explanation");
}

Run read_run(const ResultFolder& folder) {
  Run run;
  run.name = folder.name;
  read_trajectory(folder, run);
  const char* file = "events.json";
  try {
    read_events(folder, run);
    file = "summary.json";
    read_summary(folder, run);
  } catch (const nlohmann::json::exception&) {
    refuse(folder.path, std::string(file) + " is not as mti simulate writes it");
  }
  const auto is_bit = [](double value) { return value == 0.0 || value == 1.0; };
  for (std::size_t c = run.names.size(); c-- > 0;) {
    if (run.binaries.contains(run.names[c])) continue;
    if (!std::ranges::all_of(run.values[c], is_bit)) break;
    run.binaries.insert(run.names[c]);
  }
  return run;
}

/// The columns of both runs, those of the first one first.
std::vector<std::string> names_of_both(const Run& first, const Run& second) {
  std::vector<std::string> names = first.names;
  const std::set<std::string> known(names.begin(), names.end());
  for (const std::string& name : second.names)
    if (!known.contains(name)) names.push_back(name);
  return names;
}

void append_run(std::string& text, const Run& run, const std::vector<std::string>& names,
                const std::set<std::string>& binaries) {
  const Json head = {{"name", run.name}, {"summary", run.summary}, {"events", run.events}};
  append_for_script(text, head.dump(-1, ' ', false, Json::error_handler_t::replace));
  text.back() = ',';
  text += "\"time\":";
  append_numbers(text, run.time.size(), [&](std::size_t row) { return run.time[row]; });
  text += ",\"side\":";
  append_numbers(text, run.side.size(), [&](std::size_t row) { return run.side[row]; });
  text += ",\"values\":[";
  std::map<std::string, std::size_t> places;
  for (std::size_t c = 0; c < run.names.size(); ++c) places[run.names[c]] = c;
  std::size_t signals = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += ',';
    const auto place = places.find(names[i]);
    if (place == places.end()) {
      text += "null";
      continue;
    }
    const bool binary = binaries.contains(names[i]);
    const Held held = binary ? Held::changes : held_in_page(run.time.size(), signals++);
    append_held(text, held, run.time.size(), [&](std::size_t row) { return run.values[place->second][row]; });
  }
  text += "]}";
}

std::string comparison_data(const Run& first, const Run& second) {
  std::vector<std::string> names = names_of_both(first, second);
  std::set<std::string> binaries = first.binaries;
  binaries.insert(second.binaries.begin(), second.binaries.end());
  std::stable_partition(names.begin(), names.end(),
                        [&](const std::string& name) { return !binaries.contains(name); });
  const std::size_t rows = std::max(first.time.size(), second.time.size());
  const std::size_t signals =
      at(std::ranges::count_if(names, [&](const std::string& name) { return !binaries.contains(name); }));
  const std::size_t most = std::min(signals, most_signals(rows));
  names.erase(names.begin() + static_cast<std::ptrdiff_t>(most),
              names.begin() + static_cast<std::ptrdiff_t>(signals));
  std::size_t thinned = 0;
  for (std::size_t i = 0; i < most; ++i) thinned += held_in_page(rows, i) == Held::thinned ? 1 : 0;
  Json columns = Json::array();
  for (const std::string& name : names)
    columns.push_back(
        {{"name", name}, {"unit", ""}, {"group", binaries.contains(name) ? "binary" : "signal"}});
  const Json document = {{"model", {{"name", ""}, {"description", ""}}},
                         {"origin", {{"version", MTI_VERSION}, {"date", report_date()}}},
                         {"columns", std::move(columns)},
                         {"columns_left_out", signals - most},
                         {"columns_thinned", thinned}};
  std::string text;
  append_for_script(text, document.dump(-1, ' ', false, Json::error_handler_t::replace));
  text.back() = ',';
  text += "\"runs\":[";
  append_run(text, first, names, binaries);
  text += ',';
  append_run(text, second, names, binaries);
  text += "]}";
  return text;
}

}  // namespace

ResultFolder read_result_folder(const std::filesystem::path& directory, InputFiles* inputs) {
  ResultFolder folder;
  folder.path = directory.string();
  const std::filesystem::path plain = directory.has_filename() ? directory : directory.parent_path();
  folder.name = plain.filename().string();
  for (const auto& [file, text] :
       {std::pair("trajectory.csv", &folder.trajectory), std::pair("events.json", &folder.events),
        std::pair("summary.json", &folder.summary)}) {
    note(inputs, directory / file);
    try {
      *text = read_file(directory / file);
    } catch (const UnusableFile&) {
      refuse(folder.path, "there is no " + std::string(file) + " in this folder: mti simulate MODEL --out " +
                              folder.path + " writes it");
    }
  }
  return folder;
}

void write_comparison(std::ostream& out, ResultFolder first, ResultFolder second) {
  if (first.name == second.name || first.name.empty() || second.name.empty()) {
    first.name = first.path;
    second.name = second.path;
  }
  if (first.name == second.name) second.name += " (second)";
  const Run one = read_run(first);  // before the other: where both are refused, the first is named
  const std::string data = comparison_data(one, read_run(second));
  fill_template(out, first.name + " and " + second.name, data);
}

}  // namespace mti
