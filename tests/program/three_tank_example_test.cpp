// examples/three_tank: the program and the model file give the same files, and the tables of its README are
// those of a run beside the exact switching times (tests/cases/reference/three_tank.json).

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace three_tank_example_test {

using nlohmann::json;

const std::filesystem::path root = source_dir();
const std::string program = (examples_dir() / "three_tank").string();
const std::string model = (root / "examples/three_tank/model.json").string();

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  char text[200];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

json events_of_run(const Playground& playground, const std::string& options) {
  const std::string out = (playground.path() / "results").string();
  (void)output_of("'" + program_file().string() + "' simulate '" + model + "' --no-report --quiet --out '" +
                  out + "' " + options);
  return json::parse(read_text(out + "/events.json"));
}

/// Times at which `binary` becomes 1.
std::vector<double> rises(const json& events, const std::string& binary) {
  std::vector<double> times;
  for (const json& event : events)
    if (event["changed"].contains(binary) && event["changed"][binary][1] == 1) times.push_back(event["time"]);
  return times;
}

TEST(ThreeTankExample, ProgramAndModelFileGiveTheSameFiles) {
  const Playground playground;
  const json events = events_of_run(playground, "");
  const std::string printed =
      output_of("'" + program + "' '" + (playground.path() / "program").string() + "'");
  for (const char* file : {"trajectory.csv", "events.json"})
    EXPECT_EQ(read_text(playground.path() / "program" / file),
              read_text(playground.path() / "results" / file))
        << file;
  std::string expected;
  for (const json& event : events)
    for (const auto& [binary, values] : event["changed"].items())
      expected +=
          formatted("%10.5f s  %s = %d\n", event["time"].get<double>(), binary.c_str(), values[1].get<int>());
  EXPECT_EQ(printed, expected);
}

// Negative control: a run with another tolerance does not give the same numbers.
TEST(ThreeTankExample, OtherTolerancesGiveOtherFiles) {
  const Playground playground;
  const json events = events_of_run(playground, "--rtol 1e-7");
  (void)output_of("'" + program + "' '" + (playground.path() / "program").string() + "'");
  EXPECT_NE(read_text(playground.path() / "program/trajectory.csv"),
            read_text(playground.path() / "results/trajectory.csv"));
}

TEST(ThreeTankExample, TableOfSwitchingTimesIsThatOfARun) {
  const Playground playground;
  const json events = events_of_run(playground, "");
  const json exact = json::parse(read_text(root / "tests/cases/reference/three_tank.json"))["switches"];
  ASSERT_EQ(events.size(), exact.size());
  std::string table = "|  | valve | exact / s | mti / s | error / µs |\n|--:|:--|--:|--:|--:|\n";
  double largest = 0.0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const std::string valve = exact[k]["changed"].begin().key();
    const int opens = exact[k]["changed"].begin().value();
    ASSERT_TRUE(events[k]["changed"].contains(valve)) << k;
    EXPECT_EQ(events[k]["changed"][valve][1], opens) << k;
    const double error = events[k]["time"].get<double>() - exact[k]["time"].get<double>();
    largest = std::max(largest, std::abs(error));
    table += formatted("| %zu | %s %s | %.9f | %.6f | %+.1f |\n", k + 1, valve.c_str(),
                       opens != 0 ? "opens" : "closes", exact[k]["time"].get<double>(),
                       events[k]["time"].get<double>(), 1e6 * error);
  }
  Document readme("examples/three_tank/README.md");
  readme.expect_block("switching times", table);
  readme.expect_block("largest error",
                      formatted("The largest error of the 37 switching times is %.1e s.\n", largest));
  // The accuracy that is asked of rtol = atol = 1e-8.
  EXPECT_LE(largest, 1e-4);
}

TEST(ThreeTankExample, PeriodOfTheLimitCycleIsThatOfARun) {
  const double exact = 279.701214442044;  // 12 digits, from the exact flow
  const Playground playground;
  const std::vector<double> times =
      rises(events_of_run(playground, "--stop 2600 --output-interval 100"), "z3");
  ASSERT_GE(times.size(), 3U);
  const double period = times.back() - times[times.size() - 2];
  const double error = std::abs(period / exact - 1.0);
  Document("examples/three_tank/README.md")
      .expect_block("period", formatted("The last period before t = 2600 s is %.6f s, the exact one %.9f s: "
                                        "relative error %.1e.\n",
                                        period, exact, error));
  EXPECT_LE(error, 1e-6);
  // Negative control: the first period is still far from the limit.
  EXPECT_GT(std::abs((times[1] - times[0]) / exact - 1.0), 1e-3);
}

TEST(ThreeTankExample, TranscriptsAreThoseOfTheProgram) {
  const Playground playground;
  Document readme("examples/three_tank/README.md");
  readme.expect_transcript("run", playground.path());
  readme.expect_transcript("structure", playground.path());
}

}  // namespace three_tank_example_test
}  // namespace mti::test
