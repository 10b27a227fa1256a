// 1,000 random networks of relays and memory against a recursion that shares no code with the library and
// knows neither events nor sliding (tests/solvers/chattering_run.hpp).
//
// With MTI_KEEP_MODELS=DIR in the environment the models that differ are written there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/chattering_run.hpp"

namespace mti::test {
namespace chattering_campaign_test {

constexpr int networks_per_class = 112;  // 9 classes: 1,008
constexpr int coarse_steps = 16384, samples = 4;

struct Aim {
  ChatteringRun run;
  double tolerance = 0.0;
  bool usable = true;
};

/// The recursion at h and h/2. Its error is O(h), so that the second is off by about what the two are apart,
/// and chattering adds an amplitude of h·|ẋ|; a motion that depends on h to a fiftieth is no aim to compare
/// with.
Aim aim_of(const HybridNetwork& network) {
  const ChatteringRun coarse = chatter(network, coarse_steps, samples);
  Aim aim{chatter(network, 2 * coarse_steps, samples)};
  double apart = 0.0, size = 1.0;
  for (std::size_t k = 0; k < samples; ++k)
    for (std::size_t i = 0; i < network.start.size(); ++i) {
      apart = std::max(apart, std::abs(aim.run.samples[k][i] - coarse.samples[k][i]));
      size = std::max(size, std::abs(aim.run.samples[k][i]));
    }
  aim.tolerance = 5.0 * apart + 20.0 * network.stop / coarse_steps * std::max(1.0, aim.run.fastest);
  aim.usable =
      coarse.settled && aim.run.settled && apart < 0.02 * size && aim.run.binaries == coarse.binaries;
  return aim;
}

bool has_memory(const Law& law) {
  return std::holds_alternative<Trip>(law) || std::holds_alternative<Latch>(law) ||
         std::holds_alternative<SetReset>(law);
}

std::string text_of(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += " " + std::to_string(value);
  return text;
}

/// What is wrong with the run of the library; empty if nothing is.
std::string difference(const HybridNetwork& network, const Aim& aim) {
  SimulationOptions options{.max_seconds = 20.0};
  for (int k = 0; k <= samples; ++k) options.output_times.push_back(network.stop * k / samples);
  const Trajectory trajectory = simulate(read_model_text(network.text()), options);
  if (trajectory.outcome.kind != OutcomeKind::reached_stop)
    return to_string(trajectory.outcome.kind) + " at t = " + std::to_string(trajectory.outcome.end_time) +
           ": " + trajectory.outcome.message;
  for (std::size_t row = 1; row < trajectory.size(); ++row)
    if (trajectory.time(row) < trajectory.time(row - 1)) return "time runs back";
  for (std::size_t i = 1; i < trajectory.events.size(); ++i)
    if (trajectory.events[i].time < trajectory.events[i - 1].time) return "events run back";
  std::size_t row = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const double time = options.output_times[k + 1];
    while (row + 1 < trajectory.size() && trajectory.time(row + 1) <= time) ++row;
    if (trajectory.time(row) != time) return "no row at t = " + std::to_string(time);
    std::vector<double> x(network.start.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = trajectory.value(row, trajectory.column("x" + std::to_string(i + 1)));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!(std::abs(x[i] - aim.run.samples[k][i]) <= aim.tolerance))
        return "at t = " + std::to_string(time) + " x =" + text_of(x) + ", not" +
               text_of(aim.run.samples[k]) + " to " + std::to_string(aim.tolerance);
  }
  for (std::size_t i = 0; i < network.laws.size(); ++i) {
    const std::string name = "z" + std::to_string(i + 1);
    if (has_memory(network.laws[i]) &&
        trajectory.value(row, trajectory.column(name)) != static_cast<double>(aim.run.binaries[i]))
      return name + " ends as " + std::to_string(trajectory.value(row, trajectory.column(name)));
  }
  return "";
}

void keep(const std::string& name, const HybridNetwork& network, const std::string& what) {
  const char* directory = std::getenv("MTI_KEEP_MODELS");
  if (directory == nullptr) return;
  std::ofstream(std::filesystem::path(directory) / (name + ".json")) << network.text() << "\n";
  std::ofstream(std::filesystem::path(directory) / (name + ".txt")) << what << "\n";
}

struct Campaign {
  NetworkClass kind;
  const char* name;
};

/// A latch that chatters with two relays at once has the value of the surface met last: its share of time is
/// not a function of the weights, and such a motion is refused by name.
bool is_refused(NetworkClass kind, const std::string& what) {
  return kind == NetworkClass::latches && what.starts_with("dead_end") &&
         what.find("a latch would follow several surfaces") != std::string::npos;
}

class Chattering : public testing::TestWithParam<Campaign> {};

TEST_P(Chattering, IsTheLimitOfEveryNetwork) {
  int left_out = 0, refused = 0;
  for (std::uint32_t seed = 1; seed <= networks_per_class; ++seed) {
    const HybridNetwork network = random_network(GetParam().kind, seed);
    const Aim aim = aim_of(network);
    if (!aim.usable) {
      ++left_out;
      continue;
    }
    const std::string what = difference(network, aim);
    if (what.empty()) continue;
    if (is_refused(GetParam().kind, what)) {
      ++refused;
      continue;
    }
    ADD_FAILURE() << GetParam().name << " " << seed << ": " << what;
    keep(GetParam().name + ("_" + std::to_string(seed)), network, what);
  }
  EXPECT_LE(left_out, networks_per_class / 10);
  EXPECT_LE(refused, networks_per_class / 50) << "a refusal is for what has no limit, not a way out";
}

std::string test_name(const testing::TestParamInfo<Campaign>& instance) { return instance.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Classes, Chattering,
    testing::Values(Campaign{NetworkClass::relays, "relays"}, Campaign{NetworkClass::bilinear, "bilinear"},
                    Campaign{NetworkClass::products, "products"}, Campaign{NetworkClass::bands, "bands"},
                    Campaign{NetworkClass::gates, "gates"}, Campaign{NetworkClass::trips, "trips"},
                    Campaign{NetworkClass::latches, "latches"}, Campaign{NetworkClass::tied, "tied"},
                    Campaign{NetworkClass::mixed, "mixed"}),
    test_name);

}  // namespace chattering_campaign_test
}  // namespace mti::test
