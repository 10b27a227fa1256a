#include "tests/program/simulation_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "mti/common/at.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace {

std::string exact_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

SimulationRun simulate_in(const TemporaryDirectory& directory, const std::filesystem::path& model,
                          double rtol, double atol, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"simulate", model.string(),  "--no-report", "--quiet",
                                    "--out",    "results",       "--rtol",      exact_text(rtol),
                                    "--atol",   exact_text(atol)};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramResult result = run_program(words, directory.path());
  SimulationRun run;
  run.status = result.status;
  run.errors = result.err;
  const std::filesystem::path results = directory.path() / "results";
  if (!std::filesystem::exists(results / "summary.json")) return run;
  run.summary = read_json(results / "summary.json");
  run.events = read_json(results / "events.json");
  read_trajectory(results / "trajectory.csv", run);
  return run;
}

}  // namespace

void read_trajectory(const std::filesystem::path& path, SimulationRun& run) {
  const std::vector<std::string> lines = lines_of(read_text(path));
  const std::vector<std::string> header = cells_of(lines.at(0));
  run.names.assign(header.begin() + 2, header.end());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of(lines[i]);
    if (cells.size() != header.size()) throw std::runtime_error("ragged row: " + lines[i]);
    SimulationRun::Row row{std::stod(cells[0]), std::stoi(cells[1]), {}};
    for (std::size_t k = 2; k < cells.size(); ++k)
      row.values.push_back(cells[k].empty() ? std::nan("") : std::stod(cells[k]));
    run.rows.push_back(std::move(row));
  }
}

double SimulationRun::value(const Row& row, const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::runtime_error("no column " + name);
  return row.values.at(at(found - names.begin()));
}

const SimulationRun::Row& SimulationRun::at(double time) const {
  const auto distance = [&](const Row& row) { return std::abs(row.time - time); };
  const auto found = std::min_element(rows.rbegin(), rows.rend(),
                                      [&](const Row& a, const Row& b) { return distance(a) < distance(b); });
  const double tolerance = 1e-9 * std::max(std::abs(time), std::abs(rows.at(rows.size() - 1).time));
  if (distance(*found) > tolerance) throw std::runtime_error("no row at t = " + exact_text(time));
  return *found;
}

SimulationRun simulate(const std::filesystem::path& model, double rtol, double atol,
                       const std::vector<std::string>& more) {
  return simulate_in(TemporaryDirectory(), model, rtol, atol, more);
}

SimulationRun simulate(const nlohmann::json& model, double rtol, double atol,
                       const std::map<std::string, std::string>& files) {
  const TemporaryDirectory directory;
  for (const auto& [name, text] : files) directory.write(name, text);
  return simulate_in(directory, directory.write("model.json", model.dump()), rtol, atol, {});
}

std::vector<Switch> switches(const SimulationRun& run, const std::set<std::string>& binaries) {
  std::vector<Switch> found;
  for (const nlohmann::json& event : run.events) {
    if (event.at("kind") == "initial") continue;
    Switch entry{event.at("time").get<double>()};
    for (const auto& [name, change] : event.at("changed").items())
      if (binaries.contains(name)) entry.changed[name] = change.at(1).get<int>();
    if (!entry.changed.empty()) found.push_back(std::move(entry));
  }
  return found;
}

nlohmann::json read_json(const std::filesystem::path& path) { return nlohmann::json::parse(read_text(path)); }

}  // namespace mti::test
