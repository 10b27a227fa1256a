#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// Diodes between capacitors, and between a capacitor and a constant voltage: the voltage of a diode that conducts is a small
/// difference of states that is no signal. The times are roots of the motions of each mode, piecewise exp(Mt) in 60
/// digits.
namespace mti {
namespace differences_of_states_test {

constexpr double A = 10.0, period = 0.02, T = 0.038;

InputSource triangle() {
  return {
      .name = "u",
      .form = TableSource{{0.0, 0.25 * period, 0.75 * period, 1.25 * period, 1.75 * period, 2.25 * period},
                          {0.0, A, -A, A, -A, A}}};
}
InputSource sine() { return {.name = "u", .form = SineSource{A, 1.0 / period, 0.0, 0.0}}; }

/// u charges C1 through a diode to ground in one half of a period, and C2 through C1 and another one in the other.
Source doubler(const InputSource& u, double G, double Goff, double C1, double C2, double R) {
  Source source;
  source.parameters = {{"G", G}, {"Goff", Goff}, {"C1", C1}, {"C2", C2}, {"R", R}};
  source.inputs = {u};
  source.states = {{"a", 0.0}, {"c", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 1.0}};
  source.equations = {"C1*der(a) = (u - a - c)*(z2*G + (1 - z2)*Goff) - (a - u)*(z1*G + (1 - z1)*Goff)",
                      "C2*der(c) = (u - a - c)*(z2*G + (1 - z2)*Goff) - c/R"};
  source.constraints = {"(1 - 2*z1)*(a - u) <= 0", "(1 - 2*z2)*(u - a - c) <= 0"};
  source.experiment = {.stop = T};
  return source;
}

/// A capacitor behind 10 Ω whose voltage a diode holds at 3 V.
Source clamp(const InputSource& u, double G, double Goff, double C) {
  Source source;
  source.parameters = {{"G", G}, {"Goff", Goff}, {"C", C}};
  source.inputs = {u};
  source.states = {{"c", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"C*der(c) = (u - c)/10 - (c - 3)*(z*G + (1 - z)*Goff)"};
  source.constraints = {"(1 - 2*z)*(c - 3) <= 0"};
  source.experiment = {.stop = T};
  return source;
}

/// u before 10 Ω, 1 mH and a capacitor; from it a diode charges another one. Rates of 2e6, 1e4 and 50 per second.
Source ladder(const InputSource& u, double G, double Goff) {
  Source source;
  source.parameters = {{"G", G}, {"Goff", Goff}};
  source.inputs = {u};
  source.states = {{"a", 0.0}, {"c", 0.0}, {"j", 0.0}};
  source.binaries = {{"z", 1.0}};
  source.equations = {"1e-3*der(a) = j - (a - c)*(z*G + (1 - z)*Goff)",
                      "1e-3*der(c) = (a - c)*(z*G + (1 - z)*Goff) - c/100", "1e-3*der(j) = u - 10*j - a"};
  source.constraints = {"(1 - 2*z)*(a - c) <= 0"};
  source.experiment = {.stop = T};
  return source;
}

struct Case {
  const char* name;
  Source source;
  std::vector<double> switches;
};

std::vector<Case> cases() {
  return {
      {"doubler, triangle",
       doubler(triangle(), 1e9, 1e-9, 1e-5, 1e-4, 1e4),
       {0.005000000000006306, 0.005453513949858062, 0.015000000000006931, 0.0154487998992159,
        0.025000000000006312, 0.026309451963049145, 0.03500000000000693, 0.03629474511815342}},
      {"doubler, sine",
       doubler(sine(), 1e9, 1e-15, 1e-3, 1e-3, 100.0),
       {0.00504984498242012, 0.008304044807026805, 0.015000000000999995, 0.018076578443231968,
        0.02511999044310743, 0.030591275121862046, 0.03500000000099999}},
      {"clamp, triangle",
       clamp(triangle(), 1e6, 1e-15, 1e-5),
       {0.0015999999887464803, 0.00850000001, 0.021599999999999998, 0.02850000001}},
      {"clamp, sine",
       clamp(sine(), 1e9, 1e-9, 1e-5),
       {0.0010703254881754638, 0.009030133159803217, 0.021070327842799726, 0.029030133159803215}},
      {"ladder, triangle",
       ladder(triangle(), 1e3, 1e-9),
       {0.009211828139194808, 0.026395705755316256, 0.02919303624493189}},
  };
}

std::vector<double> switching_times(const Trajectory& trajectory) {
  std::vector<double> times;
  for (const Event& event : trajectory.events)
    if (event.kind == EventKind::switch_mode) times.push_back(event.time);
  return times;
}

TEST(DifferencesOfStates, SwitchDiodesOnTimeAtEveryTolerance) {
  for (const Case& of : cases()) {
    const Model model = build(of.source);
    for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
      const Trajectory trajectory = simulate(model, {.rtol = rtol});
      const std::string what = std::string(of.name) + " rtol " + std::to_string(std::log10(rtol));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what << trajectory.outcome.message;
      EXPECT_TRUE(trajectory.warnings.empty()) << what;
      EXPECT_LE(trajectory.statistics.steps, 200) << what;
      const std::vector<double> times = switching_times(trajectory);
      ASSERT_EQ(times.size(), of.switches.size()) << what;
      for (std::size_t k = 0; k < times.size(); ++k)
        EXPECT_NEAR(times[k], of.switches[k], 10.0 * rtol * T) << what << " event " << k;
    }
  }
}

/// At a corner of u a current that flows stops, or goes on; at both it is asked for while it is known by a small difference alone.
TEST(DifferencesOfStates, ATableThatTurnsLeavesAModeOrKeepsIt) {
  for (const double atol : {1e-6, 1e-8, 1e-10, 1e-12}) {
    SimulationOptions options;
    options.rtol = 1e-4;
    options.atol = atol;
    const Trajectory trajectory = test::run(clamp(triangle(), 1e6, 1e-5, 1e-5), options);
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << atol << trajectory.outcome.message;
    const std::vector<double> times = switching_times(trajectory);
    ASSERT_EQ(times.size(), 4U) << atol;
    EXPECT_NEAR(times[1], 0.0085, 1e-4 * T) << atol;
  }
}

/// A bridge of four diodes: a floating source between v and v + u, and c behind them. Two diodes in series relax at 2e17 and 2e13
/// per second, and both states are fast. They end about where 10 sin wt falls faster than c, at tan wt = −wC/g, and c decays.
TEST(DifferencesOfStates, ABridgeEndsWhereItsCurrentDoes) {
  constexpr double c = 5.21423473887;
  for (const double G : {1e7, 1e8, 1e9})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      Source source;
      source.parameters = {{"G", G}, {"Goff", 1e-9}, {"g", 0.0078125}, {"C", 3e-5}};
      source.inputs = {sine()};
      source.states = {{"v", 0.5}, {"c", 2.0}};
      source.binaries = {{"z1"}, {"z2"}, {"z3"}, {"z4"}};
      source.equations = {
          "1e-8*der(v) = -(v + u - c)*(G*z1 + Goff*(1 - z1)) - (v - c)*(G*z2 + Goff*(1 - z2)) - v*(G*z3 + "
          "Goff*(1 - z3)) - "
          "(v + u)*(G*z4 + Goff*(1 - z4))",
          "C*der(c) = (v + u - c)*(G*z1 + Goff*(1 - z1)) + (v - c)*(G*z2 + Goff*(1 - z2)) - g*c"};
      source.constraints = {"(1 - 2*z1)*(v + u - c) <= 0", "(1 - 2*z2)*(v - c) <= 0", "(1 - 2*z3)*(-v) <= 0",
                            "(1 - 2*z4)*(-v - u) <= 0"};
      source.experiment = {.stop = 0.0387};
      const Trajectory trajectory = simulate(build(source), {.rtol = rtol});
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << G << ' ' << rtol;
      EXPECT_NEAR(trajectory.value(trajectory.size() - 1, trajectory.column("c")), c, 10.0 * rtol * c)
          << G << ' ' << rtol;
    }
}

}  // namespace differences_of_states_test
}  // namespace mti
