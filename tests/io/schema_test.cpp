// The JSON Schema that is shipped and the reader agree: judged by an independent validator (Debian's
// python3-jsonschema), every model validates, and the broken models that a schema can see through do not.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "tests/io/model/broken_models.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace schema_test {

namespace fs = std::filesystem;

const char* const validator = R"(
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for name in sys.stdin.read().splitlines():
    try:
        verdict = "valid" if validator.is_valid(json.load(open(name, encoding="utf-8"))) else "invalid"
    except ValueError:
        verdict = "syntax"
    print(verdict, name)
)";

/// valid, invalid or syntax by file; syntax: no JSON for Python's reader either.
std::map<fs::path, std::string> verdicts(const std::vector<fs::path>& files) {
  const test::TemporaryDirectory directory;
  std::string list;
  for (const fs::path& file : files) list += file.string() + "\n";
  const auto script = directory.write("validate.py", validator), names = directory.write("names", list);
  const fs::path schema = test::source_dir() / "io/schema/mti-model.schema.json";
  const fs::path output = directory.path() / "verdicts";
  const std::string command = "python3 -W ignore '" + script.string() + "' '" + schema.string() + "' < '" +
                              names.string() + "' > '" + output.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << "needs python3-jsonschema";
  std::map<fs::path, std::string> result;
  std::istringstream lines(test::read_text(output));
  for (std::string verdict, name; lines >> verdict && std::getline(lines >> std::ws, name);)
    result[name] = verdict;
  EXPECT_EQ(result.size(), files.size());
  return result;
}

bool is_model(const fs::path& file) {
  return file.extension() == ".json" && test::read_text(file).find("\"mti-model\"") != std::string::npos;
}

/// Models of the repository, and the published ones where they are.
std::vector<fs::path> models() {
  std::vector<fs::path> files;
  std::vector<fs::path> roots;
  for (const char* folder : {"examples", "tests/cases"}) roots.push_back(test::source_dir() / folder);
  if (!test::shared_dir().empty())
    for (const char* folder : {"models", "cases/examples"}) roots.push_back(test::shared_dir() / folder);
  for (const fs::path& root : roots) {
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.is_regular_file() && is_model(entry.path())) files.push_back(entry.path());
  }
  return files;
}

TEST(Schema, EveryModelValidates) {
  const std::vector<fs::path> files = models();
  ASSERT_GE(files.size(), 1U);
  for (const auto& [file, verdict] : verdicts(files)) EXPECT_EQ(verdict, "valid") << file;
}

TEST(Schema, BrokenModelsAreJudgedAsTheTableSays) {
  std::vector<fs::path> files;
  for (const auto& [file, broken] : test::broken_models()) files.push_back(test::broken_directory() / file);
  const auto found = verdicts(files);
  int invalid = 0;
  for (const auto& [file, broken] : test::broken_models()) {
    const std::string& verdict = found.at(test::broken_directory() / file);
    // Python reads NaN, Infinity and duplicate keys, which JSON does not have or does not forbid.
    const bool python_extension = broken.schema == "syntax" && verdict == "valid";
    EXPECT_EQ(python_extension ? "syntax" : verdict, broken.schema) << file;
    invalid += verdict == "invalid" ? 1 : 0;
  }
  EXPECT_GE(invalid, 40) << "the schema does see something";
}

// Editors find the schema by the key "$schema" at the top of a file; nowhere else is it a key.
TEST(Schema, MayBeNamedByAModel) {
  const auto model = [](const std::string& top, const std::string& state) {
    return "{" + top + R"("format": "mti-model", "version": 1, "states": [{)" + state +
           R"("name": "x", "start": 1}], "equations": ["der(x) = -x"]})";
  };
  const auto faults = [](const std::string& text) -> std::string {
    try {
      return read_model_text(text).x_start == std::vector<double>{1.0} ? "" : "another model";
    } catch (const InvalidModel& invalid) {
      return invalid.faults().at(0).pointer + " " + invalid.faults().at(0).id;
    }
  };
  const std::string key = R"("$schema": "../mti-model.schema.json", )", number = R"("$schema": 7, )";
  EXPECT_EQ(faults(model(key, "")), "");
  EXPECT_EQ(faults(model(number, "")), "/$schema wrong-type");
  EXPECT_EQ(faults(model("", key)), "/states/0/$schema unknown-key");
  const test::TemporaryDirectory directory;
  const auto named = directory.write("named.json", model(key, "")),
             not_text = directory.write("not_text.json", model(number, "")),
             elsewhere = directory.write("elsewhere.json", model("", key));
  const auto found = verdicts({named, not_text, elsewhere});
  EXPECT_EQ(found.at(named), "valid");
  EXPECT_EQ(found.at(not_text), "invalid");
  EXPECT_EQ(found.at(elsewhere), "invalid");
}

}  // namespace schema_test
}  // namespace mti
