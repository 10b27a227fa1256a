#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

/// A bridge of six diodes of small resistance and leakage between three sources with inductances, which no neutral wire joins,
/// and a capacitor with a load. The currents add up to zero in every mode, so that each commutation is a restart at index 2.
namespace mti {
namespace three_phase_bridge_test {

struct Bridge {
  double Ron, rtol, L, C, R;
};

Source source_of(const Bridge& bridge) {
  Source source;
  source.parameters = {{"Ron", bridge.Ron}, {"L", bridge.L}, {"C", bridge.C}, {"R", bridge.R}};
  source.states = {{"vd", 0.0}};
  source.algebraic = {{"vp"}, {"vn"}, {"idc"}};
  source.equations = {"vd = vp - vn", "C*der(vd) = idc - vd/R"};
  std::string upper = "idc = 0", lower = "idc = 0";
  const auto diode = [&](const std::string& name, const std::string& v) {
    const std::string d = "d" + name, w = "w" + name, j = "j" + name;
    source.algebraic.push_back({j});
    source.algebraic.push_back({w});
    source.binaries.push_back({d});
    source.equations.emplace_back(w + " = " + v);
    source.equations.emplace_back(d + "*(" + w + " + Ron*" + j + ") + (1 - " + d + ")*(" + j + " + 1e-7*" +
                                  w + ") = 0");
    source.constraints.emplace_back(d + "*" + w + " <= 0");
    source.constraints.emplace_back("(1 - " + d + ")*" + w + " >= 0");
  };
  for (int k = 0; k < 3; ++k) {
    const std::string n = std::to_string(k);
    source.inputs.push_back({"e" + n, SineSource{325.0, 50.0, -2.0 * std::numbers::pi * k / 3.0, 0.0}});
    source.states.push_back({"i" + n, 0.0});
    source.algebraic.push_back({"v" + n});
    diode("t" + n, "vp - v" + n);
    diode("b" + n, "v" + n + " - vn");
    source.equations.emplace_back("L*der(i" + n + ") = e" + n + " - v" + n + " - 0.1*i" + n);
    source.equations.emplace_back("i" + n + " = jt" + n + " - jb" + n);
    upper += " + jt" + n;
    lower += " + jb" + n;
  }
  source.equations.emplace_back(upper);
  source.equations.emplace_back(lower);
  source.experiment = {.stop = 0.1, .rtol = bridge.rtol, .output_interval = 1e-4};
  return source;
}

/// No diode lets current back: between two rows vd falls no faster than into the load, by e^(−Δt/(RC)), but for leakage.
void expect_that_nothing_flows_back(const Bridge& bridge, const Trajectory& run) {
  const std::size_t vd = run.column("vd");
  for (std::size_t row = 1; row < run.size(); ++row) {
    const double before = run.value(row - 1, vd);
    if (before < 50.0) continue;
    const double least = before * std::exp(-(run.time(row) - run.time(row - 1)) / (bridge.R * bridge.C));
    ASSERT_GT(run.value(row, vd), least - 0.1) << "t = " << run.time(row);
  }
}

void expect_a_rectifier(const Bridge& bridge) {
  SCOPED_TRACE("Ron = " + std::to_string(bridge.Ron) + ", rtol = " + std::to_string(bridge.rtol));
  const Trajectory run = test::run(source_of(bridge), {});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_LT(run.statistics.candidates, 5000);
  expect_that_nothing_flows_back(bridge, run);
  Bridge exact = bridge;
  exact.rtol = 1e-9;
  const Trajectory close = test::run(source_of(exact), {});
  ASSERT_EQ(close.outcome.kind, OutcomeKind::reached_stop) << close.outcome.message;
  // Commutations are met within some rtol·T, at which currents change by some 10⁵ A/s at most.
  const double tolerance = 1e-3 + 100.0 * bridge.rtol * 530.0;
  for (const double t : {0.02, 0.0427, 0.06, 0.0781, 0.1})
    EXPECT_NEAR(test::recorded(run, "vd", t), test::recorded(close, "vd", t), tolerance) << "t = " << t;
}

/// What discharged the capacitor through a leg within microseconds, came to a dead end, or judged thousands of modes: impulses of
/// 10⁻⁴¹ V·s, which are rounding, turned the right mode down.
TEST(ThreePhaseBridge, NeverDischargesThroughALeg) {
  for (const Bridge& bridge : {Bridge{1e-4, 1e-6, 1e-3, 1e-3, 20.0},
                               Bridge{9.841622305336742e-4, 1.1997284496093445e-5, 1.1837586346593503e-4,
                                      2.6224080994056774e-3, 6.584667101966373},
                               Bridge{1.3337029478741717e-4, 2.914949273123209e-6, 7.072691692944759e-3,
                                      3.5948335911010977e-4, 24.495447308315153},
                               Bridge{9.010898460282653e-4, 1.7257605858715148e-7, 3.4306548212158873e-4,
                                      1.706665793287812e-4, 96.71030776234073},
                               Bridge{7.109701032648091e-5, 2.150218599841392e-6, 6.857635081271018e-3,
                                      3.2354842490736233e-4, 79.69974011603313}})
    expect_a_rectifier(bridge);
}

TEST(ThreePhaseBridge, OfAnyResistanceAtAnyTolerance) {
  std::mt19937_64 random(20261128);
  const auto power = [&](double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
  };
  for (int k = 0; k < 8; ++k) {
    const double Ron = power(-5.0, -2.5), rtol = power(-7.5, -4.5), L = power(-4.0, -2.0);
    expect_a_rectifier({Ron, rtol, L, power(-4.0, -2.5), power(0.7, 2.0)});
  }
}

}  // namespace three_phase_bridge_test
}  // namespace mti
