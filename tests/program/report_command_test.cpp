// mti report: two runs in one page; the parameters of a run on the page of mti simulate.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/program/program_run.hpp"

namespace mti::test {
namespace report_command_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct ReportCommand : ::testing::Test {
  TemporaryDirectory directory;
  std::filesystem::path model = directory.write("model.json", R"({"format": "mti-model", "version": 1,
      "parameters": {"k": 2, "twice": "2*k"},
      "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -twice*x"]})");

  ProgramResult run(const Words& arguments) { return run_program(arguments, directory.path()); }

  /// The data of a page.
  Json data_of(const std::string& file) const {
    const std::string html = read_text(directory.path() / file);
    const std::string open = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = html.find(open) + open.size();
    return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  }
};

TEST_F(ReportCommand, WritesOnePageOfTwoRuns) {
  ASSERT_EQ(run({"simulate", "model.json", "--out", "slow", "--quiet"}).status, 0);
  ASSERT_EQ(run({"simulate", "model.json", "--out", "fast", "--set", "k=5", "--quiet"}).status, 0);
  const ProgramResult result = run({"report", "slow", "fast/", "--out", "both.html"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const Json data = data_of("both.html");
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["name"], "slow");
  EXPECT_EQ(data["runs"][1]["name"], "fast");
  EXPECT_NEAR(data["runs"][0]["values"][0].back().get<double>(), std::exp(-4.0), 1e-5);
  EXPECT_NEAR(data["runs"][1]["values"][0].back().get<double>(), std::exp(-10.0), 1e-5);
}

TEST_F(ReportCommand, RefusesFoldersWithoutResultsAndWrongUsage) {
  ASSERT_EQ(run({"simulate", "model.json", "--out", "good", "--quiet"}).status, 0);
  std::filesystem::create_directory(directory.path() / "empty");
  for (const Words& folders : {Words{"good", "empty"}, Words{"empty", "good"}}) {
    const ProgramResult result = run({"report", folders[0], folders[1], "--out", "both.html"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err.find("empty:: no-results: there is no trajectory.csv"), 0U) << result.err;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "both.html"));
  }
  EXPECT_EQ(run({"report", "good", "good"}).status, 1);
  EXPECT_EQ(run({"report", "good", "--out", "both.html"}).status, 1);
}

TEST_F(ReportCommand, PageOfARunHasTheParametersItWasRunWith) {
  ASSERT_EQ(run({"simulate", "model.json", "--out", "a", "--quiet"}).status, 0);
  EXPECT_EQ(data_of("a/report.html")["parameters"], Json::parse(R"([["k", "2"], ["twice", "4"]])"));
  ASSERT_EQ(run({"simulate", "model.json", "--out", "b", "--set", "k=5", "--set", "x=3", "--quiet"}).status,
            0);
  EXPECT_EQ(data_of("b/report.html")["parameters"],
            Json::parse(R"json([["k", "5 (--set)"], ["twice", "10"]])json"));
}

}  // namespace report_command_test
}  // namespace mti::test
