#include "tests/layering/rules.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <regex>
#include <string_view>

#include "mti/common/at.hpp"

namespace mti {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> layers = {"mti", "solvers", "io", "fmi", "program", "python"};
/// Layers beside each other use what is before both.
constexpr std::array<std::string_view, 2> beside = {"program", "python"};
constexpr std::array<std::string_view, 3> users = {"tests", "bench", "examples"};
constexpr int longest_file = 400;

/// Headers of a library and the files that may include them.
struct Library {
  std::string_view name;
  std::regex headers;
  std::regex users;
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> table = {
      {"the standard library", std::regex("[a-z0-9_]+"), std::regex(".*")},
      {"Eigen", std::regex("Eigen/.*"), std::regex(".*")},
      {"PEGTL", std::regex("tao/.*"),
       std::regex("mti/text/(grammar_parts\\.hpp|[^/]*\\.cpp)|io/modelica_text/(grammar\\.hpp|[^/]*\\.cpp)")},
      {"Boost", std::regex("boost/.*"), std::regex("solvers/[^/]*/[^/]*\\.cpp|solvers/flow/quadruple\\.hpp")},
      {"SUNDIALS", std::regex("(sundials|ida|nvector|sunlinsol|sunmatrix|sunnonlinsol)/.*"),
       std::regex("solvers/integration/((integrator_)?ida[^/]*\\.cpp|ida_handles\\.hpp)")},
      {"COIN-OR Clp", std::regex("coin/.*"), std::regex("solvers/search/linear_relaxation\\.cpp")},
      {"BuDDy", std::regex("bdd\\.h"), std::regex("solvers/mode_sets/mode_set\\.cpp")},
      {"matio", std::regex("matio\\.h"), std::regex("io/mat/matio_library\\.hpp")},
      {"the loader of libraries", std::regex("dlfcn\\.h"), std::regex("io/files/loaded_library\\.cpp")},
      {"libnetcdf", std::regex("netcdf\\.h"), std::regex("io/netcdf/netcdf_library\\.hpp")},
      {"libsbml", std::regex("sbml/.*"), std::regex("io/sbml/sbml_library\\.hpp")},
      {"zlib", std::regex("zlib\\.h"), std::regex("io/mat/check_format\\.cpp")},
      {"minizip", std::regex("minizip/.*"), std::regex("fmi/packaging/zip_file\\.cpp")},
      {"nlohmann_json", std::regex("nlohmann/.*"),
       std::regex("io/(.*\\.cpp|runs/checked_cbor\\.hpp)|fmi/cosimulation/saved_state\\.cpp")},
      {"pybind11", std::regex("pybind11/.*"), std::regex("python/.*")},
      {"CLI11", std::regex("CLI/.*"), std::regex("program/arguments/.*\\.cpp")},
      {"MPI", std::regex("mpi\\.h"), std::regex("program/mpi/mpi_team\\.cpp")},
      {"POSIX", std::regex("(unistd|fcntl|signal|pthread|sys/[a-z]+)\\.h"),
       std::regex("(program/(guard|console)|io/files)/[^/]*\\.cpp")},
  };
  return table;
}

std::optional<std::size_t> layer_of(std::string_view path) {
  const auto found = std::ranges::find(layers, path.substr(0, path.find('/')));
  if (found == layers.end()) return std::nullopt;
  return at(found - layers.begin());
}

/// What is wrong with `#include "header"` in a file of a layer; empty if nothing is.
std::string fault_of_own(const fs::path& root, std::string_view file, std::string_view header) {
  const auto target = layer_of(header);
  if (!target) return "is not written from the root of the layers";
  if (*target > *layer_of(file)) return "goes against the direction of the layers";
  if (*target < *layer_of(file) && std::ranges::count(beside, layers[*target]) > 0)
    return "leads to a layer beside this one";
  if (!fs::exists(root / header)) return "names no file of this tree";
  return {};
}

/// What is wrong with `#include <header>` in a file of a layer; empty if nothing is.
std::string fault_of_outside(const std::string& file, const std::string& header) {
  for (const Library& library : libraries()) {
    if (!std::regex_match(header, library.headers)) continue;
    if (std::regex_match(file, library.users)) return {};
    return "brings in " + std::string(library.name) + ", which this file may not use";
  }
  return "belongs to no known library";
}

void check_file(const fs::path& root, const std::string& file, std::vector<std::string>& violations) {
  static const std::regex include(R"rx(^\s*#\s*include\s*(["<])([^">]+)[">].*)rx");
  std::ifstream stream(root / file);
  std::string line;
  int number = 0;
  while (std::getline(stream, line)) {
    ++number;
    std::smatch match;
    if (!layer_of(file) || !std::regex_match(line, match, include)) continue;
    const std::string header = match[2];
    const std::string fault =
        match[1] == "\"" ? fault_of_own(root, file, header) : fault_of_outside(file, header);
    if (!fault.empty()) {
      violations.push_back(file + ":" + std::to_string(number) + ": #include of " + header + " " + fault);
    }
  }
  if (number > longest_file) {
    violations.push_back(file + ":" + std::to_string(number) + ": more than " + std::to_string(longest_file) +
                         " lines");
  }
}

}  // namespace

std::vector<std::string> layering_violations(const fs::path& root) {
  std::vector<std::string> files;
  const auto collect = [&](std::string_view folder) {
    if (!fs::exists(root / folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const auto extension = entry.path().extension();
      if (extension == ".hpp" || extension == ".cpp") {
        files.push_back(fs::relative(entry.path(), root).generic_string());
      }
    }
  };
  std::ranges::for_each(layers, collect);
  std::ranges::for_each(users, collect);
  std::ranges::sort(files);

  std::vector<std::string> violations;
  for (const std::string& file : files) check_file(root, file, violations);
  return violations;
}

}  // namespace mti
