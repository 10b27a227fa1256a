// Results that are written while the run goes on are those of one that keeps its rows, to the last byte.
#include "io/results/result_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "mti/build/build.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace result_stream_test {

namespace fs = std::filesystem;

/// A triangle wave between 0 and 1; z counts for nothing else. An event in each second.
Model triangle_wave(double stop, double interval) {
  Source source;
  source.name = "wave";
  source.states = {{.name = "x", .start = 0.5}};
  source.binaries = {{.name = "up", .start = Number(1.0)}};
  source.equations = {"der(x) = 2*up - 1"};
  source.constraints = {{"low", "-x*(1 - up) <= 0"}, {"high", "(x - 1)*up <= 0"}};
  source.experiment.stop = stop;
  source.experiment.output_interval = interval;
  return build(source);
}

Trajectory stream(const fs::path& to, const Model& model, SimulationOptions options, WithReport with_report,
                  int* parts = nullptr) {
  ResultStream results(to, model, options, with_report);
  options.sink = [&](const Trajectory& part) {
    results.add(part);
    if (parts != nullptr) ++*parts;
  };
  Trajectory run = simulate(model, options);
  results.finish(run, with_report);
  return run;
}

/// The wall time differs from run to run.
std::string without_times(std::string text) {
  for (const char* mark : {"wall_seconds\": ", "\"date\":\""})
    if (const auto place = text.find(mark); place != std::string::npos)
      text.erase(place, text.find_first_of(",}\n", place) - place);
  return text;
}

void expect_same_files(const Model& model, const SimulationOptions& options, int least_parts) {
  const test::TemporaryDirectory directory;
  int parts = 0;
  const Trajectory streamed = stream(directory.path() / "streamed", model, options, WithReport::yes, &parts);
  EXPECT_GE(parts, least_parts);
  EXPECT_EQ(streamed.size(), 0U);
  EXPECT_TRUE(streamed.events.empty());
  const Trajectory kept = simulate(model, options);
  EXPECT_EQ(streamed.rows_in_all(), kept.size());
  EXPECT_EQ(streamed.statistics.events, kept.statistics.events);
  write_results(directory.path() / "kept", model, kept, options, WithReport::yes);
  for (const char* file : {"trajectory.csv", "events.json", "summary.json", "report.html"})
    EXPECT_TRUE(without_times(test::read_text(directory.path() / "streamed" / file)) ==
                without_times(test::read_text(directory.path() / "kept" / file)))
        << file;
}

TEST(ResultStream, FilesOfASmallRunAreTheSame) { expect_same_files(triangle_wave(10.0, 0.1), {}, 1); }

TEST(ResultStream, FilesOfManyRowsAreTheSame) { expect_same_files(triangle_wave(3.0, 1e-5), {}, 5); }

TEST(ResultStream, FilesOfManyEventsAreTheSame) { expect_same_files(triangle_wave(2000.0, 1.0), {}, 5); }

/// An output time at every event, whose row the event's two rows take the place of, also where a part ends there.
TEST(ResultStream, RowsThatEventsReplaceAreTheSame) { expect_same_files(triangle_wave(3000.0, 0.5), {}, 5); }

TEST(ResultStream, ARunThatEndsEarlyIsTheSame) {
  expect_same_files(triangle_wave(3000.0, 0.01), {.max_events = 900}, 3);
}

TEST(ResultStream, ARunInDiscreteTimeIsTheSame) {
  Source source;
  source.name = "counter";
  source.sample_time = 1.0;
  source.states = {{.name = "x", .start = 0.0}};
  source.binaries = {{.name = "z"}};
  source.equations = {"next(x) = x + 1 - 8*z"};
  source.constraints = {"(1 - 2*z)*(x - 6.5) <= 0"};
  source.experiment.stop = 100'000.0;
  expect_same_files(build(source), {}, 3);
}

TEST(ResultStream, NothingIsSeenBeforeTheEndAndNothingIsLeft) {
  const test::TemporaryDirectory directory;
  const Model model = triangle_wave(500.0, 1e-3);
  SimulationOptions options;
  {
    ResultStream results(directory.path(), model, options, WithReport::yes);
    options.sink = [&](const Trajectory& part) {
      results.add(part);
      for (const auto& file : fs::directory_iterator(directory.path()))
        EXPECT_EQ(file.path().filename().string().front(), '.') << file.path();
    };
    static_cast<void>(simulate(model, options));
    EXPECT_FALSE(fs::is_empty(directory.path()));
  }
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

}  // namespace result_stream_test
}  // namespace mti
