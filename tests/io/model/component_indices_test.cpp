// Indices of arrays of components beyond small positive numbers, and the directories of linked files.
#include <gtest/gtest.h>

#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace component_indices_test {

const std::string head = R"({"format": "mti-model", "version": 1, )";
const std::string lag = R"({"states": [{"name": "x"}], "inputs": [{"name": "u", "value": 0}],
                            "equations": ["der(x) = u - x"]})";

std::vector<Fault> faults_of(const std::string& members) {
  try {
    (void)read_model_text(head + members + "}");
  } catch (const InvalidModel& invalid) {
    return invalid.faults();
  }
  return {};
}

TEST(ComponentIndices, NameConnectionsWithAllTheirDigits) {
  const Model model = read_model_text(head +
                                      R"("components": [{"name": "c[i + 100000]", "for": {"i": [-1, 1]},
    "model": )" + lag + R"(}], "connections": [
      {"input": "c[i + 100000].u", "from": "i/2", "for": {"i": [-1, 0]}},
      {"input": "c[k].u", "from": "k", "for": {"k": [100001, 100001]}}]})");
  const std::vector<std::string> expected = {"c99999.eq1",     "c100000.eq1",   "c100001.eq1",
                                             "connection1_m1", "connection1_0", "connection2_100001"};
  EXPECT_EQ(model.equation_names, expected);
  EXPECT_EQ(test::equation_of(model, 3), (test::Monomials{{"c99999.u", 1}, {"", 0.5}}));
  EXPECT_EQ(test::equation_of(model, 5), (test::Monomials{{"c100001.u", 1}, {"", -100001}}));
}

TEST(ComponentIndices, OfBoundsComeBeforeThem) {
  const auto array_of = [](const std::string& loops) {
    return R"("components": [{"name": "c[i]", "for": )" + loops + R"(, "model": )" + lag + "}]";
  };
  for (const char* loops :
       {R"({"i": [1, "j"], "j": [1, 2]})", R"({"i": ["j", 3], "j": [1, 2]})", R"({"i": [1, "i + 2"]})"}) {
    const auto faults = faults_of(array_of(loops));
    ASSERT_EQ(faults.size(), 1U) << loops;
    EXPECT_EQ(faults[0].id, "unknown-name");
    EXPECT_EQ(faults[0].pointer, "/components/0/for/i");
    EXPECT_NE(faults[0].message.find("indices before it"), std::string::npos);
  }
  EXPECT_TRUE(faults_of(array_of(R"({"j": [1, 1], "i": ["j", "j + 2"]})")).empty());
  const auto faults =
      faults_of(R"("components": [{"name": "c", "model": )" + lag +
                R"(}], "connections": [{"input": "c.u", "from": "i", "for": {"i": [1, "j"], "j": [1, 1]}}])");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].pointer, "/connections/0/for/i");
}

TEST(ComponentIndices, DoNotHideSignals) {
  const std::string rest = R"("algebraic": [{"name": "i"}], "equations": ["i = 7"],
    "components": [{"name": "c[k]", "for": {"k": [1, 2]}, "model": )" +
                           lag + "}], ";
  const auto faults =
      faults_of(rest + R"("connections": [{"input": "c[i].u", "from": "i", "for": {"i": [1, 2]}}])");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].id, "duplicate-name");
  EXPECT_EQ(faults[0].pointer, "/connections/0/for/i");
  EXPECT_EQ(
      faults_of(rest + R"("connections": [{"input": "c[k].u", "from": "i", "for": {"k": [1, 2]}}])").size(),
      0U);
}

TEST(ComponentIndices, AnArrayWithoutElementsAddsNothing) {
  const auto balance_of = [](const std::string& last) {
    return R"("algebraic": [{"name": "b"}], "components": [{"name": "c[i]", "for": {"i": [1, )" + last +
           R"(]}, "model": )" + lag + R"(}], "connections": [{"balance": ["b", "-c[:].x"]}])";
  };
  const Model two = read_model_text(head + balance_of("2") + "}"),
              none = read_model_text(head + balance_of("0") + "}");
  EXPECT_EQ(test::equation_of(two, two.equations() - 1),
            (test::Monomials{{"b", 1}, {"c1.x", -1}, {"c2.x", -1}}));
  ASSERT_EQ(none.equations(), 1);
  EXPECT_EQ(test::equation_of(none, 0), (test::Monomials{{"b", 1}}));
}

TEST(ComponentIndices, EmptyLoopsInLongOnesEnd) {
  const std::string ranges = R"("for": {"i": [1, 1000000], "j": [1, 1000000], "k": [1, 0]}, )";
  for (const std::string& members :
       {R"("components": [{"name": "c[i][j][k]", )" + ranges + R"("model": )" + lag + "}]",
        R"("components": [{"name": "c", "model": )" + lag + R"(}], "connections": [{)" + ranges +
            R"("equal": ["c.x", "c.u"]}])"}) {
    const auto faults = faults_of(members);
    ASSERT_EQ(faults.size(), 1U) << members;
    EXPECT_EQ(faults[0].id, "too-many-components");
  }
}

TEST(ComponentIndices, AllElementsOfAnArrayWithinAComponent) {
  const std::string house =
      R"({"components": [{"name": "tank[i]", "for": {"i": [1, 2]}, "model": )" + lag + "}]}";
  const Model model = read_model_text(head + R"("components": [
      {"name": "house[j]", "for": {"j": [1, 2]}, "model": )" +
                                      house + R"(}],
    "algebraic": [{"name": "s"}],
    "connections": [{"balance": ["s", "-house[2].tank[:].x"]}]})");
  EXPECT_EQ(test::equation_of(model, model.equations() - 1),
            (test::Monomials{{"s", 1}, {"house2.tank1.x", -1}, {"house2.tank2.x", -1}}));
}

TEST(ComponentFiles, LongChainsAreFaults) {
  const test::TemporaryDirectory directory;
  constexpr int length = 3000;
  for (int i = 0; i < length; ++i)
    directory.write("m" + std::to_string(i) + ".json", head + R"("components": [{"name": "c", "model": "m)" +
                                                           std::to_string(i + 1) + R"(.json"}]})");
  directory.write("m" + std::to_string(length) + ".json", head + R"("states": [{"name": "x"}],
    "equations": ["der(x) = -x"]})");
  try {
    (void)read_model(directory.path() / "m0.json");
    FAIL();
  } catch (const InvalidModel& invalid) {
    EXPECT_EQ(invalid.faults().front().id, "too-many-components");
  }
  EXPECT_EQ(read_model(directory.path() / ("m" + std::to_string(length - 150) + ".json")).equations(), 1);
}

TEST(ComponentFiles, PathsInALinkAreRelativeToTheLink) {
  const test::TemporaryDirectory directory;
  namespace fs = std::filesystem;
  for (const char* name : {"a", "b"}) {
    fs::create_directory(directory.path() / name);
    directory.write(std::string(name) + "/table.csv",
                    std::string("time,u\n0,") + (name[0] == 'a' ? "1" : "2") + "\n");
  }
  directory.write("a/part.json", head + R"("states": [{"name": "x"}], "equations": ["der(x) = u"],
    "inputs": [{"name": "u", "csv": "table.csv", "column": "u"}]})");
  fs::create_symlink("../a/part.json", directory.path() / "b" / "part.json");
  const Model model = read_model_text(
      head +
          R"("components": [{"name": "a", "model": "a/part.json"}, {"name": "b", "model": "b/part.json"}]})",
      directory.path());
  EXPECT_EQ(std::get<TableInput>(model.inputs[0].form()).value, std::vector{1.0});
  EXPECT_EQ(std::get<TableInput>(model.inputs[1].form()).value, std::vector{2.0});
}

}  // namespace component_indices_test
}  // namespace mti
