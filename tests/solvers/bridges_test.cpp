#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// Bridges of four diodes, of which several switch within picoseconds: which one is first is decided by differences of states
/// that only the exact motion since the last switch tells, 10⁻⁹ V beside 10 V. Times and end values: piecewise exp(Mt) in
/// 420 binary digits.
namespace mti {
namespace bridges_test {

constexpr double T = 0.0587;

struct Switch {
  double t;
  std::string z;
  bool on;
};

/// All changes of binaries after the start.
std::vector<Switch> switches(const Trajectory& trajectory, const Model& model) {
  std::vector<Switch> found;
  for (const Event& event : trajectory.events)
    for (const Change& change : event.changed)
      if (event.time > 0.0)
        found.push_back({event.time, model.signature.row_name(change.row), change.after > 0.5});
  return found;
}

/// A floating source between v and v + u, C at v, and c behind the diodes.
TEST(Bridges, SwitchInTheirOrderWhereATriangleTurns) {
  const std::vector<Switch> exact = {{0.00500000000105, "z1", false},
                                     {0.00500000000109, "z3", false},
                                     {0.0100000552095, "z4", true},
                                     {0.0149382697919, "z2", true},
                                     {0.015000000001, "z4", false},
                                     {0.02, "z1", true},
                                     {0.02, "z2", false},
                                     {0.0249457004995, "z3", true},
                                     {0.025000000001, "z1", false},
                                     {0.0250000000011, "z3", false},
                                     {0.0300000552095, "z4", true},
                                     {0.0349382697919, "z2", true},
                                     {0.035000000001, "z4", false},
                                     {0.04, "z1", true},
                                     {0.04, "z2", false},
                                     {0.0449457004995, "z3", true},
                                     {0.045000000001, "z1", false},
                                     {0.0450000000011, "z3", false},
                                     {0.0500000552095, "z4", true},
                                     {0.0549382697919, "z2", true},
                                     {0.055000000001, "z4", false}};
  constexpr double c = 9.953925570253544;
  Source source;
  source.parameters = {{"G", 4e8}, {"Goff", 1e-9}};
  source.inputs = {
      {.name = "u", .form = TriangleSource{.period = 0.02, .low = -10.0, .high = 10.0, .start = -0.005}}};
  source.states = {{"v", 0.0}, {"c", 0.0}};
  source.binaries = {{"z1"}, {"z2"}, {"z3"}, {"z4"}};
  source.equations = {
      "4.5e-7*der(v) = -(v + u - c)*(G*z1 + Goff*(1 - z1)) - (v - c)*(G*z2 + Goff*(1 - z2)) - v*(G*z3 + "
      "Goff*(1 - z3)) - (v + u)*(G*z4 + Goff*(1 - z4))",
      "3e-4*der(c) = (v + u - c)*(G*z1 + Goff*(1 - z1)) + (v - c)*(G*z2 + Goff*(1 - z2)) - 3.75e-4*c"};
  source.constraints = {"(1 - 2*z1)*(v + u - c) <= 0", "(1 - 2*z2)*(v - c) <= 0", "(1 - 2*z3)*(-v) <= 0",
                        "(1 - 2*z4)*(-v - u) <= 0"};
  source.experiment = {.stop = T};
  const Model model = build(source);
  for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const Trajectory trajectory = simulate(model, {.rtol = rtol});
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << rtol << trajectory.outcome.message;
    EXPECT_TRUE(trajectory.warnings.empty()) << rtol;
    EXPECT_LE(trajectory.statistics.steps, 1000) << rtol;
    std::vector<Switch> found = switches(trajectory, model);
    std::erase_if(found, [](const Switch& of) { return of.t < 1e-9; });  // it starts at u = 0
    ASSERT_EQ(found.size(), exact.size()) << rtol;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const std::string what = std::to_string(std::log10(rtol)) + " switch " + std::to_string(k);
      EXPECT_EQ(std::pair(found[k].z, found[k].on), std::pair(exact[k].z, exact[k].on)) << what;
      EXPECT_NEAR(found[k].t, exact[k].t, rtol * T) << what;
    }
    EXPECT_NEAR(trajectory.value(trajectory.size() - 1, trajectory.column("c")), c, rtol * c) << rtol;
  }
}

/// The source feeds the bridge through an inductor, which rings with the capacitances of its ends whenever no diode conducts: more
/// than two hundred switches in three periods.
TEST(Bridges, RingBetweenTheirDiodes) {
  constexpr double c = 5.49094714265036, p = 2.818725822406795;
  Source source;
  source.parameters = {{"G", 1e6}, {"Goff", 1e-8}};
  source.inputs = {
      {.name = "u",
       .form =
           TableSource{.time = {0.0, 0.005, 0.015, 0.02}, .value = {0.0, 10.0, -10.0, 0.0}, .repeat = 0.02}}};
  source.states = {{"p", 0.0}, {"n", 0.0}, {"c", 0.0}, {"j", 0.0}};
  source.binaries = {{"z1"}, {"z2"}, {"z3"}, {"z4"}};
  source.equations = {
      "1e-7*der(p) = -(p - c)*(G*z1 + Goff*(1 - z1)) - p*(G*z3 + Goff*(1 - z3)) + j",
      "1e-7*der(n) = -(n - c)*(G*z2 + Goff*(1 - z2)) - n*(G*z4 + Goff*(1 - z4)) - j",
      "1e-4*der(c) = (p - c)*(G*z1 + Goff*(1 - z1)) + (n - c)*(G*z2 + Goff*(1 - z2)) - 0.015625*c",
      "1e-3*der(j) = u - 5*j - p + n"};
  source.constraints = {"(1 - 2*z1)*(p - c) <= 0", "(1 - 2*z2)*(n - c) <= 0", "(1 - 2*z3)*(-p) <= 0",
                        "(1 - 2*z4)*(-n) <= 0"};
  source.experiment = {.stop = T};
  const Model model = build(source);
  for (const double rtol : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const Trajectory trajectory = simulate(model, {.rtol = rtol});
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << rtol << trajectory.outcome.message;
    std::vector<Switch> found = switches(trajectory, model);
    std::erase_if(found, [](const Switch& one) { return one.t < 2e-6; });  // it starts at u = 0
    const auto of = [&](const char* z) {
      return std::ranges::count_if(found, [&](const Switch& one) { return one.z == z; });
    };
    EXPECT_EQ(of("z1"), 101) << rtol;
    EXPECT_EQ(of("z2"), 102) << rtol;
    EXPECT_NEAR(trajectory.value(trajectory.size() - 1, trajectory.column("c")), c, rtol * c) << rtol;
    EXPECT_NEAR(trajectory.value(trajectory.size() - 1, trajectory.column("p")), p, 10.0 * rtol * p) << rtol;
  }
}

}  // namespace bridges_test
}  // namespace mti
