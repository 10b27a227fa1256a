// The page of two runs: every row of both trajectory.csv is in it, the second run is dashed, and folders
// without results are refused.

#include "io/report/report_comparison.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "io/results/write_results.hpp"
#include "mti/common/fault.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/io/report/report_browser.hpp"
#include "tests/io/report/report_fixture.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace report_comparison_test {

using nlohmann::json;

/// x grows with the given slope until it is 1, then z is 1 and x stays; `extra` adds a signal.
Model ramp(double slope, bool extra) {
  Source source;
  source.name = "ramp";
  source.states = {{.name = "x"}};
  source.binaries = {{.name = "z"}};
  source.equations = {RelationSource("der(x) = " + std::to_string(slope) + "*(1 - z)")};
  source.constraints = {{"full", "(x - 1)*(1 - z) <= 0"}};
  if (extra) {
    source.algebraic = {{.name = "twice"}};
    source.equations.emplace_back("twice = 2*x");
  }
  source.experiment = {.stop = 4.0, .output_interval = 0.5};
  return build(source);
}

std::string comparison_of(const std::filesystem::path& first, const std::filesystem::path& second) {
  std::ostringstream out;
  write_comparison(out, read_result_folder(first), read_result_folder(second));
  return out.str();
}

struct TwoRuns {
  TemporaryDirectory directory;
  Trajectory slow, fast;

  TwoRuns() {
    slow = write("slow", ramp(0.5, false));
    fast = write("fast", ramp(1.0, true));
  }
  Trajectory write(const char* name, const Model& model) const {
    Trajectory run = simulate(model);
    EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    write_results(directory.path() / name, model, run, {}, WithReport::no);
    return run;
  }
  [[nodiscard]] std::filesystem::path folder(const char* name) const { return directory.path() / name; }
};

TEST(ReportComparison, ShowsEveryRowOfBothRuns) {
  const TwoRuns runs;
  ASSERT_EQ(runs.slow.events.size(), 1U);  // at 2
  ASSERT_EQ(runs.fast.events.size(), 1U);  // at 1
  const std::string html = comparison_of(runs.folder("slow"), runs.folder("fast"));
  EXPECT_EQ(external_references(html), std::vector<std::string>{});
  const json page = after_steps(html, {}, "[readBack(), document.body.innerText]");
  const json& shown = page[0];
  EXPECT_EQ(shown["errors"], json::array());
  ASSERT_EQ(shown["panels"].size(), 1U);
  const json& series = shown["panels"][0]["series"];
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[0]["label"], "x (slow)");
  EXPECT_EQ(series[1]["label"], "x (fast)");
  EXPECT_EQ(series[2]["label"], "twice (fast)");
  EXPECT_EQ(series[0]["points"], runs.slow.size());
  EXPECT_EQ(series[1]["points"], runs.fast.size());
  EXPECT_NEAR(series[0]["max"].get<double>(), 1.0, 1e-5);
  EXPECT_NEAR(series[2]["max"].get<double>(), 2.0, 1e-5);
  EXPECT_EQ(series[0]["dash"], "");
  EXPECT_NE(series[1]["dash"], "");
  EXPECT_EQ(series[0]["colour"], series[1]["colour"]);
  EXPECT_EQ(shown["panels"][0]["marks"], 2);
  ASSERT_EQ(shown["lanes"].size(), 1U);
  ASSERT_EQ(shown["lanes"][0]["series"].size(), 2U);
  for (const json& lane : shown["lanes"][0]["series"]) EXPECT_EQ(lane["changes"], 1);
  EXPECT_EQ(shown["events"]["listed"], 2);
  EXPECT_EQ(shown["phase"]["points"], runs.fast.size()) << "x over twice: only the fast run has both";
  EXPECT_NE(page[1].get<std::string>().find("Only in fast: twice"), std::string::npos);
}

TEST(ReportComparison, ValuesOfARunStayAtItsTimes) {
  const TwoRuns runs;
  const json merged =
      after_steps(comparison_of(runs.folder("slow"), runs.folder("fast")), {},
                  "[0, 1].map((run) => data.time.map((t, row) => [t, valuesOf(0, run)[row] ?? null])"
                  ".filter(([t, x]) => x !== null))");
  for (const std::size_t run : {0U, 1U}) {
    const double slope = run == 0 ? 0.5 : 1.0;
    for (const json& point : merged[run])
      EXPECT_NEAR(point[1].get<double>(), std::min(1.0, slope * point[0].get<double>()), 1e-5) << point;
  }
}

/// The fault of a comparison with a folder that was changed by `spoil`.
Fault fault_of(const std::function<void(const std::filesystem::path&)>& spoil) {
  const TwoRuns runs;
  spoil(runs.folder("fast"));
  try {
    static_cast<void>(comparison_of(runs.folder("slow"), runs.folder("fast")));
  } catch (const UnusableFile& invalid) {
    EXPECT_TRUE(invalid.faults().front().file.ends_with("fast"));
    return invalid.faults().front();
  }
  return {};
}

TEST(ReportComparison, RefusesFoldersWithoutResults) {
  for (const char* file : {"trajectory.csv", "events.json", "summary.json"}) {
    const Fault missing = fault_of([&](const auto& folder) { std::filesystem::remove(folder / file); });
    EXPECT_EQ(missing.id, "no-results");
    EXPECT_NE(missing.message.find(file), std::string::npos) << missing.message;
    for (const char* text :
         {"", "{", "[1]", "time,side,x\n0,0\n", "time,side,x\n1,0,2\n0,0,2\n", "time,side,x\n",
          "time,side,x\n0,0,a\n", "{\"outcome\": 1}", "[{\"time\": 1}]"}) {
      const Fault other = fault_of([&](const auto& folder) { std::ofstream(folder / file) << text; });
      EXPECT_EQ(other.id, "no-results") << file << ": " << text;
      EXPECT_NE(other.message.find(file), std::string::npos) << other.message;
    }
  }
}

}  // namespace report_comparison_test
}  // namespace mti::test
