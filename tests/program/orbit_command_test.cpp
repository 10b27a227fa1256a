// mti orbit: one orbit, and branches of them with their files.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "tests/program/program_run.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace orbit_command_test {

using Json = nlohmann::json;

// x' = −x + A sin(πt): x has the amplitude A/√(1 + π²), of which "seen" sees 0.5 and more.
constexpr const char* driven = R"({"format": "mti-model", "version": 1, "name": "driven & <shown>",
  "parameters": {"A": 1, "B": 2}, "states": [{"name": "x"}], "binaries": [{"name": "z"}],
  "inputs": [{"name": "u", "sine": {"amplitude": 1, "frequency": 0.5}}],
  "equations": ["der(x) = A*u - x"],
  "constraints": [{"name": "seen", "text": "(x - 0.5)*(1 - z) <= 0"}, {"name": "gone", "text": "(0.5 - x)*z <= 0"}]})";

// r' = r (c − r²), φ' = 1: no orbit from c = 0 on.
std::string shrinking(const std::string& inputs) {
  return R"({"format": "mti-model", "version": 1, "parameters": {"c": 1},
    "states": [{"name": "x", "start": 1}, {"name": "y"}], "algebraic": [{"name": "q"}],)" +
         inputs + R"("equations": ["q = c - x^2 - y^2", "der(x) = x*q - y", "der(y) = y*q + x"]})";
}

TEST(OrbitCommand, FollowsAnOrbitAndWritesTableAndPicture) {
  const TemporaryDirectory directory;
  directory.write("model.json", driven);
  std::vector<std::string> words = {"orbit",    "model.json", "--period-guess", "2",
                                    "--follow", "A=1:3",      "--out",          "branch"};
  const ProgramResult text = run_program(words, directory.path());
  ASSERT_EQ(text.status, 0) << text.err;
  const std::vector<std::string> told = lines_of(text.out);
  ASSERT_GE(told.size(), 4U);
  EXPECT_EQ(told[1], "  A = 1: period 2, stable");
  EXPECT_EQ(told[2].substr(0, 12), "  A = 1.6484");  // 0.5 √(1 + π²) = 1.648454
  EXPECT_NE(told[2].find("grazing of seen, gone"), std::string::npos) << told[2];
  EXPECT_EQ(told.back(), "  A = 3: period 2, stable");
  const std::vector<std::string> table = lines_of(read_text(directory.path() / "branch" / "branch.csv"));
  EXPECT_EQ(table[0], "A,period,stability,kind,constraints,events,mu1_re,mu1_im,start(x),min(x),max(x)");
  const std::string page = read_text(directory.path() / "branch" / "branch.html");
  EXPECT_NE(page.find("<h1>driven &amp; &lt;shown&gt; over A</h1>"), std::string::npos);
  EXPECT_NE(page.find("grazing of seen, gone"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  words.emplace_back("--json");
  const Json branch = Json::parse(run_program(words, directory.path()).out);
  EXPECT_EQ(branch.at("complete"), true);
  EXPECT_EQ(branch.at("points").size() + 1, table.size());
}

// --set reaches the other parameters, and its value of the followed one is none of the branch.
TEST(OrbitCommand, FollowsBesideSettings) {
  const TemporaryDirectory directory;
  directory.write("model.json", driven);
  const ProgramResult run = run_program({"orbit", "model.json", "--period-guess", "2", "--follow", "A=1:1.2",
                                         "--set", "A=7", "--set", "B=3", "--steps", "2", "--json"},
                                        directory.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const Json points = Json::parse(run.out).at("points");
  EXPECT_EQ(points.front().at("parameter"), 1.0);
  EXPECT_EQ(points.back().at("parameter"), 1.2);
}

// x' = -x + sin 2πt/2: x(t) = (sin ωt - ω cos ωt)/(1 + ω²), wherever on it the orbit begins.
TEST(OrbitCommand, SaysWhereInTheirPeriodInputsAre) {
  const TemporaryDirectory directory;
  directory.write("model.json", R"json({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "inputs": [{"name": "u", "sine": {"amplitude": 1, "frequency": 0.5}}], "equations": ["der(x) = -x + u"]})json");
  for (const char* const settle : {"0", "0.3", "7.7"}) {
    const std::vector<std::string> words = {"orbit", "model.json", "--period-guess", "2", "--settle", settle};
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const ProgramResult run = run_program(as_json, directory.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const Json orbit = Json::parse(run.out);
    const double t = orbit.at("time"), w = std::numbers::pi;
    EXPECT_NEAR(orbit.at("x").at("x").get<double>(), (std::sin(w * t) - w * std::cos(w * t)) / (1.0 + w * w),
                1e-9);
    const std::string text = run_program(words, directory.path()).out;
    EXPECT_NE(text.find("start of the orbit, at t = "), std::string::npos) << text;
  }
}

TEST(OrbitCommand, RefusesWhatCannotBeFollowed) {
  const TemporaryDirectory directory;
  directory.write("model.json", driven);
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"orbit", "model.json", "--period-guess", "2"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult run = run_program(words, directory.path());
    EXPECT_EQ(run.status, 1) << more.back();
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  for (const char* range : {"A", "A=1", "A=1:", "A=:2", "A=1:1", "A=1:inf", "A=1:2:3", "=1:2", "A=nan:1"}) {
    const std::string message = refused({"--follow", range});
    EXPECT_NE(message.find("expected NAME=FROM:TO"), std::string::npos) << message;
  }
  EXPECT_NE(refused({"--steps", "3"}).find("--follow"), std::string::npos);
  EXPECT_NE(refused({"--out", "d"}).find("--follow"), std::string::npos);
  EXPECT_NE(refused({"--follow", "A=1:2", "--steps", "0"}).find("--steps"), std::string::npos);
  EXPECT_NE(refused({"--follow", "q=1:2"}).find("unknown-"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "out"));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "d"));
}

TEST(OrbitCommand, WritesOverNothingThatItReads) {
  const TemporaryDirectory directory;
  directory.write("branch.csv", "time,w\n0,0\n1,1\n");
  directory.write("model.json",
                  shrinking(R"("inputs": [{"name": "w", "csv": "branch.csv", "column": "w"}],)"));
  const ProgramResult refused = run_program(
      {"orbit", "model.json", "--period-guess", "6.2", "--follow", "c=1:-1", "--out", "."}, directory.path());
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("output-is-input"), std::string::npos) << refused.err;
  EXPECT_EQ(read_text(directory.path() / "branch.csv"), "time,w\n0,0\n1,1\n");
}

TEST(OrbitCommand, KeepsWhatIsFoundBeforeABranchEnds) {
  const TemporaryDirectory directory;
  directory.write("model.json", shrinking(""));
  const ProgramResult ended =
      run_program({"orbit", "model.json", "--period-guess", "6.2", "--follow", "c=1:-1"}, directory.path());
  EXPECT_EQ(ended.status, 3);
  EXPECT_NE(ended.err.find("branch-ends"), std::string::npos) << ended.err;
  EXPECT_GE(lines_of(read_text(directory.path() / "out" / "branch.csv")).size(), 10U);
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "out" / "branch.html"));
}

}  // namespace orbit_command_test
}  // namespace mti::test
