// What the reader takes from a valid file, and how it treats the text as a text.
#include "io/model/read_model.hpp"

#include <gtest/gtest.h>

#include "mti/common/fault.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace read_mat_model_test {

Source read(const std::string& members) {
  return read_source(std::string(R"({"format": "mti-model", "version": 1, "equations": [], )") + members +
                     "}");
}

std::vector<Fault> faults_of(const std::string& text, const std::filesystem::path& directory = {}) {
  try {
    static_cast<void>(read_model_text(text, directory));
  } catch (const InvalidModel& invalid) {
    return invalid.faults();
  }
  return {};
}

TEST(ReadModel, KeepsEveryMember) {
  const Source source = read_source(R"json({
    "format": "mti-model", "version": 1, "name": "n", "description": "d",
    "parameters": {"z": 1, "a": "2*z"},
    "states": [{"name": "x", "start": "a", "unit": "m", "nominal": 5}],
    "inputs": [{"name": "u1", "value": 2, "unit": "N"},
               {"name": "u2", "table": {"time": [0, 1], "value": [3, "a"]}, "interpolation": "previous"},
               {"name": "u3", "sine": {"amplitude": 1, "frequency": 2, "phase": 3, "offset": 4}},
               {"name": "u4", "binary": true, "value": 1}],
    "algebraic": [{"name": "y", "start": 7, "auxiliary": true}],
    "binaries": [{"name": "b", "start": 1}],
    "equations": ["x = 1", {"name": "e", "text": "y = 2"}],
    "constraints": [{"name": "c", "text": "x <= 3"}],
    "invariants": ["not b"],
    "transitions": [{"when": "reach(c)", "replaces": ["e"], "equations": ["x = 0"]}],
    "experiment": {"start": 1, "stop": 2, "rtol": 3e-4, "atol": 5e-6, "output_interval": 0.5},
    "scenarios": [{"name": "s", "modes": "b", "equations": ["x = 0"]}]
})json");
  EXPECT_EQ(source.name, "n");
  EXPECT_EQ(source.description, "d");
  ASSERT_EQ(source.parameters.size(), 2U);
  EXPECT_EQ(source.parameters[0].name, "z") << "in the order of the file, which is not that of the alphabet";
  EXPECT_EQ(source.parameters[1].value, Number("2*z"));
  EXPECT_EQ(source.states[0].start, Number("a"));
  EXPECT_EQ(source.states[0].unit, "m");
  EXPECT_EQ(source.states[0].nominal, Number(5.0));
  EXPECT_EQ(std::get<Number>(source.inputs[0].form), Number(2.0));
  EXPECT_EQ(source.inputs[0].unit, "N");
  const auto& table = std::get<TableSource>(source.inputs[1].form);
  EXPECT_EQ(table.time, (std::vector<Number>{0.0, 1.0}));
  EXPECT_EQ(table.value, (std::vector<Number>{3.0, "a"}));
  EXPECT_EQ(table.interpolation, Interpolation::previous);
  const auto& sine = std::get<SineSource>(source.inputs[2].form);
  EXPECT_EQ(sine.amplitude, Number(1.0));
  EXPECT_EQ(sine.frequency, Number(2.0));
  EXPECT_EQ(sine.phase, Number(3.0));
  EXPECT_EQ(sine.offset, Number(4.0));
  EXPECT_TRUE(source.inputs[3].binary);
  EXPECT_TRUE(source.algebraic[0].auxiliary);
  EXPECT_EQ(source.binaries[0].start, Number(1.0));
  EXPECT_EQ(source.equations[0].text, "x = 1");
  EXPECT_EQ(source.equations[1].name, "e");
  EXPECT_EQ(source.constraints[0].text, "x <= 3");
  EXPECT_EQ(source.invariants, std::vector<std::string>{"not b"});
  EXPECT_EQ(source.transitions[0].when, "reach(c)");
  EXPECT_EQ(source.transitions[0].replaces, std::vector<std::string>{"e"});
  EXPECT_EQ(source.transitions[0].equations, std::vector<std::string>{"x = 0"});
  EXPECT_EQ(source.experiment.start, Number(1.0));
  EXPECT_EQ(source.experiment.stop, Number(2.0));
  EXPECT_EQ(source.experiment.rtol, Number(3e-4));
  EXPECT_EQ(source.experiment.atol, Number(5e-6));
  EXPECT_EQ(source.experiment.output_interval, Number(0.5));
  EXPECT_EQ(source.scenarios[0].modes, "b");
  EXPECT_EQ(source.scenarios[0].equations, std::vector<std::string>{"x = 0"});
}

TEST(ReadModel, MatricesForm) {
  const Source source = read_source(R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "matrices": {"S": {"rows": 2, "cols": 3, "i": [0, 1], "k": [0, 2], "v": [0.5, -2]},
                 "Phi_eq": {"rows": 1, "cols": 3, "i": [0], "k": [1], "v": [1e-3]},
                 "equation_names": ["e"], "pre": ["z"], "normalized": false}})");
  ASSERT_TRUE(source.matrices);
  EXPECT_EQ(source.matrices->S.rows, 2);
  EXPECT_EQ(source.matrices->S.cols, 3);
  EXPECT_EQ(source.matrices->S.k, (std::vector<int>{0, 2}));
  EXPECT_EQ(source.matrices->S.v, (std::vector<double>{0.5, -2.0}));
  EXPECT_EQ(source.matrices->Phi_eq.v, std::vector<double>{1e-3});
  EXPECT_EQ(source.matrices->Phi_ineq.rows, 0) << "no constraints need no matrix";
  EXPECT_EQ(source.matrices->equation_names, std::vector<std::string>{"e"});
  EXPECT_EQ(source.matrices->pre, std::vector<std::string>{"z"});
  EXPECT_FALSE(source.matrices->normalized);
}

TEST(ReadModel, DefaultsAreThoseOfTheFormat) {
  const Source source =
      read(R"("states": [{"name": "x"}], "algebraic": [{"name": "y"}], "binaries": [{"name": "z"}])");
  EXPECT_EQ(source.states[0].start, Number(0.0));
  EXPECT_EQ(source.states[0].nominal, Number(1.0));
  EXPECT_EQ(source.algebraic[0].start, Number(0.0));
  EXPECT_EQ(source.binaries[0].start, Number(0.0));
  EXPECT_FALSE(source.matrices);
}

TEST(ReadModel, ByteOrderMarkAndOtherLetters) {
  const Source source = read_source(
      "\xEF\xBB\xBF{\"format\": \"mti-model\", \"version\": 1, \"name\": \"W\xC3\xA4rme \\u2192\", "
      "\"equations\": []}");
  EXPECT_EQ(source.name, "W\xC3\xA4rme \xE2\x86\x92");
}

TEST(ReadModel, SeveralInputsOfOneCsvFile) {
  const test::TemporaryDirectory directory;
  directory.write("weather.csv", "t;T;p\n0;20;1\n10;30;2\n");
  const Model model = read_model_text(R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "inputs": [{"name": "T", "csv": "weather.csv", "column": "T"},
               {"name": "p", "csv": "weather.csv", "column": "p", "interpolation": "previous"}],
    "equations": ["der(x) = T*p"]})",
                                      directory.path());
  EXPECT_EQ(model.inputs[0].piece(0.0).value(5.0), 25.0) << "halfway between 20 and 30";
  EXPECT_EQ(model.inputs[1].piece(0.0).value(5.0), 1.0) << "the value before";
}

TEST(ReadModel, CsvIsFoundBesideTheModelFile) {
  const test::TemporaryDirectory directory;
  directory.write("w.csv", "t,T\n0,20\n");
  const auto file =
      directory.write("m.json", R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "inputs": [{"name": "T", "csv": "w.csv", "column": "T"}], "equations": ["der(x) = T"]})");
  EXPECT_EQ(read_model(file).inputs[0].piece(0.0).value(0.0), 20.0);
}

TEST(ReadModel, OverridesReplaceValues) {
  const std::string text = R"({"format": "mti-model", "version": 1, "parameters": {"a": 1, "b": "2*a"},
    "states": [{"name": "x", "start": "b"}], "equations": ["der(x) = -a*x"]})";
  EXPECT_EQ(read_model_text(text).x_start, std::vector<double>{2.0});
  EXPECT_EQ(read_model_text(text, {}, {{"a", 3.0}}).x_start, std::vector<double>{6.0}) << "b follows a";
  EXPECT_EQ(read_model_text(text, {}, {{"x", 5.0}}).x_start, std::vector<double>{5.0});
  EXPECT_THROW(static_cast<void>(read_model_text(text, {}, {{"c", 3.0}})), InvalidOption);
}

TEST(ReadModel, AFaultOfTheTextDoesNotHideFaultsOfTheMeaning) {
  const auto faults = faults_of(R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "unit": 3}],
    "equations": ["der(x) = y"]})");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].pointer, "/states/0/unit");
  EXPECT_EQ(faults[1].pointer, "/equations/0");
}

// A declaration that cannot be read would make every use of its name a fault: those are not reported.
TEST(ReadModel, AFaultOfADeclarationHasNoEcho) {
  const auto faults = faults_of(R"({"format": "mti-model", "version": 1, "states": [{"nam": "x"}],
    "equations": ["der(x) = 1"]})");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].id, "missing-key");
  EXPECT_EQ(faults[1].id, "unknown-key");
  EXPECT_NE(faults[1].message.find("did you mean \"name\"?"), std::string::npos);
}

TEST(ReadModel, SyntaxFaultsHaveLineAndColumn) {
  const auto faults = faults_of("{\n  \"format\": \"mti-model\",\n  \"version\": 1,\n  \"states\": [}\n");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].pointer, "/states");
  EXPECT_EQ(faults[0].message.rfind("line 4, column 14: ", 0), 0U) << faults[0].message;
}

TEST(ReadModel, PointersEscapeSlashAndTilde) {
  const auto faults = faults_of(R"({"format": "mti-model", "version": 1, "a/b~c": 1, "equations": []})");
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].pointer, "/a~1b~0c");
}

// Long and strange texts are quoted in part only, and cut between characters, not in them.
TEST(ReadModel, MessagesStayReadable) {
  std::string name;
  for (int i = 0; i < 1000; ++i) name += "\xE2\x86\x92";
  const auto faults = faults_of(std::string(R"({"format": ")") + name + R"(", "version": 1})");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_LT(faults[0].message.size(), 200U);
  EXPECT_NE(faults[0].message.find("\xE2\x86\x92\xE2\x80\xA6\""), std::string::npos) << faults[0].message;
}

// Long tables are read whole, with their hundreds of thousands of numbers.
TEST(ReadModel, LongTables) {
  std::string time = "[0", value = "[0";
  for (int i = 1; i < 300'000; ++i) {
    time.append(",").append(std::to_string(i));
    value.append(",").append(std::to_string(i % 7));
  }
  const Model model = read_model_text(
      std::string(
          R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}], "inputs": [{"name": "u", "table": {"time": )") +
      time + R"(], "value": )" + value + R"(]}}], "equations": ["der(x) = u"]})");
  EXPECT_EQ(std::get<TableInput>(model.inputs[0].form()).time.size(), 300'000U);
}

}  // namespace read_mat_model_test
}  // namespace mti
