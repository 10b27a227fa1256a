#include "tests/io/studies/study_plans.hpp"

#include "io/studies/study_report.hpp"
#include "io/studies/study_rows.hpp"

#include <sstream>

namespace mti::test {

std::string decay_plan(const std::string& members) {
  return R"({"format": "mti-study", "version": 1, "model": {"format": "mti-model", "version": 1,
    "parameters": {"a": 0.5}, "states": [{"name": "x", "start": 1}], "inputs": [{"name": "u", "value": 0}],
    "equations": ["der(x) = u - a*x"], "experiment": {"stop": 2, "rtol": 1e-9, "atol": 1e-9}}, )" +
         members + "}";
}

std::string mixed_plan() {
  return R"j({"format": "mti-study", "version": 1, "name": "mixed",
    "model": {"format": "mti-model", "version": 1, "parameters": {"s": 1, "drift": 0},
      "states": [{"name": "x", "start": 1.5}, {"name": "w", "start": 0}], "binaries": [{"name": "on", "start": 1}],
      "equations": ["der(x) = s*on - (1 - on)", "der(w) = drift"],
      "constraints": [{"name": "top", "text": "(x - 2)*on <= 0"},
                      {"name": "bottom", "text": "(1 - x)*(1 - on) <= 0"}, {"name": "wall", "text": "w <= 1"}],
      "experiment": {"stop": 5, "output_interval": 0.5}},
    "design": "latin_hypercube", "runs": 60, "seed": 9,
    "vary": {"s": {"uniform": [0.5, 3]}, "drift": {"normal": {"mean": 0.15, "deviation": 0.05}}},
    "keep": {"final": ["x"], "maximum": ["x"], "event_times": {"reach(top)": 2}}})j";
}

std::string study_results_in(const std::filesystem::path& directory) {
  return read_text(directory / study_table_name) + read_text(directory / study_summary_name) +
         read_text(directory / study_page_name);
}

std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const FaultError& refused) {
    return refused.faults().front().id;
  }
  return {};
}

std::string MixedStudy::undisturbed() const {
  EXPECT_TRUE(run_study(plan, place("undisturbed"), {.jobs = 1}).is_complete());
  return study_results_in(place("undisturbed"));
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
