// The folders of examples/ are alike: each model is valid and runs, what its README shows is what the program
// prints, and its figures are drawn from that run.

#include "tests/program/gallery.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace gallery_test {

namespace fs = std::filesystem;

const fs::path examples = source_dir() / "examples";

std::string readme_of(const std::string& folder) { return read_text(examples / folder / "README.md"); }

/// All matches of the first group of a pattern.
std::vector<std::string> found_in(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

class GalleryFolder : public testing::TestWithParam<std::string> {
 protected:
  const std::string folder = GetParam();
};

TEST_P(GalleryFolder, HasTheCommonOutline) {
  const std::string text = readme_of(folder);
  std::vector<std::string> headings = found_in(text, "(?:^|\n)(## [^\n]*)");
  for (const char* heading : {"## Model", "## Running it", "## Results"})
    EXPECT_EQ(std::count(headings.begin(), headings.end(), heading), 1) << heading;
  const std::vector<std::string> pictures = found_in(text, R"(!\[[^\]]+\]\(([^)]+\.svg)\))");
  ASSERT_FALSE(pictures.empty());
  for (const std::string& picture : pictures) EXPECT_TRUE(fs::exists(examples / folder / picture)) << picture;
  EXPECT_NE(text.find("$ mti simulate examples/" + folder + "/model.json --out out/" + folder + "\n"),
            std::string::npos);
}

TEST_P(GalleryFolder, NothingIsWrongWithTheModel) {
  const ProgramResult result = run_program({"check", (examples / folder / "model.json").string()}, examples);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find(folder + ": valid"), std::string::npos) << result.out;
}

TEST_P(GalleryFolder, IsInTheIndex) {
  const std::string index = read_text(examples / "README.md");
  EXPECT_NE(index.find("(" + folder + "/README.md)"), std::string::npos);
  EXPECT_EQ(found_in(index, "<img src=\"(" + folder + "/[a-z_]+\\.svg)\"").size(), 1U);
}

/// A line of a figure in the units of the run, read back by the numbers that its panel has in data-x and data-y.
struct Curve {
  std::string x, y;  ///< columns of the trajectory
  bool every_row;    ///< one point for each row of the run, not for steps only
  double x_pixel, y_pixel;
  std::vector<std::pair<double, double>> points;
};

/// What stands between `name="` and `"` behind `from`; empty if nothing does before `end`.
std::string attribute(const std::string& text, const std::string& name, std::size_t from, std::size_t end) {
  const std::size_t begin = text.find(" " + name + "=\"", from);
  if (begin >= end) return {};
  const std::size_t first = begin + name.size() + 3;
  return text.substr(first, text.find('"', first) - first);
}

std::vector<Curve> curves_of(const std::string& svg) {
  struct Axis {
    double v0 = 0.0, p0 = 0.0, s = 1.0;
    explicit Axis(const std::string& text) { std::istringstream(text) >> v0 >> p0 >> s; }
    [[nodiscard]] double value(double pixel) const { return v0 + (pixel - p0) / s; }
  };
  std::vector<Curve> curves;
  for (std::size_t panel = 0; (panel = svg.find("<g data-x=", panel)) != std::string::npos; ++panel) {
    const std::size_t panel_end = svg.find("</g>", panel);
    const Axis x(attribute(svg, "data-x", panel, panel_end)), y(attribute(svg, "data-y", panel, panel_end));
    for (std::size_t line = panel; (line = svg.find("<polyline ", line)) < panel_end; ++line) {
      const std::size_t line_end = svg.find("/>", line);
      Curve curve{
          "", "", attribute(svg, "class", line, line_end) != "ink", std::abs(1.0 / x.s), std::abs(1.0 / y.s),
          {}};
      std::istringstream(attribute(svg, "data-columns", line, line_end)) >> curve.x >> curve.y;
      if (curve.y.empty()) continue;  // an expression of columns
      std::istringstream numbers(attribute(svg, "points", line, line_end));
      char comma = ' ';
      for (double px = 0.0, py = 0.0; numbers >> px >> comma >> py;)
        curve.points.emplace_back(x.value(px), y.value(py));
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

/// The points are rounded to tenths of a pixel.
constexpr double pixels = 0.11;

void expect_drawn_from(const Curve& curve, const SimulationRun& run) {
  const auto x_of = [&](const SimulationRun::Row& row) {
    return curve.x == "time" ? row.time : run.value(row, curve.x);
  };
  const auto meets = [&](const SimulationRun::Row& row, const std::pair<double, double>& point) {
    return std::abs(x_of(row) - point.first) <= pixels * curve.x_pixel &&
           std::abs(run.value(row, curve.y) - point.second) <= pixels * curve.y_pixel;
  };
  ASSERT_GT(curve.points.size(), 1U);
  for (const auto& point : curve.points)
    EXPECT_TRUE(std::any_of(run.rows.begin(), run.rows.end(),
                            [&](const SimulationRun::Row& row) { return meets(row, point); }))
        << curve.y << ": no row at " << point.first << ", " << point.second;
  if (!curve.every_row) return;
  const auto [low, high] = std::minmax_element(curve.points.begin(), curve.points.end());
  for (const SimulationRun::Row& row : run.rows) {
    const double value = run.value(row, curve.y), x = x_of(row);
    if (std::isnan(value) || x < low->first || x > high->first) continue;
    EXPECT_TRUE(std::any_of(curve.points.begin(), curve.points.end(),
                            [&](const auto& point) { return meets(row, point); }))
        << curve.y << ": no point for t = " << row.time;
  }
}

/// Two drawings that differ in rounded numbers only.
void expect_alike(const std::string& drawn, const std::string& committed) {
  static const std::regex number(R"([0-9]+\.[0-9]+(?:e[+-]?[0-9]+)?)");
  const auto numbers = [](const std::string& text) {
    std::vector<double> found;
    for (std::sregex_iterator match(text.begin(), text.end(), number), end; match != end; ++match)
      found.push_back(std::stod(match->str()));
    return found;
  };
  EXPECT_EQ(std::regex_replace(drawn, number, "#"), std::regex_replace(committed, number, "#"));
  const std::vector<double> left = numbers(drawn), right = numbers(committed);
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t k = 0; k < left.size(); ++k)
    EXPECT_NEAR(left[k], right[k], pixels + 1e-6 * std::abs(right[k])) << "number " << k;
}

/// What the README shows is run; then its lines "python3 examples/figures.py RESULTS FILE" say what was drawn
/// from which results.
TEST_P(GalleryFolder, ShowsWhatTheProgramPrintsAndDraws) {
  const Playground playground;
  Document readme("examples/" + folder + "/README.md");
  for (const std::string& marker : found_in(readme.text(), "<!-- begin: ([^>]*) -->\n```console\n"))
    readme.expect_transcript(marker, playground.path());
  static const std::regex drawing(R"(\$ python3 examples/figures.py (\S+) (\S+))");
  const std::string text = readme.text();
  for (std::sregex_iterator command(text.begin(), text.end(), drawing), end; command != end; ++command) {
    const fs::path results = playground.path() / (*command)[1].str(), figure = (*command)[2].str();
    SCOPED_TRACE(figure);
    SimulationRun run;
    read_trajectory(results / "trajectory.csv", run);
    const std::string committed = read_text(source_dir() / figure);
    EXPECT_LT(committed.size(), 60'000U);
    const std::vector<Curve> curves = curves_of(committed);
    EXPECT_FALSE(curves.empty());
    for (const Curve& curve : curves) expect_drawn_from(curve, run);
    if (std::system("python3 -c '' 2> /dev/null") != 0)
      continue;  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
    const fs::path drawn = playground.path() / "drawn" / figure.parent_path().filename() / figure.filename();
    fs::create_directories(drawn.parent_path());
    (void)output_of("python3 '" + (examples / "figures.py").string() + "' '" + results.string() + "' '" +
                    drawn.string() + "' 2>&1");
    expect_alike(read_text(drawn), committed);
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, GalleryFolder, testing::ValuesIn(gallery_folders()),
                         [](const auto& one) { return one.param; });

TEST(Gallery, HasTenFolders) { EXPECT_GE(gallery_folders().size(), 10U); }

// Negative control: a curve that is off by a pixel is seen.
TEST(Gallery, ADisplacedCurveIsSeen) {
  const SimulationRun run = run_of_example("thermostat");
  std::vector<Curve> curves = curves_of(read_text(examples / "thermostat/figure.svg"));
  ASSERT_EQ(curves.size(), 2U);
  ASSERT_EQ(curves[0].y, "T");
  expect_drawn_from(curves[0], run);
  const auto agrees = [&](const Curve& curve) {
    testing::TestPartResultArray failures;
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    expect_drawn_from(curve, run);
    return failures.size() == 0;
  };
  EXPECT_TRUE(agrees(curves[0]));
  for (auto& point : curves[0].points) point.second += curves[0].y_pixel;
  EXPECT_FALSE(agrees(curves[0]));
}

}  // namespace gallery_test
}  // namespace mti::test
