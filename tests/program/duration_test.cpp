// Durations on the command line: mti simulate --every 60s.
#include <gtest/gtest.h>

#include <cmath>

#include "program/arguments/setting_arguments.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace duration_test {

TEST(Duration, HasAUnitOrIsInSeconds) {
  EXPECT_EQ(seconds_in("60"), 60.0);
  EXPECT_EQ(seconds_in("60s"), 60.0);
  EXPECT_EQ(seconds_in("+0.5s"), 0.5);
  EXPECT_EQ(seconds_in("250ms"), 0.25);
  EXPECT_EQ(seconds_in("1.5min"), 90.0);
  EXPECT_EQ(seconds_in("2h"), 7200.0);
  EXPECT_EQ(seconds_in("1e1s"), 10.0);
  for (const char* none :
       {"", "s", "ms", "min", "h", "60 s", "60m", "60sec", "s60", "1h30min", "60S", "1,5s"})
    EXPECT_TRUE(std::isnan(seconds_in(none))) << none;
}

TEST(Duration, OfCheckpoints) {
  TemporaryDirectory directory;
  directory.write("model.json", R"json({"format": "mti-model", "version": 1, "name": "steps",
    "states": [{"name": "x", "start": 1}, {"name": "v"}], "equations": ["der(x) = v", "der(v) = -x"],
    "experiment": {"stop": 100, "rtol": 1e-10}})json");
  const auto simulate = [&](const std::string& every) {
    return run_program(
        {"simulate", "model.json", "--no-report", "--quiet", "--checkpoint", "here", "--every", every},
        directory.path());
  };
  for (const char* every : {"1h", "60s", "5min"}) {
    EXPECT_EQ(simulate(every).status, 0) << every;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "here")) << every << " have not passed";
  }
  const ProgramResult often = simulate("0.001ms");
  EXPECT_EQ(often.status, 0) << often.err;
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "here"));
  for (const char* wrong : {"0", "0s", "-1s", "nan", "nans", "infs", "1e999h", "60 s", "soon"}) {
    const ProgramResult refused = simulate(wrong);
    EXPECT_EQ(refused.status, 1) << wrong;
    EXPECT_NE(refused.err.find("--every: found " + std::string(wrong)), std::string::npos) << refused.err;
  }
}

}  // namespace duration_test
}  // namespace mti::test
