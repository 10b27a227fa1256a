// What stands in an FMU: files, description, library.

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <future>
#include <regex>
#include <set>
#include <string>

#include "fmi/interface/fmi2.hpp"
#include "fmi/interface/fmi3.hpp"
#include "fmi/packaging/export_fmu.hpp"
#include "fmi/variables/dae_residuals.hpp"
#include "fmi/variables/model_exchange.hpp"
#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "tests/fmi/unpacked_fmu.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace export_test {

using fmi::ExportOptions;
using fmi::FmiVersion;
using fmi::FreeInputs;

const std::filesystem::path three_tank = source_dir() / "examples/three_tank/model.json";

/// Names, units and texts that XML has to be careful with.
constexpr const char* awkward = R"({
  "format": "mti-model", "version": 1, "name": "a<b & \"c\"", "description": "x < 1 & y > \"2\"\nnext\u0007",
  "parameters": {"k": 2, "l": "k/3"},
  "states": [{"name": "x", "start": 1, "unit": "m<&>\"s"}],
  "inputs": [{"name": "u", "value": "2*k"}, {"name": "w", "table": {"time": [0, 1], "value": [0, 1]}},
             {"name": "b", "value": 1, "binary": true}],
  "algebraic": [{"name": "y"}],
  "equations": ["der(x) = u*b - l*x^2 + w", "y = if x < 3 then x else 3"],
  "experiment": {"stop": 2}
})";

class Schema : public testing::TestWithParam<int> {};

TEST_P(Schema, HoldsForAllModels) {
  if (shared_dir().empty()) GTEST_SKIP() << "the schemas are not here";
  const bool is_3 = GetParam() == 3;
  const std::filesystem::path schemas = shared_dir() / "models/fmi";
  const std::string schema = is_3 ? "fmi3/fmi3ModelDescription.xsd" : "fmi2/fmi2ModelDescription.xsd";
  const TemporaryDirectory directory;
  std::vector<std::filesystem::path> models = all_models();
  models.push_back(directory.write("awkward.json", awkward));
  std::string files;
  int count = 0;
  for (const FreeInputs free_inputs : {FreeInputs::no, FreeInputs::yes})
    for (const std::filesystem::path& model : models) {
      ExportOptions options{.version = is_3 ? FmiVersion::three : FmiVersion::two,
                            .free_inputs = free_inputs};
      if (free_inputs == FreeInputs::yes) options.outputs = {"*"};
      options.model_exchange =
          free_inputs == FreeInputs::yes && !fmi::why_no_model_exchange(read_model(model));
      if (is_3 && free_inputs == FreeInputs::yes && !fmi::why_no_dae(read_model(model)))
        options.dae = fmi::Dae::yes;
      const UnpackedFmu fmu(model, options);
      files += " " + directory.write(std::to_string(count++) + ".xml", fmu.xml()).string();
    }
  const std::string said =
      printed_by("xmllint --noout --schema '" + (schemas / schema).string() + "'" + files);
  EXPECT_NE(said.find("status 0"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Versions, Schema, testing::Values(2, 3));

// The schema is one that can say no.
TEST(SchemaControl, RefusesAnotherDocument) {
  if (shared_dir().empty()) GTEST_SKIP() << "the schemas are not here";
  const UnpackedFmu fmu(three_tank);
  const TemporaryDirectory directory;
  const std::string text =
      std::regex_replace(fmu.xml(), std::regex("causality=\"local\""), "causality=\"loc\"");
  const auto file = directory.write("wrong.xml", text);
  const std::string said =
      printed_by("xmllint --noout --schema '" +
                 (shared_dir() / "models/fmi/fmi3/fmi3ModelDescription.xsd").string() + "' " + file.string());
  EXPECT_EQ(said.find("status 0"), std::string::npos);
}

TEST(Export, KeepsTheTextOfTheModel) {
  const UnpackedFmu fmu(three_tank);
  EXPECT_EQ(read_text(fmu.resources() / "model.json"), read_text(three_tank));
}

// Other files go into the text: the FMU needs none of them.
TEST(Export, PutsOtherFilesIntoTheText) {
  const TemporaryDirectory directory;
  directory.write("u.csv", "time,u\n0,1\n1,3\n");
  const auto model = directory.write("model.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "x"}], "inputs": [{"name": "u", "csv": "u.csv", "column": "u"}],
    "equations": ["der(x) = u"]})");
  const UnpackedFmu fmu(model);
  const std::string text = read_text(fmu.resources() / "model.json");
  EXPECT_EQ(text.find("u.csv"), std::string::npos);
  EXPECT_NE(text.find("table"), std::string::npos);
}

TEST(Export, WritesTheSameBytesAgain) {
  const UnpackedFmu one(three_tank), other(three_tank);
  EXPECT_EQ(read_text(one.file()), read_text(other.file()));
}

// A pipe has its text once: who opens it again waits for another one.
TEST(Export, ReadsModelicaOnce) {
  const TemporaryDirectory directory;
  const std::filesystem::path pipe = directory.path() / "decay.mo";
  const std::string model =
      "model decay\n  parameter Real k = 2;\n  Real x(start = 1);\nequation\n  der(x) = -k*x;\nend decay;\n";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  auto reading =
      std::async(std::launch::async, [&] { return fmi::self_contained_text(pipe, Reach::anywhere); });
  std::ofstream(pipe) << model;
  if (reading.wait_for(std::chrono::seconds(10)) != std::future_status::ready) {
    ADD_FAILURE() << "the model is read again";
    std::fstream(pipe) << model;
  }
  EXPECT_NE(reading.get().find(R"("k")"), std::string::npos);
}

TEST(Export, ChoosesOutputsByPatterns) {
  const UnpackedFmu fmu(three_tank, {.outputs = std::vector<std::string>{"x?", "z1"}});
  std::set<std::string> outputs;
  for (const auto& [name, variable] : fmu.variables())
    if (variable.attributes.at("causality") == "output") outputs.insert(name);
  EXPECT_EQ(outputs, (std::set<std::string>{"x1", "x2", "x3", "z1"}));
}

TEST(Export, RefusesOutputsThatAreNone) {
  const TemporaryDirectory directory;
  try {
    fmi::export_fmu(three_tank, directory.path() / "a.fmu", {.outputs = std::vector<std::string>{"x9"}});
    FAIL();
  } catch (const InvalidOption& refused) {
    EXPECT_EQ(refused.faults().front().id, "unknown-output");
  }
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "a.fmu"));
}

TEST(Export, SaysWhereALibraryIsMissing) {
  const TemporaryDirectory directory;
  try {
    fmi::export_fmu(three_tank, directory.path() / "a.fmu", {.library = directory.path() / "no.so"});
    FAIL();
  } catch (const UnusableFile& refused) {
    EXPECT_EQ(refused.faults().front().id, "fmu-library-missing");
  }
}

TEST(Export, DescribesVariablesAsTheModelHasThem) {
  const TemporaryDirectory directory;
  const UnpackedFmu fmu(directory.write("awkward.json", awkward));
  const auto attribute = [&](const std::string& name, const std::string& key) {
    const auto& attributes = fmu.variables().at(name).attributes;
    return attributes.contains(key) ? attributes.at(key) : "";
  };
  EXPECT_EQ(attribute("time", "causality"), "independent");
  EXPECT_EQ(attribute("x", "initial"), "exact");
  EXPECT_EQ(attribute("x", "start"), "1");
  EXPECT_EQ(attribute("der(x)", "derivative"), attribute("x", "valueReference"));
  EXPECT_EQ(attribute("u", "causality"), "input");
  EXPECT_EQ(attribute("u", "start"), "4");
  EXPECT_EQ(attribute("w", "causality"), "local") << "a table stays inside";
  EXPECT_TRUE(fmu.variables().at("b").is_boolean);
  EXPECT_EQ(attribute("y", "causality"), "output");
  EXPECT_EQ(attribute("k", "causality"), "parameter");
  EXPECT_EQ(attribute("l", "causality"), "calculatedParameter");
  EXPECT_FALSE(fmu.variables().contains("x.copy1")) << "copies of powers are none of its variables";
  const UnpackedFmu free(directory.path() / "awkward.json", {.free_inputs = FreeInputs::yes});
  EXPECT_EQ(free.variables().at("w").attributes.at("causality"), "input");
}

// A free start is a guess, which initial equations replace: an importer must not take it for the value.
TEST(Export, DeclaresFreeStartsAsGuesses) {
  const TemporaryDirectory directory;
  const std::filesystem::path model = directory.write("free.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 1, "fixed": false}, {"name": "w", "start": 3}],
    "equations": ["der(x) = -2*x + w", "der(w) = -w"], "initial": ["der(x) = 0"]})");
  const UnpackedFmu fmu(model), second(model, {.version = FmiVersion::two});
  EXPECT_EQ(fmu.variables().at("x").attributes.at("initial"), "approx");
  EXPECT_EQ(fmu.variables().at("x").attributes.at("start"), "1");
  EXPECT_EQ(fmu.variables().at("w").attributes.at("initial"), "exact");
  const auto reference = [&](const char* name) {
    return "<InitialUnknown valueReference=\"" + fmu.variables().at(name).attributes.at("valueReference") +
           "\"";
  };
  EXPECT_NE(fmu.xml().find(reference("x")), std::string::npos);
  EXPECT_EQ(fmu.xml().find(reference("w")), std::string::npos);
  const std::string initial = second.xml().substr(second.xml().find("<InitialUnknowns>"));
  EXPECT_NE(initial.find("<Unknown index=\"2\""), std::string::npos) << "time, x, w, der(x), der(w)";
  EXPECT_EQ(initial.find("<Unknown index=\"3\""), std::string::npos);
}

TEST(Export, ShortensLongNamesAndTakesOutWhatXmlDoesNotKnow) {
  const TemporaryDirectory directory;
  const std::string name(300, 'n');
  const UnpackedFmu fmu(directory.write(
      "long.json", R"({"format": "mti-model", "version": 1, "name": ")" + name +
                       "\", \"description\": \"a\xef\xbf\xbe" + "b\xef\xbf\xbf\xef\xbf\xbd\"" +
                       R"(, "states": [{"name": "x"}], "equations": ["der(x) = 1"]})"));
  EXPECT_NE(fmu.xml().find("modelName=\"" + name + "\""), std::string::npos);
  EXPECT_NE(fmu.xml().find("modelIdentifier=\"" + name.substr(0, 100) + "\""), std::string::npos);
  EXPECT_EQ(fmu.xml().find("\xef\xbf\xbe"), std::string::npos);
  EXPECT_EQ(fmu.xml().find("\xef\xbf\xbf"), std::string::npos);
  EXPECT_NE(fmu.xml().find("a\xef\xbf\xbd"
                           "b\xef\xbf\xbd\xef\xbf\xbd"),
            std::string::npos);
}

// der(x1) and der(x2) know nothing of each other: two parts.
TEST(Export, TellsWhatDerivativesDependOn) {
  const TemporaryDirectory directory;
  const UnpackedFmu fmu(directory.write("two.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "inputs": [{"name": "u", "value": 1}],
    "binaries": [{"name": "z"}],
    "equations": ["der(a) = -a + u", "der(b) = c*z", "der(c) = -b"], "constraints": ["b*(1 - 2*z) <= 0"]})"));
  EXPECT_NE(fmu.xml().find("<ContinuousStateDerivative valueReference=\"4\" dependencies=\"1 7\"/>"),
            std::string::npos);
  EXPECT_NE(fmu.xml().find("<ContinuousStateDerivative valueReference=\"5\" dependencies=\"2 3\"/>"),
            std::string::npos);
  EXPECT_NE(fmu.xml().find("<ContinuousStateDerivative valueReference=\"6\" dependencies=\"2 3\"/>"),
            std::string::npos);
}

// Whatever machine it is loaded on has these; the C++ library and the solvers are inside.
TEST(Library, NeedsTheCLibraryOnly) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a library with sanitisers needs theirs";
#endif
  const UnpackedFmu fmu(three_tank, {}, UnpackedFmu::Library::packed);
  const std::string needed = printed_by("ldd '" + fmu.library().string() + "'");
  std::istringstream lines(needed);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(std::regex_search(line, std::regex("libc\\.so|libm\\.so|ld-linux|linux-vdso|status 0")))
        << line;
  const std::string sections = printed_by("readelf -dW '" + fmu.library().string() + "'");
  EXPECT_EQ(sections.find("TEXTREL"), std::string::npos) << "code is to be shared by processes";
  constexpr std::uintmax_t most_bytes = 5'000'000;
  EXPECT_LE(std::filesystem::file_size(fmu.file()), most_bytes);
}

TEST(Library, ShowsTheInterfacesOnly) {
  const UnpackedFmu fmu(three_tank, {}, UnpackedFmu::Library::packed);
  const std::string symbols = printed_by("nm -D --defined-only '" + fmu.library().string() + "'");
  std::istringstream lines(symbols);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_TRUE(std::regex_search(line, std::regex(" T fmi[23][A-Z]|^status 0"))) << line;
  EXPECT_GT(count, 100);
}

// Every function that either standard names is there: their number is that of the declarations.
TEST(Library, HasEveryDeclaredFunction) {
  const std::string symbols = printed_by("nm -D --defined-only '" + fmu_library().string() + "'");
  for (const char* header : {"fmi2.hpp", "fmi3.hpp"}) {
    const std::string text = read_text(source_dir() / "fmi/interface" / header);
    const std::regex function("\\b(fmi[23][A-Z][A-Za-z0-9]*)\\(");
    int count = 0;
    for (std::sregex_iterator found(text.begin(), text.end(), function), end; found != end; ++found, ++count)
      EXPECT_NE(symbols.find(" T " + (*found)[1].str() + "\n"), std::string::npos) << (*found)[1];
    EXPECT_GT(count, 40);
  }
}

}  // namespace export_test
}  // namespace mti::test
