// The page of a study: what it draws is what is in the table, in XML that a parser takes, with nothing from elsewhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "io/studies/study.hpp"
#include "io/studies/svg_plot.hpp"
#include "tests/io/studies/study_plans.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace study_report_test {

std::string page_of(const std::string& members) {
  const TemporaryDirectory directory;
  run_study(read_study_plan(decay_plan(members)), directory.path() / "s", {.jobs = 2});
  return read_text(directory.path() / "s" / study_page_name);
}

/// All first groups of a pattern.
std::vector<std::string> found_in(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

TEST(StudyReport, RoundNumbersAreRoundAndWithin) {
  EXPECT_EQ(round_numbers(0, 10), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_numbers(-1, 1).size(), 5U);
  for (const double high : {1e-9, 0.37, 12.3, 99.9, 5e17}) {
    const std::vector<double> numbers = round_numbers(-high / 3, high);
    EXPECT_GE(numbers.size(), 3U) << high;
    EXPECT_LE(numbers.size(), 8U) << high;
    EXPECT_GE(numbers.front(), -high / 3);
    EXPECT_LE(numbers.back(), high * (1 + 1e-12));
    EXPECT_EQ(std::ranges::count(numbers, 0.0), 1);
  }
  // Extremes that differ by a rounding: steps of 1e-16 that end, and a plot that shows one number.
  EXPECT_LE(round_numbers(2.0, 2.0 + 4e-16).size(), 8U);
  SvgPlot plot({2.0, 2.0 + 4e-16}, {0.0, 1.0}, "x");
  plot.bar(2.0, 2.0 + 4e-16, 1.0);
  EXPECT_EQ(found_in(plot.svg("one"), "class=\"x\" x=\"[0-9.]*\" y=\"[0-9.]*\">([0-9.]*)<"),
            (std::vector<std::string>{"1.9", "1.95", "2", "2.05", "2.1"}));
}

TEST(StudyReport, BarsOfAHistogramCountTheRuns) {
  const std::string page = page_of(R"("name": "a <b> & \"c\"", "design": "sobol", "runs": 256,
      "vary": {"a": {"uniform": [0.5, 1]}, "x": {"normal": {"mean": 1, "deviation": 0.1}}}, "keep": {"final": ["x"]})");
  EXPECT_NE(page.find("<title>a &lt;b&gt; &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_NE(page.find("256 of 256 runs: 256 reached_stop"), std::string::npos);
  double sum = 0.0;
  for (const std::string& count : found_in(page, R"( to [^<:]*: ([0-9.]+)</title></rect>)"))
    sum += std::stod(count);
  EXPECT_EQ(sum, 256.0);
  // A drawing for the histogram and one for each factor, with a dot for each run.
  EXPECT_EQ(found_in(page, "(<svg )").size(), 3U);
  const std::vector<std::string> dots = found_in(page, "class=\"dots\" d=\"([^\"]*)\"");
  ASSERT_EQ(dots.size(), 2U);
  EXPECT_EQ(std::ranges::count(dots[0], 'M'), 256);
  EXPECT_EQ(found_in(page, "(https?:|<script|src=|url\\()").size(), 0U);
}

TEST(StudyReport, FanIsThatOfValuesAtTimes) {
  const std::string page = page_of(R"("design": "grid", "vary": {"a": {"from": 0.5, "to": 1, "count": 5}},
      "keep": {"at": {"times": [2, 0, 1], "signals": ["x"]}}, "quantiles": [0, 0.5, 1])");
  EXPECT_EQ(found_in(page, "class=\"(band)\"").size(), 1U);
  const std::vector<std::string> middle = found_in(page, "class=\"middle\" points=\"([^\"]*)\"");
  ASSERT_EQ(middle.size(), 1U);
  // x = 1, e^−0.75, e^−1.5 at t = 0, 1, 2, between e^−2 below and 1 above on 144 pixels that begin at 8.
  const double low = std::exp(-2.0);
  std::size_t k = 0;
  for (const std::string& pixel : found_in(middle[0], ",([0-9.]+)"))
    EXPECT_NEAR(std::stod(pixel), 152 - 144 * (std::exp(-0.75 * static_cast<double>(k++)) - low) / (1 - low),
                0.1);
  EXPECT_EQ(k, 3U);
}

TEST(StudyReport, FailuresAreListed) {
  const TemporaryDirectory directory;
  const StudyPlan plan =
      read_study_plan(R"({"format": "mti-study", "version": 1, "model": {"format": "mti-model",
      "version": 1, "parameters": {"speed": 1}, "states": [{"name": "x", "start": 0}], "equations": ["der(x) = speed"],
      "constraints": [{"name": "wall", "text": "x <= 1"}], "experiment": {"stop": 2}}, "design": "list",
      "vary": {"speed": {"values": [0.25, 1, 2]}}, "keep": {"final": ["x"]}})");
  run_study(plan, directory.path() / "s");
  const std::string page = read_text(directory.path() / "s" / study_page_name);
  EXPECT_EQ(found_in(page, "<td>(dead_end)</td>").size(), 2U);
  run_study(plan, directory.path() / "n", {.page = StudyPage::left_out});
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "n" / study_page_name));
}

}  // namespace study_report_test
}  // namespace mti::test
