#include "tests/layering/room_rules.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string_view>

#include "tests/layering/type_names.hpp"

namespace mti {
namespace {

namespace fs = std::filesystem;

constexpr int longest_room = 2500;

/// The rooms of each layer, from the lowest to the highest.
const std::map<std::string, std::vector<std::string>, std::less<>>& rooms() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> table = {
      {"mti", {"common",      "functions",  "multilinear", "model",     "source",    "polynomials", "text",
               "clocks",      "conditions", "printing",    "reading",   "delays",    "whens",       "build",
               "derivatives", "components", "forms",       "reduction", "transform", "lifting"}},
      {"solvers", {"budget",      "linear_algebra", "structure",      "partial_assignments",
                   "search",      "eigenvalues",    "mode_sets",      "multimode",
                   "plan",        "surfaces",       "logic",          "mode",
                   "solvability", "blocks",         "delays",         "impulses",
                   "restart",     "laws",           "motion",         "integration",
                   "series",      "flow",           "admissibility",  "rest",
                   "sliding",     "switching",      "accumulation",   "events",
                   "trajectory",  "derivatives",    "initialization", "sensitivities",
                   "run_limits",  "run_options",    "recording",      "instant",
                   "simulation",  "linearization",  "stepping",       "orbits",
                   "equilibria",  "diagnosis",      "sampling",       "identification",
                   "fitting",     "reduced_index"}},
      {"io",
       {"files",
        "json",
        "mat",
        "netcdf",
        "sbml",
        "quantities",
        "kinetics",
        "modelica_text",
        "modelica_expressions",
        "modelica",
        "modelica_writing",
        "model",
        "analysis",
        "runs",
        "report",
        "results",
        "plans",
        "study_plans",
        "study_journals",
        "studies",
        "orbits",
        "identification",
        "fitting"}},
      {"fmi", {"variables", "description", "packaging", "cosimulation", "exchange", "interface"}},
      {"program", {"console", "arguments", "help", "guard", "commands", "mpi"}},
  };
  return table;
}

/// "solvers/mode" for "solvers/logic/outputs.hpp"; empty for a file that stands in no room.
std::string room_of(std::string_view path) {
  const std::size_t first = path.find('/'), second = path.find('/', first + 1);
  return second == std::string_view::npos ? std::string() : std::string(path.substr(0, second));
}

/// The place of a room among those of its layer; −1 for one that the table does not have.
int height_of(const std::string& room) {
  const std::size_t slash = room.find('/');
  if (slash == std::string::npos) return -1;
  const auto layer = rooms().find(room.substr(0, slash));
  if (layer == rooms().end()) return -1;
  const auto found = std::ranges::find(layer->second, room.substr(slash + 1));
  return found == layer->second.end() ? -1 : static_cast<int>(found - layer->second.begin());
}

/// What is about the whole process stands before the rooms of the program, and may use all of them.
bool is_of_process(std::string_view file) {
  return file == "program/main.cpp" || file == "program/study_mpi.cpp" || file == "program/blas_threads.cpp";
}

/// A source belongs to the header of its name, or of the name that its own name begins with (simulation.hpp and
/// simulation_events.cpp). A command of the program is a function, and one header lists all of them.
bool has_header(const std::string& file, const std::set<std::string>& files) {
  if (file.starts_with("program/commands/") && file.ends_with("_command.cpp"))
    return files.contains("program/commands/commands.hpp");
  for (std::string name = file.substr(0, file.size() - 4); name.find('/') != std::string::npos;) {
    if (files.contains(name + ".hpp")) return true;
    const std::size_t end = name.find_last_of("_/");
    if (name[end] == '/') return false;
    name.resize(end);
  }
  return false;
}

/// Every file of a layer stands in a room, rooms stay small, sources have headers.
void check_rooms(const fs::path& root, const std::set<std::string>& files,
                 std::vector<std::string>& violations) {
  std::map<std::string, int> lines;
  for (const std::string& file : files) {
    if (is_of_process(file)) continue;
    if (height_of(room_of(file)) < 0) violations.push_back(file + ": stands in no room of the table");
    if (file.ends_with(".cpp") && !has_header(file, files))
      violations.push_back(file + ": has no header of its name");
    std::ifstream stream(root / file);
    lines[room_of(file)] += static_cast<int>(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'));
  }
  for (const auto& [room, count] : lines)
    if (count > longest_room)
      violations.push_back(room + ": " + std::to_string(count) + " lines, more than " +
                           std::to_string(longest_room));
}

/// A header that includes itself by way of others.
void check_circles(const std::map<std::string, std::vector<std::string>>& includes,
                   std::vector<std::string>& violations) {
  enum class State { unseen, open, done };
  std::map<std::string, State> state;
  const std::function<void(const std::string&)> visit = [&](const std::string& file) {
    state[file] = State::open;
    if (const auto found = includes.find(file); found != includes.end())
      for (const std::string& header : found->second) {
        if (state[header] == State::open)
          violations.push_back(file + ": includes itself by way of " + header);
        if (state[header] == State::unseen) visit(header);
      }
    state[file] = State::done;
  };
  for (const auto& [file, headers] : includes)
    if (state[file] == State::unseen) visit(file);
}

using Includes = std::map<std::string, std::vector<std::string>>;

Includes includes_of(const fs::path& root, const std::set<std::string>& files) {
  static const std::regex include(R"rx(^\s*#\s*include\s*"([^"]+)".*)rx");
  Includes result;
  for (const std::string& file : files) {
    std::ifstream stream(root / file);
    std::smatch match;
    for (std::string line; std::getline(stream, line);)
      if (std::regex_match(line, match, include)) result[file].push_back(match[1]);
  }
  return result;
}

void check_directions(const Includes& includes, std::vector<std::string>& violations) {
  for (const auto& [file, headers] : includes) {
    if (is_of_process(file)) continue;
    for (const std::string& header : headers) {
      const std::string from = room_of(file), to = room_of(header);
      const bool same_layer = file.substr(0, file.find('/')) == header.substr(0, header.find('/'));
      if (same_layer && height_of(to) > height_of(from))
        violations.push_back(file + ": #include of " + header + " goes up, from " + from + " to " + to);
    }
  }
}

}  // namespace

std::vector<std::string> room_violations(const fs::path& root) {
  std::set<std::string> files;
  for (const auto& [layer, names] : rooms()) {
    if (!fs::exists(root / layer)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer))
      if (const auto extension = entry.path().extension(); extension == ".hpp" || extension == ".cpp")
        files.insert(fs::relative(entry.path(), root).generic_string());
  }
  const Includes includes = includes_of(root, files);
  std::vector<std::string> violations;
  check_rooms(root, files, violations);
  check_directions(includes, violations);
  check_circles(includes, violations);
  check_type_names(root, files, violations);
  std::ranges::sort(violations);
  return violations;
}

}  // namespace mti
