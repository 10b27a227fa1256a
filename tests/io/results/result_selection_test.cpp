// What is chosen of the rows of a run, while it goes on in many parts.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "io/results/result_columns.hpp"
#include "io/results/result_stream.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace result_selection_test {

/// A triangle wave between 0 and 1 with an event in each second, and an input.
Model triangle_wave(double stop, double interval) {
  Source source;
  source.states = {{.name = "x"}, {.name = "area"}};
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 0.1}}};
  source.binaries = {{.name = "up", .start = Number(1.0)}};
  source.equations = {"der(x) = 2*up - 1", "der(area) = x + u"};
  source.constraints = {{"low", "-x*(1 - up) <= 0"}, {"high", "(x - 1)*up <= 0"}};
  source.experiment.stop = stop;
  source.experiment.output_interval = interval;
  return build(source);
}

std::string written(const Model& model, const ResultSelection& selection, int* parts = nullptr) {
  const test::TemporaryDirectory directory;
  SimulationOptions options;
  options.rates = wants_rates(model, selection);
  ResultStream results(directory.path(), model, options, WithReport::no, selection);
  options.sink = [&](const Trajectory& part) {
    results.add(part);
    if (parts != nullptr) ++*parts;
  };
  results.finish(simulate(model, options), WithReport::no);
  return test::read_text(directory.path() /
                         (selection.file == RowFile::csv ? "trajectory.csv" : "trajectory.mat"));
}

struct Table {
  std::string header;
  std::vector<std::vector<double>> rows;
};

Table table_of(const std::string& csv) {
  std::istringstream lines(csv);
  Table table;
  std::getline(lines, table.header);
  for (std::string line; std::getline(lines, line);) {
    std::vector<double>& row = table.rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
  }
  return table;
}

/// Of the rows at one time the last one, where that is an output time: every third of them is one of an event.
TEST(ResultSelection, OfOutputTimesIsWhatFollowsThere) {
  constexpr double interval = 1.0 / 3.0;
  const Model model = triangle_wave(3000.0, interval);
  int parts = 0;
  const Table all = table_of(written(model, {}, &parts)),
              chosen = table_of(written(model, {.event_rows = false}));
  EXPECT_GT(parts, 3);
  EXPECT_EQ(all.header, "time,side,x,area,u,up");
  EXPECT_EQ(chosen.header, all.header);
  ASSERT_EQ(chosen.rows.size(), 9001U);
  std::size_t next = 0;
  for (std::size_t row = 0; row < all.rows.size(); ++row) {
    const double t = all.rows[row][0], k = std::round(t / interval);
    const bool is_last = row + 1 == all.rows.size() || all.rows[row + 1][0] != t;
    if (!is_last || std::abs(t - k * interval) > 1e-10 * t) continue;
    ASSERT_LT(next, chosen.rows.size());
    EXPECT_EQ(chosen.rows[next][1], 0.0);
    EXPECT_NEAR(chosen.rows[next][0], t, 1e-12 * t);
    for (const std::size_t column : {2, 3, 4, 5}) EXPECT_EQ(chosen.rows[next][column], all.rows[row][column]);
    ++next;
  }
  EXPECT_EQ(next, chosen.rows.size());
}

TEST(ResultSelection, OfSignalsHasSlopesWhereTheyAreAskedFor) {
  const Model model = triangle_wave(5.0, 0.25);
  const Table table = table_of(written(model, {.signals = {"der(*)", "u?", "u", "x"}}));
  EXPECT_EQ(table.header, "time,side,x,u,up,der(x),der(area)");
  ASSERT_GT(table.rows.size(), 20U);
  for (const std::vector<double>& row : table.rows) {
    EXPECT_EQ(row[5], 2.0 * row[4] - 1.0);
    EXPECT_NEAR(row[6], row[2] + row[3], 1e-6);  // rtol
  }
  EXPECT_FALSE(wants_rates(model, {}));
  EXPECT_FALSE(wants_rates(model, {.signals = {"x"}}));
  EXPECT_THROW(static_cast<void>(wants_rates(model, {.signals = {"x", "y"}})), InvalidOption);
}

/// The left row of `initial` has binaries as declared, and inputs at their values: what u was before, it never is in the run.
TEST(ResultSelection, InputsBeginWithTheRun) {
  for (const double start : {0.0, 1.0}) {
    Source source;
    source.states = {{.name = "x"}};
    source.inputs = {{.name = "u", .form = PulseSource{.period = 1.0, .low = -1.0, .high = 1.0}}};
    source.binaries = {{.name = "z"}};
    source.equations = {"der(x) = u"};
    source.constraints = {"(1 - 2*z)*(u - 0.5) <= 0"};
    source.experiment = {.start = start, .stop = start + 1.0};
    const Table table = table_of(written(build(source), {}));
    ASSERT_GT(table.rows.size(), 4U);
    EXPECT_EQ(table.rows[0], (std::vector<double>{start, -1.0, 0.0, 1.0, 0.0}));
    EXPECT_EQ(table.rows[1], (std::vector<double>{start, 1.0, 0.0, 1.0, 1.0}));
    for (const std::vector<double>& row : table.rows) {
      if (row[0] != start + 0.5) continue;
      EXPECT_EQ(row[3], row[1] < 0.0 ? 1.0 : -1.0);
    }
  }
}

/// Reads what is said of MAT files of level 4: five integers, the name, and the numbers.
TEST(ResultSelection, AsMatHasTheLayoutOfModelica) {
  const Model model = triangle_wave(50.0, 0.125);
  const Table rows = table_of(written(model, {}));
  const std::string mat = written(model, {.file = RowFile::mat});
  const auto integer = [&](std::size_t place) {
    std::int32_t number = 0;
    std::memcpy(&number, mat.data() + place, sizeof number);
    return static_cast<std::size_t>(number);
  };
  std::size_t place = 0;
  std::vector<std::string> names;
  for (const std::string expected : {"Aclass", "name", "description", "dataInfo", "data_1", "data_2"}) {
    ASSERT_LE(place + 20, mat.size());
    const std::size_t type = integer(place), height = integer(place + 4), width = integer(place + 8);
    EXPECT_EQ(integer(place + 12), 0U);
    const std::size_t name_size = integer(place + 16);
    EXPECT_EQ(mat.substr(place + 20, name_size), expected + '\0');
    place += 20 + name_size;
    const std::size_t size = type == 51 ? 1 : type == 20 ? 4 : 8;
    if (expected == "name")
      for (std::size_t i = 0; i < width; ++i) names.emplace_back(mat.data() + place + i * height, height);
    if (expected == "data_2") {
      EXPECT_EQ(height, 5U);
      ASSERT_EQ(width, rows.rows.size());
      ASSERT_EQ(mat.size(), place + 8 * height * width);
      for (std::size_t row = 0; row < width; ++row)
        for (std::size_t i = 0; i < height; ++i) {
          double value = 0.0;
          std::memcpy(&value, mat.data() + place + 8 * (row * height + i), 8);
          EXPECT_EQ(value, rows.rows[row][i == 0 ? 0 : i + 1]);
        }
    }
    place += size * height * width;
  }
  EXPECT_EQ(place, mat.size());
  ASSERT_EQ(names.size(), 5U);
  EXPECT_EQ(names[2].substr(0, names[2].find('\0')), "area");
}

}  // namespace result_selection_test
}  // namespace mti
