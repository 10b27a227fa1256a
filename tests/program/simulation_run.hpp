#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace mti::test {

/// What `mti simulate` left behind: its exit status and the files of its result directory.
struct SimulationRun {  // NOLINT(bugprone-exception-escape): moving nlohmann::json is noexcept
  struct Row {
    double time = 0.0;
    int side = 0;
    std::vector<double> values;
  };

  int status = -1;
  std::string errors;
  nlohmann::json summary, events;
  std::vector<std::string> names;  ///< columns of trajectory.csv after time and side
  std::vector<Row> rows;

  [[nodiscard]] double value(const Row& row, const std::string& name) const;
  /// The row closest to `time`, the last of several: the right limit, if it is an event. Throws if no row is
  /// there to 1e-9 relative.
  [[nodiscard]] const Row& at(double time) const;
};

/// Names and rows of a trajectory.csv.
void read_trajectory(const std::filesystem::path& path, SimulationRun& run);

/// `mti simulate MODEL --no-report --quiet --rtol … --atol … MORE` in a directory of its own.
[[nodiscard]] SimulationRun simulate(const std::filesystem::path& model, double rtol, double atol,
                                     const std::vector<std::string>& more = {});
/// The same for a model made in the test; `files` are written beside it.
[[nodiscard]] SimulationRun simulate(const nlohmann::json& model, double rtol, double atol,
                                     const std::map<std::string, std::string>& files = {});

/// Binaries that took new values at one instant.
struct Switch {
  double time = 0.0;
  std::map<std::string, int> changed = {};
};

/// Events after the start that changed one of `binaries`, without what else they changed.
[[nodiscard]] std::vector<Switch> switches(const SimulationRun& run, const std::set<std::string>& binaries);

[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace mti::test
