#include "tests/program/expected_run.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace {

using Json = nlohmann::json;
using Differences = std::vector<std::string>;

std::string number(double value) { return Json(value).dump(); }

std::vector<std::string> more_options(const Json& run) {
  std::vector<std::string> words;
  for (const auto& [name, value] : run.items()) {
    if (name == "rtol" || name == "atol") continue;
    std::string option = "--" + name;
    std::replace(option.begin(), option.end(), '_', '-');
    words.push_back(option);
    words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return words;
}

std::set<std::string> accepted_outcomes(const Json& expectation) {
  std::set<std::string> names{expectation.at("outcome").get<std::string>()};
  for (const Json& name : expectation.value("accept_outcomes", Json::array())) names.insert(name);
  return names;
}

void compare_outcome(const SimulationRun& run, const Json& expectation, Differences& differences) {
  const std::string outcome = run.summary.at("outcome");
  if (!accepted_outcomes(expectation).contains(outcome))
    differences.push_back("the outcome is " + outcome + ": " + run.summary.value("message", run.errors));
  if (!expectation.contains("end_time")) return;
  const double aim = expectation.at("end_time"), found = run.summary.at("end_time");
  if (std::abs(found - aim) > expectation.at("tolerances").at("time").get<double>())
    differences.push_back("the run ends at t = " + number(found) + ", not " + number(aim));
}

/// Whether an event of the run is the one expected: {"z": 1} or {"z": [0, 1]} for what changed.
bool is_expected(const Json& event, const Json& expected, double tolerance) {
  if (std::abs(event.at("time").get<double>() - expected.at("time").get<double>()) > tolerance) return false;
  if (expected.contains("kind") && event.at("kind") != expected.at("kind")) return false;
  const Json changes = expected.value("changed", Json::object());
  for (const auto& [name, value] : changes.items()) {
    if (!event.at("changed").contains(name)) return false;
    const Json& change = event.at("changed").at(name);
    if (value.is_array() ? change != value : change.at(1) != value) return false;
  }
  return true;
}

/// Each expected event in turn is found behind the one before; if the list is complete, nothing between.
void compare_events(const SimulationRun& run, const Json& expectation, double tolerance,
                    Differences& differences) {
  std::vector<Json> found;
  for (const Json& event : run.events)
    if (event.at("kind") != "initial") found.push_back(event);
  const Json expected = expectation.value("events", Json::array());
  const bool complete = expectation.value("events_complete", false);
  if (complete && found.size() != expected.size())
    differences.push_back(std::to_string(found.size()) + " events, not " + std::to_string(expected.size()));
  std::size_t next = 0;
  for (const Json& event : expected) {
    const std::size_t last = complete ? std::min(next + 1, found.size()) : found.size();
    std::size_t place = next;
    while (place < last && !is_expected(found[place], event, tolerance)) ++place;
    if (place >= last) {
      differences.push_back("no event " + event.dump() +
                            (next < found.size() ? "; the next one is " + found[next].dump() : ""));
      return;
    }
    next = place + 1;
  }
}

void compare_zeno(const SimulationRun& run, const Json& expectation, Differences& differences) {
  if (!expectation.contains("zeno")) return;
  const double time = expectation.at("zeno").at("time"), tolerance = expectation.at("zeno").at("tolerance");
  const auto close = [&](double found) { return std::abs(found - time) <= tolerance; };
  if (run.summary.at("outcome") == "zeno" && close(run.summary.at("end_time"))) return;
  for (const Json& event : run.events)
    if (event.at("kind") == "zeno" && close(event.at("time"))) return;
  differences.push_back("switches do not accumulate at t = " + number(time));
}

void compare_order(const SimulationRun& run, Differences& differences) {
  for (std::size_t i = 1; i < run.rows.size(); ++i)
    if (run.rows[i].time < run.rows[i - 1].time)
      differences.push_back("time runs back to t = " + number(run.rows[i].time));
  for (std::size_t i = 1; i < run.events.size(); ++i)
    if (run.events[i].at("time") < run.events[i - 1].at("time"))
      differences.push_back("events run back to t = " + run.events[i].at("time").dump());
}

/// The run again, with rows at the times of the samples: output times are an option of the library alone.
void compare_samples(const std::filesystem::path& file, const Json& expectation, double end_time,
                     Differences& differences) {
  const Json& options = expectation.at("run");
  SimulationOptions asked{.rtol = options.at("rtol"), .atol = options.at("atol")};
  if (options.contains("start")) asked.start = options.at("start");
  if (options.contains("stop")) asked.stop = options.at("stop");
  if (options.value("integrator", "") == "ida") asked.integrator = IntegratorChoice::ida;
  std::vector<Json> samples;
  for (const Json& sample : expectation.value("samples", Json::array()))
    if (sample.at("time") <= end_time) samples.push_back(sample);
  if (samples.empty()) return;
  const auto time = [](const Json& sample) { return sample.at("time").get<double>(); };
  std::ranges::sort(samples, {}, time);
  for (const Json& sample : samples)
    if (asked.output_times.empty() || asked.output_times.back() < time(sample))
      asked.output_times.push_back(time(sample));
  const Trajectory trajectory = simulate(read_model(file), asked);
  const Json tolerances = expectation.at("tolerances");
  const double absolute = tolerances.at("abs"), relative = tolerances.at("rel");
  const double rounding = 1e-9 * std::max(std::abs(time(samples.back())), std::abs(end_time));
  std::size_t row = 0;
  for (const Json& sample : samples) {
    while (row + 1 < trajectory.size() && trajectory.time(row + 1) <= time(sample) + rounding) ++row;
    if (trajectory.size() == 0 || std::abs(trajectory.time(row) - time(sample)) > rounding) {
      differences.push_back("no row at t = " + number(time(sample)));
      continue;
    }
    for (const auto& [name, expected] : sample.at("values").items()) {
      const double value = trajectory.value(row, trajectory.column(name)), aim = expected.get<double>();
      if (std::abs(value - aim) > absolute + relative * std::abs(aim) || !std::isfinite(value))
        differences.push_back(name + " at t = " + number(time(sample)) + " is " + number(value) + ", not " +
                              number(aim));
    }
  }
}

}  // namespace

std::vector<std::string> differences(const std::filesystem::path& model, const Json& expectation) {
  Differences differences;
  const Json& options = expectation.at("run");
  const SimulationRun run = simulate(model, options.at("rtol"), options.at("atol"), more_options(options));
  if (run.summary.is_null()) return {"no results: " + run.errors};
  const double end_time = run.summary.at("end_time");
  compare_outcome(run, expectation, differences);
  compare_order(run, differences);
  compare_events(run, expectation, expectation.at("tolerances").at("time"), differences);
  compare_zeno(run, expectation, differences);
  compare_samples(model, expectation, end_time, differences);
  return differences;
}

}  // namespace mti::test
