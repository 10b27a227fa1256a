// The three tanks (10)–(19) through the program: against the exact switching times at falling tolerances, and
// against the exact flow of every mode for other start values, parameters and inputs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "mti/common/at.hpp"
#include "tests/places.hpp"
#include "tests/program/simulation_run.hpp"
#include "tests/program/tank_variation.hpp"

namespace mti::test {
namespace three_tank_test {

using Json = nlohmann::json;

const std::filesystem::path root = source_dir();
const std::filesystem::path model_file = root / "examples/three_tank/model.json";
const std::set<std::string> valves = {"z1", "z3", "z5"};
constexpr double stop = 1000.0;

/// Largest error of the switching times; fails where the sequence of valves is another.
double time_error(const SimulationRun& run, const Json& expected) {
  const std::vector<Switch> found = switches(run, valves);
  EXPECT_EQ(found.size(), expected.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    EXPECT_EQ(Json(found[i].changed), expected[i].at("changed")) << "switch " << i;
    largest = std::max(largest, std::abs(found[i].time - expected[i].at("time").get<double>()));
  }
  return largest;
}

TEST(ThreeTank, SwitchingTimesApproachTheExactOnesAsTheToleranceFalls) {
  const Json reference = read_json(root / "tests/cases/reference/three_tank.json");
  std::map<double, double> error;
  double larger = 1.0;
  for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const SimulationRun run = simulate(model_file, rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    error[rtol] = time_error(run, reference.at("switches"));
    EXPECT_LT(error[rtol], larger) << "rtol = " << rtol;
    larger = error[rtol];
    if (rtol > 1e-8) continue;
    // The final state: its own error and that of the last switch, at slopes below 0.3 K/s.
    for (const auto& [name, value] : reference.at("samples")[0].at("values").items())
      EXPECT_NEAR(run.value(run.at(stop), name), value.get<double>(), 50.0 * rtol * 90.0 + 0.3 * error[rtol]);
  }
  EXPECT_LE(error.at(1e-8), 1e-4);
  EXPECT_LE(error.at(1e-10), 5e-6);
}

// However coarse the tolerance, a limit that is passed by more than its error bound is found within 10·rtol·T. Counted
// here from three times the error of one step, which is reached somewhat earlier: a tenth more, and back again. Limits of
// 40, 35, 45 K; each row of the output is 1 s.
TEST(ThreeTank, PassesNoLimitForLongAtACoarseTolerance) {
  const double rtol = 1e-2;
  const SimulationRun run = simulate(model_file, rtol, rtol);
  ASSERT_EQ(run.status, 0) << run.errors;
  for (const auto& [name, limit] : std::map<std::string, double>{{"x1", 40.0}, {"x2", 35.0}, {"x3", 45.0}}) {
    double since = 0.0, longest = 0.0;
    for (const SimulationRun::Row& row : run.rows) {
      if (run.value(row, name) <= limit + 3.0 * (rtol * limit + rtol)) since = row.time;
      longest = std::max(longest, row.time - since);
    }
    EXPECT_LE(longest, 11.0 * rtol * stop + 2.0) << name;
  }
}

// Where the error bounds of a tolerance are as wide as half of a band, a limit is passed, and the run says so.
TEST(ThreeTank, NamesALimitThatOnlyTheErrorBoundKeeps) {
  const SimulationRun run = simulate(model_file, 2e-2, 2e-2, {"--integrator", "ida"});
  ASSERT_EQ(run.status, 0) << run.errors;
  ASSERT_EQ(run.summary.at("warnings").size(), 1U);
  EXPECT_EQ(run.summary.at("warnings").at(0).get<std::string>().find("constraint tank1_high is above zero"),
            0U);
  EXPECT_TRUE(simulate(model_file, 1e-3, 1e-3).summary.at("warnings").empty());
}

// The oracle itself: the same 37 switches, published to 40 digits.
TEST(ExactTanks, GiveTheExactSwitchingTimes) {
  const Json expected = read_json(root / "tests/cases/reference/three_tank.json").at("switches");
  const ExactTanks::Result exact = ExactTanks{}.run(stop);
  ASSERT_EQ(exact.switches.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(exact.switches[i].time, expected[i].at("time").get<double>(), 1e-9) << "switch " << i;
}

/// A changed model with its exact counterpart.
struct Variation {
  Json model = read_json(model_file);
  ExactTanks tanks = {};
  std::map<std::string, std::string> files = {};

  Json& input(const std::string& name) {
    for (Json& entry : model.at("inputs"))
      if (entry.at("name") == name) {
        entry = {{"name", name}};
        return entry;
      }
    throw std::runtime_error("no input " + name);
  }
  void start_valves(int open) {
    tanks.valves = open;
    for (int k = 0; k < 3; ++k) model["binaries"][at(2 * k)]["start"] = open >> k & 1;
  }
};

constexpr double rtol = 1e-9;
constexpr double state_error = 50.0 * rtol * 90.0;  // K; local errors of 50 steps at |x| + nominal < 90
constexpr double fastest = 1.0;                     // K/s; largest |ẋ|

struct Expected {
  Switch change;
  double tolerance;
};

/// How far each switch moves when the limits of one tank are off by the error of a state, summed over the
/// tanks: the conditioning of the run, found by the exact flow alone. Switches that an input's jump makes
/// stay there.
std::vector<double> shifts(const ExactTanks& tanks, const std::vector<ExactSwitch>& exact) {
  std::vector<double> sum(exact.size(), 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    ExactTanks moved = tanks;
    for (TankPiece& piece : moved.pieces) {
      piece.low[k] += state_error;
      piece.high[k] += state_error;
    }
    const std::vector<ExactSwitch> other = moved.run(stop).switches;
    EXPECT_EQ(other.size(), exact.size()) << "too sensitive to be compared";
    for (std::size_t i = 0; i < std::min(other.size(), exact.size()); ++i)
      sum[i] += std::abs(other[i].time - exact[i].time);
  }
  return sum;
}

/// Exact switches in the names of the model; those of one instant are one.
std::vector<Expected> expected_switches(const ExactTanks& tanks, const std::vector<ExactSwitch>& exact) {
  std::vector<Expected> expected;
  const std::vector<double> shift = shifts(tanks, exact);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const ExactSwitch& one = exact[i];
    if (expected.empty() || expected.back().change.time != one.time)
      expected.push_back({{one.time}, one.slope == 0.0 ? 1e-9 : state_error / one.slope + shift[i]});
    for (int k = 0; k < 3; ++k)
      if (((one.before ^ one.after) >> k & 1) != 0)
        expected.back().change.changed["z" + std::to_string(2 * k + 1)] = one.after >> k & 1;
  }
  return expected;
}

/// Runs the variation and compares all of it with its exact counterpart.
SimulationRun expect_exact(const Variation& variation) {
  const ExactTanks::Result exact = variation.tanks.run(stop);
  SimulationRun run = simulate(variation.model, rtol, rtol, variation.files);
  EXPECT_EQ(run.status, 0) << run.errors;
  const std::vector<Switch> found = switches(run, valves);
  const std::vector<Expected> expected = expected_switches(variation.tanks, exact.switches);
  EXPECT_EQ(found.size(), expected.size());
  double shift = 0.0;
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    EXPECT_NEAR(found[i].time, expected[i].change.time, expected[i].tolerance) << "switch " << i;
    EXPECT_EQ(found[i].changed, expected[i].change.changed) << "switch " << i;
    shift = std::max(shift, expected[i].tolerance);
  }
  for (std::size_t k = 0; k < 3 && !run.rows.empty(); ++k)
    EXPECT_NEAR(run.value(run.rows.back(), "x" + std::to_string(k + 1)), exact.x[k],
                state_error + fastest * shift);
  return run;
}

TEST(ThreeTank, AgreesWithTheExactFlowFromAllStartValves) {
  for (int open = 0; open < 8; ++open) {
    SCOPED_TRACE(open);
    Variation variation;
    variation.start_valves(open);
    expect_exact(variation);
  }
}

TEST(ThreeTank, AgreesWithTheExactFlowForOtherParametersAndLimits) {
  std::mt19937 random(20250601);  // fixed seed
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int draw = 0; draw < 12; ++draw) {
    SCOPED_TRACE(draw);
    Variation variation;
    ExactTanks& tanks = variation.tanks;
    tanks.a1 = between(60.0, 160.0);
    tanks.a2 = between(60.0, 160.0);
    tanks.m = between(3.0, 8.0);
    tanks.fv = between(0.08, 0.14);
    TankPiece& piece = tanks.pieces[0];
    piece.ambient.constant = between(-5.0, 10.0);
    piece.inlet.constant = between(75.0, 90.0);
    variation.model["parameters"].update(
        {{"a1", tanks.a1}, {"a2", tanks.a2}, {"m", tanks.m}, {"fv", tanks.fv}});
    variation.input("u1")["value"] = piece.ambient.constant;
    variation.input("u2")["value"] = piece.inlet.constant;
    for (std::size_t k = 0; k < 3; ++k) {
      piece.low[k] = between(25.0, 32.0);
      piece.high[k] = piece.low[k] + between(4.0, 12.0);
      tanks.x[k] = between(piece.low[k] + 1.0, piece.high[k] - 1.0);
      variation.input("u" + std::to_string(2 * k + 3))["value"] = piece.low[k];
      variation.input("u" + std::to_string(2 * k + 4))["value"] = piece.high[k];
      variation.model["states"][k]["start"] = tanks.x[k];
    }
    variation.start_valves(std::uniform_int_distribution<int>(0, 7)(random));
    expect_exact(variation);
  }
}

TEST(ThreeTank, AgreesWithTheExactFlowUnderASineAmbient) {
  Variation variation;
  variation.input("u1")["sine"] = {{"amplitude", 8}, {"frequency", "1/300"}, {"phase", 0.7}, {"offset", -2}};
  variation.tanks.pieces[0].ambient = {
      .constant = -2.0, .amplitude = 8.0, .omega = 2.0 * std::numbers::pi / 300.0, .phase = 0.7};
  expect_exact(variation);
}

TEST(ThreeTank, AgreesWithTheExactFlowUnderAnInletThatJumpsAndRamps) {
  Variation variation;
  variation.input("u2")["table"] = {{"time", {0, 200, 200, 500, 700}}, {"value", {80, 80, 90, 90, 75}}};
  TankPiece piece;
  variation.tanks.pieces.clear();
  const auto add = [&](double begin, double constant, double slope) {
    piece.begin = begin;
    piece.inlet = {.constant = constant, .slope = slope};
    variation.tanks.pieces.push_back(piece);
  };
  add(0.0, 80.0, 0.0);
  add(200.0, 90.0, 0.0);
  add(500.0, 90.0 + 500.0 * 15.0 / 200.0, -15.0 / 200.0);
  add(700.0, 75.0, 0.0);
  expect_exact(variation);
}

/// u1 from a file of weather, held between its samples.
Variation under_weather() {
  Variation variation;
  variation.input("u1").update({{"csv", "weather.csv"}, {"column", "T"}, {"interpolation", "previous"}});
  std::string& csv = variation.files["weather.csv"] = "time,wind,T\n";
  TankPiece piece;
  variation.tanks.pieces.clear();
  for (int hour = 0; hour < 10; ++hour) {
    piece.begin = 100.0 * hour;
    piece.ambient.constant = (7 * hour) % 10 - 3.0;
    csv += std::to_string(100 * hour) + ",5," + std::to_string(piece.ambient.constant) + "\n";
    variation.tanks.pieces.push_back(piece);
  }
  return variation;
}

TEST(ThreeTank, AgreesWithTheExactFlowUnderWeatherFromAFile) { expect_exact(under_weather()); }

// A limit that jumps past a temperature switches at that instant, be it one valve or two.
TEST(ThreeTank, AgreesWithTheExactFlowUnderLimitsThatJump) {
  Variation variation;
  variation.input("u3").update(
      {{"table", {{"time", {0, 60, 400}}, {"value", {30, 27, 30}}}}, {"interpolation", "previous"}});
  variation.input("u7").update(
      {{"table", {{"time", {0, 10}}, {"value", {35, 39}}}}, {"interpolation", "previous"}});
  TankPiece piece;
  variation.tanks.pieces = {piece};
  const auto add = [&](double begin, double low1, double low3) {
    piece.begin = begin;
    piece.low = {low1, 25.0, low3};
    variation.tanks.pieces.push_back(piece);
  };
  add(10.0, 30.0, 39.0);
  add(60.0, 27.0, 39.0);
  add(400.0, 30.0, 39.0);
  expect_exact(variation);
}

/// The pump of the inlet as a binary input: off, every tank cools whatever its valve.
Variation with_pump() {
  Variation variation;
  variation.model["inputs"].push_back(
      {{"name", "pump"},
       {"binary", true},
       {"table", {{"time", {0, 300, 380, 610, 640}}, {"value", {1, 0, 1, 0, 1}}}}});
  for (std::size_t k = 0; k < 3; ++k) {
    std::string text = variation.model["equations"][k]["text"];
    text.insert(text.find(" = 0"), "*pump");
    variation.model["equations"][k]["text"] = text;
  }
  TankPiece piece;
  variation.tanks.pieces = {piece};
  for (const double begin : {300.0, 380.0, 610.0, 640.0}) {
    piece.begin = begin;
    piece.pump = !piece.pump;
    variation.tanks.pieces.push_back(piece);
  }
  return variation;
}

TEST(ThreeTank, AgreesWithTheExactFlowWithAPumpThatStops) {
  const SimulationRun run = expect_exact(with_pump());
  // The pump's own switches are events of kind input, at exactly the times of its table.
  std::vector<double> times;
  for (const Json& event : run.events)
    if (event.at("changed").contains("pump")) {
      EXPECT_EQ(event.at("kind"), "input");
      times.push_back(event.at("time").get<double>());
    }
  EXPECT_EQ(times, (std::vector<double>{300.0, 380.0, 610.0, 640.0}));
}

// Negative control: each variation is far from the unchanged model, so the oracle tells them apart.
TEST(ExactTanks, TellTheVariationsApart) {
  const std::vector<ExactSwitch> plain = ExactTanks{}.run(stop).switches;
  for (const Variation& variation : {under_weather(), with_pump()}) {
    const std::vector<ExactSwitch> other = variation.tanks.run(stop).switches;
    double largest = 0.0;
    for (std::size_t i = 0; i < std::min(plain.size(), other.size()); ++i)
      largest = std::max(largest, std::abs(plain[i].time - other[i].time));
    EXPECT_GT(largest, 0.1);
  }
}

}  // namespace three_tank_test
}  // namespace mti::test
