#include "tests/io/studies/study_plans.hpp"

#include "io/studies/study.hpp"
#include "io/studies/study_rows.hpp"
#include "tests/temporary_directory.hpp"

#include <sstream>

namespace mti::test {

std::string decay_plan(const std::string& members) {
  return R"({"format": "mti-study", "version": 1, "model": {"format": "mti-model", "version": 1,
    "parameters": {"a": 0.5}, "states": [{"name": "x", "start": 1}], "inputs": [{"name": "u", "value": 0}],
    "equations": ["der(x) = u - a*x"], "experiment": {"stop": 2, "rtol": 1e-9, "atol": 1e-9}}, )" +
         members + "}";
}

std::vector<Fault> faults_of_plan(const std::string& text, const std::filesystem::path& directory) {
  try {
    (void)read_study_plan(text, directory);
  } catch (const FaultError& refused) {
    return refused.faults();
  }
  return {};
}

std::map<std::string, std::vector<std::string>> study_table(const std::filesystem::path& directory) {
  std::istringstream lines(read_text(directory / study_table_name));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = csv_cells(line);
  std::map<std::string, std::vector<std::string>> table;
  for (const std::string& name : names) table[name];
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = csv_cells(line);
    for (std::size_t i = 0; i < names.size(); ++i) table[names[i]].push_back(cells.at(i));
  }
  return table;
}

std::vector<double> numbers_of(const std::vector<std::string>& cells) {
  std::vector<double> numbers;
  for (const std::string& cell : cells) numbers.push_back(std::stod(cell));
  return numbers;
}

std::map<std::string, std::vector<std::string>> table_of_plan(const std::string& text) {
  const TemporaryDirectory directory;
  run_study(read_study_plan(text), directory.path() / "out", {.jobs = 1});
  return study_table(directory.path() / "out");
}

}  // namespace mti::test
