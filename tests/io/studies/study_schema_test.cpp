// The JSON Schema of plans and the reader agree, judged by an independent validator (Debian's python3-jsonschema).

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "tests/io/studies/study_plans.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace study_schema_test {

const char* const validator = R"(
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for line in open(sys.argv[2], encoding="utf-8"):
    print("valid" if jsonschema.Draft7Validator(schema).is_valid(json.loads(line)) else "invalid")
)";

/// What the schema says of each plan.
std::vector<std::string> verdicts(const std::vector<std::string>& plans) {
  const TemporaryDirectory directory;
  std::string lines;
  for (std::string plan : plans) {
    for (char& c : plan)
      if (c == '\n') c = ' ';
    lines += plan + "\n";
  }
  const auto script = directory.write("validate.py", validator), list = directory.write("plans", lines);
  const auto schema = source_dir() / "io/schema/mti-study.schema.json";
  const auto output = directory.path() / "verdicts";
  const std::string command = "python3 -W ignore '" + script.string() + "' '" + schema.string() + "' '" +
                              list.string() + "' > '" + output.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << "needs python3-jsonschema";
  std::istringstream words(read_text(output));
  std::vector<std::string> result;
  for (std::string word; words >> word;) result.push_back(word);
  return result;
}

TEST(StudySchema, AgreesWithTheReader) {
  const std::string list = R"("design": "list", "vary": {"a": {"values": [1, 2]}})";
  const std::vector<std::string> sound = {
      list,
      R"("design": "grid", "vary": {"a": {"from": 0, "to": 1, "count": 3}, "x": {"values": [1]}})",
      R"("design": "sobol", "runs": 8, "seed": 2, "vary": {"a": {"lognormal": {"log_mean": 0, "log_deviation": 1}}})",
      R"("design": "random", "runs": 8, "vary": {"a": {"uniform": [0, 1]}, "x": {"normal": {"mean": 0, "deviation": 1}},
         "u": {"triangular": {"low": 0, "mode": 1, "high": 2}}})",
      list +
          R"(, "set": {"x": 2}, "quantiles": [0, 1], "description": "d", "$schema": "mti-study.schema.json")",
      list + R"(, "simulation": {"start": 0, "stop": 1, "rtol": 1e-3, "atol": 0, "output_interval": 0.1,
         "max_seconds": 1, "max_events": 5, "sliding": false, "integrator": "ida"})",
      list +
          R"(, "keep": {"final": ["x"], "minimum": ["*"], "maximum": ["?"], "integral": ["x"], "average": ["x"], "trajectories": ["x", "der?x?"],
         "at": {"times": [0, 1], "signals": ["x"]}, "event_counts": [], "event_times": {}})",
  };
  const std::vector<std::string> wrong = {
      R"("design": "list")",
      R"("design": "lists", "vary": {"a": {"values": [1]}})",
      R"("design": "sobol", "vary": {"a": {"values": [1]}})",
      R"("design": "grid", "vary": {})",
      list + R"(, "runs": 3)",
      list + R"(, "plan": "p.csv")",
      list + R"(, "keeps": {})",
      list + R"(, "quantiles": [1.5])",
      list + R"(, "simulation": {"rtol": -1})",
      list + R"(, "simulation": {"integrator": "euler"})",
      list + R"(, "keep": {"at": {"times": [1]}})",
      list + R"(, "keep": {"event_counts": ["x"]})",
      R"("design": "random", "runs": 3, "vary": {"a": {}})",
      R"("design": "random", "runs": 3, "vary": {"a": {"values": [1], "uniform": [0, 1]}})",
      R"("design": "random", "runs": 3, "vary": {"a": {"normal": {"mean": 0, "deviation": 0}}})",
      R"("design": "random", "runs": 3, "vary": {"a": {"from": 0, "to": 1, "count": 1}})",
  };
  std::vector<std::string> plans, expected;
  for (const std::string& members : sound) {
    plans.push_back(decay_plan(members));
    expected.emplace_back("valid");
    EXPECT_EQ(faults_of_plan(plans.back()), std::vector<Fault>()) << members;
  }
  for (const std::string& members : wrong) {
    plans.push_back(decay_plan(members));
    expected.emplace_back("invalid");
    EXPECT_FALSE(faults_of_plan(plans.back()).empty()) << members;
  }
  const std::vector<std::string> found = verdicts(plans);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i]) << plans[i];
}

}  // namespace study_schema_test
}  // namespace mti::test
