// mti fit: the plan of docs/fitting.md, exit statuses and files, and how a search ends that is stopped.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace fit_command_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct FitCommand : ::testing::Test {
  TemporaryDirectory directory;
  ProgramResult run(const std::vector<std::string>& arguments) const {
    return run_program(arguments, directory.path());
  }
  Json result(const std::string& out) const {
    return Json::parse(read_text(directory.path() / out / "fit.json"));
  }
  void write_plan(const std::string& model, const std::string& parameters, const std::string& data) {
    directory.write("plan.json",
                    R"({"format": "mti-fit", "version": 1, "model": {"format": "mti-model", "version": 1, )" +
                        model + R"(}, "parameters": {)" + parameters +
                        R"(}, "experiments": [{"signals": {"x": )" + data + "}}]}");
  }
  void write_decay() {
    write_plan(
        R"("parameters": {"a": 1}, "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -a*x"])",
        R"("a": {"start": 1})", R"({"time": [1, 2], "value": [0.1, 0.02]})");
  }
};

/// Deviations of times of 0.02 in 10 and 4 of them: tau and warm are known to some per cent.
TEST_F(FitCommand, EstimatesWhatThePageSays) {
  const Document page("docs/fitting.md");
  directory.write("room.json", page.block("plan"));
  const ProgramResult done = run({"fit", "room.json", "--out", "room"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_TRUE(done.out.starts_with("room: converged: 9 observations")) << done.out;
  EXPECT_TRUE(done.out.ends_with("results in room\n")) << done.out;
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(directory.path() / "room"))
    files.insert(entry.path().filename());
  EXPECT_EQ(files, (std::set<std::string>{"fit.json", "residuals.csv"}));
  const Json fit = result("room");
  EXPECT_EQ(fit.at("end"), "converged");
  const Json& tau = fit.at("parameters").at(0);
  EXPECT_EQ(tau.at("name"), "tau");
  // Both coolings tell tau: 1.58 + 1.63 = 2 tau ln(16/14).
  EXPECT_NEAR(tau.at("value").get<double>(), 1.605 / std::log(16.0 / 14.0), 0.5);
  EXPECT_LT(tau.at("interval").at(0), tau.at("value"));
  const ProgramResult json = run({"fit", "-", "--out", "room", "--json"});
  EXPECT_EQ(json.status, 2) << "there is no plan on standard input";
  EXPECT_EQ(run({"fit", "room.json", "--out", "room", "--json"}).out,
            read_text(directory.path() / "room/fit.json"));
  EXPECT_EQ(run({"fit", "room.json", "--out", "room", "--quiet"}).out, "");
  const ProgramResult many = run({"fit", "room.json", "--out", "many", "--starts", "4", "--seed", "2"});
  EXPECT_EQ(many.status, 0) << many.err;
  EXPECT_EQ(result("many").at("starts").size(), 4U);
}

TEST_F(FitCommand, WarnsOfWhatTheDataDoNotDetermine) {
  write_plan(
      R"("parameters": {"a": 1, "b": 1}, "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -a*b*x"])",
      R"("a": {"start": 1}, "b": {"start": 2})", R"({"time": [1, 2, 3], "value": [0.3, 0.09, 0.027]})");
  const ProgramResult done = run({"fit", "plan.json"});
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.err,
            "plan.json:: warning: a, b are not told apart: the data stay as they are if one changes a by 100 "
            "%, b by "
            "-100 %\n");
  EXPECT_TRUE(result("out").at("parameters").at(0).at("deviation").is_null());
}

TEST_F(FitCommand, ExitStatusesSayHowItEnded) {
  write_decay();
  EXPECT_EQ(run({"fit", "plan.json", "--iterations", "1"}).status, 3);
  EXPECT_EQ(result("out").at("end"), "iteration_limit");
  EXPECT_EQ(run({"fit", "plan.json", "--starts", "3"}).status, 1) << "nothing has two bounds";
  EXPECT_EQ(run({"fit", "plan.json", "--start", "3"}).status, 1);
  EXPECT_EQ(run({"fit", "plan.json", "--max-seconds", "-1"}).status, 1);
  EXPECT_EQ(run({"fit", "none.json"}).status, 2);
  directory.write("plan.json", "{}");
  EXPECT_EQ(run({"fit", "plan.json"}).status, 2);
}

/// A search of many starts, each some milliseconds long, is stopped after a while.
TEST_F(FitCommand, EndsAtATimeWithWhatItHas) {
  directory.write(
      "plan.json",
      R"({"format": "mti-fit", "version": 1, "model": ")" +
          (source_dir() / "examples/three_tank/model.json").string() +
          R"(", "starts": 100000, "parameters": {"fv": {"start": 0.09, "lower": 0.05, "upper": 0.2}},
       "experiments": [{"signals": {"x1": {"time": [50, 100, 150, 200], "value": [36, 35, 36, 37]}}}]})");
  const ProgramResult late = run({"fit", "plan.json", "--max-seconds", "1"});
  EXPECT_EQ(late.status, 3);
  EXPECT_NE(late.err.find("plan.json:: time_budget: the search was not finished; "), std::string::npos)
      << late.err;
  EXPECT_EQ(result("out").at("end"), "time_budget");
  EXPECT_EQ(result("out").at("parameters").size(), 1U);
}

}  // namespace fit_command_test
}  // namespace mti::test
