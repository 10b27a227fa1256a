// mti linearize: points, modes, forms and files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/program/program_run.hpp"

namespace mti::test {
namespace linearize_command_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// Two tanks in a row: x1' = −x1 + y, x2' = x1 − 2·x2 with y = (1 − z)·u + z·x2, z from x1 = 5 on.
constexpr const char* tanks = R"({
  "format": "mti-model", "version": 1, "name": "tanks",
  "states": [{"name": "x1", "start": 0}, {"name": "x2", "start": 0}],
  "inputs": [{"name": "u", "value": 10}],
  "algebraic": [{"name": "y"}],
  "binaries": [{"name": "z"}],
  "equations": ["der(x1) = -x1 + y", "der(x2) = x1 - 2*x2", "y = (1 - z)*u + z*x2"],
  "constraints": [{"name": "full", "text": "(x1 - 5)*(1 - z) <= 0"}],
  "experiment": {"stop": 2, "rtol": 1e-9, "atol": 1e-9}})";

struct LinearizeCommand : ::testing::Test {
  TemporaryDirectory directory;
  std::filesystem::path model = directory.write("model.json", tanks);

  ProgramResult run(Words arguments) {
    arguments.insert(arguments.begin(), {"linearize", "model.json"});
    return run_program(arguments, directory.path());
  }
  Json json(Words arguments) {
    arguments.emplace_back("--json");
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  }
};

double entry(const Json& matrix, int row, int column) {
  for (std::size_t j = 0; j < matrix.at("v").size(); ++j)
    if (matrix.at("i")[j] == row && matrix.at("k")[j] == column) return matrix.at("v")[j];
  return 0.0;
}

// x1 = 10·(1 − exp(−t)) meets 5 at t = ln 2.
TEST_F(LinearizeCommand, SeveralTimesAndBothSidesOfEvents) {
  const Json list = json({"--at", "0.5", "--at", "1", "--events"}).at("linearizations");
  ASSERT_EQ(list.size(), 4U);
  const std::vector<int> sides = {0, -1, 1, 0}, modes = {0, 0, 1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(list[i].at("side"), sides[i]);
    EXPECT_EQ(list[i].at("mode").at("z"), modes[i]);
    EXPECT_EQ(list[i].at("on_boundary").size(), i == 1 ? 1U : 0U);
    EXPECT_LE(list[i].at("residual").get<double>(), 1e-12);
    EXPECT_EQ(entry(list[i].at("A"), 2, 1), modes[i]) << "y depends on x2 with z = 1 only";
  }
  EXPECT_NEAR(list[1].at("time").get<double>(), std::log(2.0), 1e-7);
  EXPECT_NE(run({"--at", "1", "--events"}).err.find("lies on the boundary full = 0"), std::string::npos);
  EXPECT_EQ(run({"--at", "0.5"}).err, "") << "no warning off the boundary";
}

// With z = 1, x1' = −x1 + x2, x2' = x1 − 2x2: λ² + 3λ + 1 = 0.
TEST_F(LinearizeCommand, StateSpaceAndParticipationInAModeThatIsGiven) {
  const Json result = json({"--mode", "z=1", "--state-space", "--participation", "--set", "x2=3"});
  EXPECT_EQ(result.at("point").at("y"), 3.0) << "solved for";
  const Json& form = result.at("state_space");
  EXPECT_EQ(form.at("states"), Json::parse(R"(["x1", "x2"])"));
  EXPECT_EQ(entry(form.at("A"), 0, 0), -1.0);
  EXPECT_EQ(entry(form.at("A"), 0, 1), 1.0);
  EXPECT_EQ(entry(form.at("A"), 1, 0), 1.0);
  EXPECT_EQ(entry(form.at("A"), 1, 1), -2.0);
  EXPECT_EQ(entry(form.at("C"), 0, 1), 1.0);
  EXPECT_TRUE(form.at("B").at("v").empty());
  const double root = std::sqrt(5.0);
  EXPECT_NEAR(result.at("eigenvalues")[0][0].get<double>(), (-3.0 - root) / 2.0, 1e-14);
  EXPECT_NEAR(result.at("eigenvalues")[1][0].get<double>(), (-3.0 + root) / 2.0, 1e-14);
  // A is symmetric: with λ = −1 + s the vector is (1, s), the shares 1/(1 + s²) and s²/(1 + s²).
  const double s = (-1.0 + root) / 2.0;
  EXPECT_NEAR(result.at("participation")[1].at("shares").at("x1").get<double>(), 1.0 / (1.0 + s * s), 1e-12);
  EXPECT_NEAR(result.at("participation")[1].at("condition").get<double>(), 1.0, 1e-12);
  const Json given = json({"--mode", "z=1", "--as-given", "--set", "x2=3"});
  EXPECT_EQ(given.at("point").at("y"), 0.0);
  EXPECT_EQ(given.at("residual"), 6.0) << "x2' = 0 where −6 is due";
  EXPECT_FALSE(given.contains("participation"));
}

TEST_F(LinearizeCommand, SomeEigenvaluesNearAValue) {
  const Json one = json({"--mode", "z=1", "--eigenvalues", "1", "--near", "-2.5"});
  ASSERT_EQ(one.at("eigenvalues").size(), 1U);
  EXPECT_NEAR(one.at("eigenvalues")[0][0].get<double>(), (-3.0 - std::sqrt(5.0)) / 2.0, 1e-14);
  EXPECT_TRUE(json({"--eigenvalues", "0"}).at("eigenvalues").is_null());
  const ProgramResult wrong = run({"--eigenvalues", "1", "--near", "1+2"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("bad-option"), std::string::npos) << wrong.err;
  EXPECT_EQ(run({"--as-given"}).status, 1) << "only with --mode";
}

TEST_F(LinearizeCommand, TextSaysWhatEigenvaluesMean) {
  const std::string text = run({"--at", "0"}).out;
  EXPECT_NE(text.find("  -1  time constant 1\n"), std::string::npos) << text;
  directory.write("model.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "s"}, {"name": "v"}], "equations": ["der(s) = v", "der(v) = -4*s"]})");
  const std::string oscillation = run({"--participation"}).out;  // λ = ±2i
  EXPECT_NE(oscillation.find("frequency 0.31831, damping ratio"), std::string::npos) << oscillation;
  EXPECT_NE(oscillation.find("s 0.5, v 0.5"), std::string::npos) << oscillation;
}

/// Entries of a Matrix Market file as a dense list.
std::vector<std::vector<double>> matrix_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  EXPECT_EQ(header, "%%MatrixMarket matrix coordinate real general");
  std::size_t rows = 0, columns = 0, entries = 0, i = 0, k = 0;
  double value = 0.0;
  file >> rows >> columns >> entries;
  std::vector<std::vector<double>> matrix(rows, std::vector<double>(columns, 0.0));
  while (file >> i >> k >> value) {
    matrix.at(i - 1).at(k - 1) = value;
    --entries;
  }
  EXPECT_EQ(entries, 0U);
  return matrix;
}

// ẋ = −x + n between the ticks of n: the eigenvalue 0 of n says nothing, and a warning names it. Without a clock there is none.
TEST_F(LinearizeCommand, WarnsOfSampledStates) {
  EXPECT_EQ(run({}).err.find("sampled"), std::string::npos);
  directory.write("model.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 1}, {"name": "n", "start": 3}], "sample": {"name": "c", "period": 0.5},
    "equations": ["der(x) = -x + n", "next(n) = 0.5*n + 1"]})");
  const ProgramResult result = run({});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.err.find("warning: sampled: n; "), std::string::npos) << result.err;
}

TEST_F(LinearizeCommand, WritesMatrixMarketFiles) {
  EXPECT_EQ(run({"--mode", "z=1", "--state-space", "--out", "here"}).status, 0);
  const auto here = directory.path() / "here";
  EXPECT_EQ(matrix_in(here / "A.mtx"),
            (std::vector<std::vector<double>>{{-1, 0, 1}, {1, -2, 0}, {0, 1, -1}}));
  EXPECT_EQ(matrix_in(here / "state_space_A.mtx"), (std::vector<std::vector<double>>{{-1, 1}, {1, -2}}));
  EXPECT_EQ(matrix_in(here / "D.mtx"), (std::vector<std::vector<double>>{{0}}));
  std::ifstream written(here / "linearization.json");
  EXPECT_EQ(Json::parse(written), json({"--mode", "z=1", "--state-space"}));
  EXPECT_EQ(run({"--at", "0", "--at", "1", "--out", "both"}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "both/2/E.mtx"));
}

// The model oscillates: λ = ±2i.
TEST_F(LinearizeCommand, ValuesToBeNearAreComplexNumbers) {
  directory.write("model.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "s"}, {"name": "v"}], "equations": ["der(s) = v", "der(v) = -4*s"]})");
  for (const char* near : {"2i", "-1e-3-j", "0.5+2i", "3i-2", "+0.1j"}) {
    const Json one = json({"--eigenvalues", "1", "--near", near}).at("eigenvalues");
    ASSERT_EQ(one.size(), 1U) << near;
    EXPECT_NEAR(one[0][1].get<double>(), near == std::string("-1e-3-j") ? -2.0 : 2.0, 1e-14) << near;
  }
  EXPECT_EQ(json({"--eigenvalues", "1", "--near", "-1"}).at("eigenvalues").size(), 2U)
      << "as near as each other";
  for (const char* near : {"1+2", "i+i", "1+2i+3", "x", "--1", "1 + 2i", "nan", "1+"})
    EXPECT_EQ(run({"--eigenvalues", "1", "--near", near}).status, 1) << near;
}

}  // namespace linearize_command_test
}  // namespace mti::test
