// mti check --json says where in which file a fault is, so that an editor can go there.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/program/program_run.hpp"

namespace mti::test {
namespace check_places_test {

using Json = nlohmann::json;

struct CheckPlaces : ::testing::Test {
  TemporaryDirectory directory;

  /// "FILE:LINE:COLUMN ID" of each error; the place of a mark in the text is where a fault is expected.
  std::vector<std::string> errors(const std::string& file, const std::string& input = {}) {
    const ProgramResult result = run_program({"check", "--json", file}, directory.path(), input);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err, "");
    std::vector<std::string> found;
    const Json document = Json::parse(result.out);
    for (const Json& fault : document.at("errors")) {
      EXPECT_EQ(fault.at("text"), fault.at("message"));
      EXPECT_TRUE(fault.at("pointer").is_string());
      found.push_back(fault.at("file").get<std::string>() + ":" + fault.at("line").dump() + ":" +
                      fault.at("column").dump() + " " + fault.at("id").get<std::string>());
    }
    return found;
  }

  /// Writes a text without its marks "‸"; "FILE:LINE:COLUMN" of each, counted here.
  std::vector<std::string> write(const std::string& file, const std::string& marked) {
    const std::string mark = "‸";
    std::string text;
    std::vector<std::string> places;
    int line = 1, column = 1;
    for (std::size_t i = 0; i < marked.size();) {
      if (marked.compare(i, mark.size(), mark) == 0) {
        places.push_back(file + ":" + std::to_string(line) + ":" + std::to_string(column));
        i += mark.size();
        continue;
      }
      if ((static_cast<unsigned char>(marked[i]) & 0xC0U) != 0x80U) ++column;
      if (marked[i] == '\n') ++line, column = 1;
      text += marked[i++];
    }
    directory.write(file, text);
    return places;
  }
};

TEST_F(CheckPlaces, ValuesAndCharactersInTexts) {
  const auto places =
      write("model.json", R"json({"format": "mti-model", "version": 1, "description": "Füllstände",
  "states": [{"name": "x", "start": ‸true}, {"name": "y"}],
  "equations": ["der(x) = -x + ‸k", {"name": "second", "text": "der(y) =\t 2*‸)"}],
  "constraints": ["x <= 3"], "experiment": {"stop": 1, "wrong": ‸[1]}})json");
  const auto found = errors("model.json");
  const std::vector<std::string> ids = {"wrong-type", "unknown-name", "syntax-error", "unknown-key"};
  ASSERT_EQ(places.size(), ids.size());
  EXPECT_EQ(found.size(), ids.size()) << Json(found).dump();
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_EQ(std::count(found.begin(), found.end(), places[i] + " " + ids[i]), 1)
        << places[i] << " " << ids[i] << " is not in " << Json(found).dump();
}

TEST_F(CheckPlaces, WhatIsMissingIsInTheValueAroundIt) {
  const auto places = write("model.json", R"json({"format": "mti-model", "version": 1,
  "states": [{"name": "x"}, ‸{"start": 1}], "equations": ["der(x) = -x"]})json");
  EXPECT_EQ(errors("model.json"), std::vector<std::string>{places[0] + " missing-key"});
}

TEST_F(CheckPlaces, TextsThatAreNoJson) {
  const auto places =
      write("model.json", "{\"format\": \"mti-model\",\n \"name\": \"ä\", \"states\": [1, ‸}");
  EXPECT_EQ(errors("model.json"), std::vector<std::string>{places[0] + " json-syntax"});
  directory.write("empty.json", "");
  EXPECT_EQ(errors("empty.json"), std::vector<std::string>{"empty.json:1:1 json-syntax"});
  EXPECT_EQ(errors("nowhere.json"), std::vector<std::string>{"nowhere.json:null:null file-unreadable"});
  directory.write("model.mat", "not a MAT file");
  EXPECT_EQ(errors("model.mat"), std::vector<std::string>{"model.mat:null:null mat-format"});
}

TEST_F(CheckPlaces, FilesOfComponents) {
  std::filesystem::create_directory(directory.path() / "parts");
  const auto inside = write("parts/tank.json", R"json({"format": "mti-model", "version": 1,
  "states": [{"name": "h"}], "equations": ["der(h) = ‸q"]})json");
  const std::string head = R"json({"format": "mti-model", "version": 1,
  "components": [{"name": "a", "model": )json";
  write("model.json", head + R"json("parts/tank.json"}]})json");
  EXPECT_EQ(errors("model.json"), std::vector<std::string>{inside[0] + " unknown-name"});
  const auto places = write("model.json", head + R"json(‸"parts/none.json"}]})json");
  EXPECT_EQ(errors("model.json"), std::vector<std::string>{places[0] + " model-unreadable"});
}

TEST_F(CheckPlaces, StandardInputAndModelica) {
  const std::string model = "{\"format\": \"mti-model\", \"version\": 1,\n \"states\": 3, \"equations\": []}";
  EXPECT_EQ(errors("-", model), std::vector<std::string>{"-:2:12 wrong-type"});
  const auto places = write("m.mo", "model M\n  Real x(start = 1);\nequation\n  der(x) = -‸k;\nend M;\n");
  const auto found = errors("m.mo");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].substr(0, 7), places[0].substr(0, 7)) << "Modelica has lines and columns of its own";
  EXPECT_EQ(found[0].find("null"), std::string::npos);
}

// 20,000 faults in a file of one line: each is found without going through the file again.
TEST_F(CheckPlaces, ManyFaultsTakeNoLongerThanReading) {
  Json model = {{"format", "mti-model"}, {"version", 1}, {"states", {{{"name", "x"}}}}};
  for (int i = 0; i < 20'000; ++i) model["equations"].push_back("der(x) = k" + std::to_string(i));
  const std::string text = model.dump();
  directory.write("model.json", text);
  const auto found = errors("model.json");
  ASSERT_GE(found.size(), 20'000U);
  EXPECT_EQ(found[19'999], "model.json:1:" + std::to_string(text.find("k19999") + 1) + " unknown-name");
}

}  // namespace check_places_test
}  // namespace mti::test
