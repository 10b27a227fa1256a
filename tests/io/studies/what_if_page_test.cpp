// The what-if page of a study in a browser: between the runs of a grid it shows what interpolation of the table gives, and
// tells where neighbouring runs have different events.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/studies/study.hpp"
#include "tests/io/report/report_browser.hpp"
#include "tests/io/studies/study_plans.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace what_if_page_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Table = std::map<std::string, std::vector<std::string>>;

/// x' = speed from x(0) = start to t = 2; high is 1 above 1.
const std::string plan_text = R"j({"format": "mti-study", "version": 1, "name": "ramp <&>",
  "model": {"format": "mti-model", "version": 1, "parameters": {"speed": 1}, "states": [{"name": "x", "start": 0}],
    "binaries": [{"name": "high"}], "equations": ["der(x) = speed", "high = x > 1"], "experiment": {"stop": 2, "rtol": 1e-9}},
  "design": "grid", "vary": {"speed": {"values": [0.1, 0.4, 1.5]}, "x": {"from": -1, "to": 1, "count": 5}},
  "keep": {"final": ["x"], "at": {"times": [0.5, 1, 1.5], "signals": ["x"]}, "event_counts": ["rise(high)"],
           "event_times": {"rise(high)": 1}}})j";

struct WhatIf : ::testing::Test {
  TemporaryDirectory directory;
  StudyEnd make(const std::string& text, const StudyOptions& options = {}) const {
    return run_study(read_study_plan(text), directory.path(), options);
  }
  std::string page() const { return read_text(directory.path() / "what_if.html"); }
  bool has_page() const { return fs::exists(directory.path() / "what_if.html"); }
};

const std::vector<double> speeds = {0.1, 0.4, 1.5}, starts = {-1, -0.5, 0, 0.5, 1};

/// By hand: the value of a column between runs, bilinearly.
double between(const std::vector<double>& column, double speed, double start) {
  std::size_t i = 0, j = 0;
  while (i + 2 < speeds.size() && speed > speeds[i + 1]) ++i;
  while (j + 2 < starts.size() && start > starts[j + 1]) ++j;
  const double p = (speed - speeds[i]) / (speeds[i + 1] - speeds[i]), q = (start - starts[j]) / 0.5;
  const auto at_corner = [&](std::size_t a, std::size_t b) {
    return column[(i + a) * starts.size() + j + b];
  };
  return (1 - p) * ((1 - q) * at_corner(0, 0) + q * at_corner(0, 1)) +
         p * ((1 - q) * at_corner(1, 0) + q * at_corner(1, 1));
}

/// What the page shows after its address was set: the table of quantities, the notice, the neighbours.
Json shown_at(const std::string& page, const std::string& address) {
  const std::string rows_of =
      "(id) => [...document.getElementById(id).rows].map((row) => "
      "[...row.cells].map((cell) => cell.textContent))";
  return after_steps(page, {"location.hash = '" + address + "'", "window.rows_of = " + rows_of},
                     "{quantities: rows_of('quantities'), neighbours: rows_of('neighbours'), notice: "
                     "document.getElementById('difference').textContent, title: document.title, middle: "
                     "document.querySelector('.middle').getAttribute('d'), corners: "
                     "document.querySelectorAll('.corner').length, texts: [...document.querySelectorAll("
                     "'input')].map((slider) => slider.getAttribute('aria-valuetext'))}");
}

TEST_F(WhatIf, ShowsWhatInterpolationOfTheTableGives) {
  EXPECT_TRUE(make(plan_text).is_complete());
  const Table table = study_table(directory.path());
  for (const auto& [speed, start] :
       std::vector<std::pair<double, double>>{{0.2, -0.75}, {0.1, 0.25}, {1.5, 1}}) {
    const Json shown =
        shown_at(page(), "speed=" + std::to_string(speed) + "&x=" + std::to_string(start) + "&unknown=3");
    EXPECT_EQ(shown["title"], "What if: ramp <&>");
    ASSERT_EQ(shown["quantities"].size(), 6U);
    for (const Json& row : shown["quantities"]) {
      const std::string name = row[0];
      if (name == "time(rise(high)#1)") continue;  // some runs have none
      const double expected = between(numbers_of(table.at(name)), speed, start);
      EXPECT_NEAR(std::stod(row[1].get<std::string>()), expected, 1e-5 * std::max(1.0, std::abs(expected)))
          << name << " at " << speed << ", " << start;
    }
    const std::size_t corners = (speed == 0.2 ? 2UL : 1UL) * (start == -0.75 || start == 0.25 ? 2UL : 1UL);
    EXPECT_EQ(shown["neighbours"].size(), corners);
    EXPECT_EQ(shown["corners"], corners) << "a curve of each neighbour";
  }
}

TEST_F(WhatIf, TellsWhereNeighboursHaveOtherEvents) {
  EXPECT_TRUE(make(plan_text).is_complete());
  // Of speed 0.4 from 0 comes nothing above 1; of 1.5 it does, at 2/3.
  const Json differ = shown_at(page(), "speed=1&x=0");
  EXPECT_NE(differ["notice"].get<std::string>().find("different events"), std::string::npos);
  ASSERT_EQ(differ["neighbours"].size(), 2U);
  EXPECT_EQ(differ["neighbours"][0][5], "0× rise(high)");
  EXPECT_EQ(differ["neighbours"][1][5], "rise(high) at 0.666667; 1× rise(high)");
  EXPECT_EQ(differ["neighbours"][0][3], "0.454545") << "(1.5 - 1)/(1.5 - 0.4)";
  for (const Json& row : differ["quantities"])
    if (row[0] == "time(rise(high)#1)") {
      EXPECT_EQ(row[1], "–") << "not of all neighbours";
      EXPECT_EQ(row[2], "0.666667");
    }
  EXPECT_EQ(shown_at(page(), "speed=0.2&x=-1")["notice"], "");
}

TEST_F(WhatIf, IsThereForWholeGridsOnly) {
  EXPECT_TRUE(make(plan_text, {.shard = StudyShard{1, 2}}).is_complete());
  EXPECT_FALSE(has_page()) << "half of the runs are missing";
  EXPECT_TRUE(make(plan_text, {.resume = true}).is_complete());
  ASSERT_TRUE(has_page());
  for (const std::string& reference : external_references(page()))
    EXPECT_TRUE(reference.starts_with("href=\"report.html\"")) << reference;
  EXPECT_NE(read_text(directory.path() / "report.html").find("href=\"what_if.html\""), std::string::npos);
  static_cast<void>(make(plan_text, {.resume = true, .page = StudyPage::left_out}));
  EXPECT_FALSE(has_page()) << "of an earlier run";
  std::string list = plan_text;
  list.replace(list.find("\"grid\""), 6, "\"list\"");
  const std::string five = R"({"from": -1, "to": 1, "count": 5})";
  list.replace(list.find(five), five.size(), R"({"values": [0, 1, 2]})");
  static_cast<void>(make(list));
  EXPECT_FALSE(has_page());
  EXPECT_EQ(read_text(directory.path() / "report.html").find("what_if.html"), std::string::npos);
}

}  // namespace what_if_page_test
}  // namespace mti::test
