#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// Bridges and clamps of diodes, of which several switch within picoseconds: which one is first is decided by differences of
/// states that only the exact motion since the last switch tells, 10⁻⁹ V beside 10 V. Times and end values: piecewise exp(Mt)
/// in 420 binary digits.
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

/// At every tolerance the model switches when it does, and only then. What happens before `from` is not looked at.
void expect_switches(const Model& model, const std::vector<Switch>& exact, double from, double duration = T) {
  for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const Trajectory trajectory = simulate(model, {.rtol = rtol});
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << rtol << trajectory.outcome.message;
    EXPECT_TRUE(trajectory.warnings.empty()) << rtol;
    EXPECT_LE(trajectory.statistics.steps, 1000) << rtol;
    std::vector<Switch> found = switches(trajectory, model);
    std::erase_if(found, [&](const Switch& of) { return of.t < from; });
    // Of what is at the same time the order does not matter.
    constexpr double roundings = 1e-14;
    for (std::size_t k = 1; k < found.size(); ++k)
      if (found[k].t - found[k - 1].t <= roundings * found[k].t && found[k].z < found[k - 1].z)
        std::swap(found[k], found[k - 1]);
    ASSERT_EQ(found.size(), exact.size()) << rtol;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const std::string what = std::to_string(std::log10(rtol)) + " switch " + std::to_string(k);
      EXPECT_EQ(std::pair(found[k].z, found[k].on), std::pair(exact[k].z, exact[k].on)) << what;
      EXPECT_NEAR(found[k].t, exact[k].t, rtol * duration) << what;
    }
  }
}

/// A floating source between v and v + u, capacitance at v, and c with its load behind the diodes.
Source bridge() {
  Source source;
  source.states = {{"v", 0.0}, {"c", 0.0}};
  source.binaries = {{"z1"}, {"z2"}, {"z3"}, {"z4"}};
  source.equations = {
      "Cv*der(v) = -(v + u - c)*(G*z1 + Goff*(1 - z1)) - (v - c)*(G*z2 + Goff*(1 - z2)) - v*(G*z3 + "
      "Goff*(1 - z3)) - (v + u)*(G*z4 + Goff*(1 - z4))",
      "Cc*der(c) = (v + u - c)*(G*z1 + Goff*(1 - z1)) + (v - c)*(G*z2 + Goff*(1 - z2)) - Gload*c"};
  source.constraints = {"(1 - 2*z1)*(v + u - c) <= 0", "(1 - 2*z2)*(v - c) <= 0", "(1 - 2*z3)*(-v) <= 0",
                        "(1 - 2*z4)*(-v - u) <= 0"};
  source.experiment = {.stop = T};
  return source;
}

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
  Source source = bridge();
  source.parameters = {{"G", 4e8}, {"Goff", 1e-9}, {"Cv", 4.5e-7}, {"Cc", 3e-4}, {"Gload", 3.75e-4}};
  source.inputs = {
      {.name = "u", .form = TriangleSource{.period = 0.02, .low = -10.0, .high = 10.0, .start = -0.005}}};
  const Model model = build(source);
  expect_switches(model, exact, 1e-9);  // it starts at u = 0
  for (const double rtol : {1e-4, 1e-7, 1e-10}) {
    const Trajectory trajectory = simulate(model, {.rtol = rtol});
    EXPECT_NEAR(trajectory.value(trajectory.size() - 1, trajectory.column("c")), c, rtol * c) << rtol;
  }
}

/// Diodes of little conductance relax within 9·10⁻¹¹ s, which time resolves. What they relax to is smaller than what is left of
/// where they have been.
TEST(Bridges, SwitchWhenTheirTransientsAreSmallerThanTheirLeakage) {
  const std::vector<Switch> exact = {{2.66226306944796e-06, "z4", false}, {0.00499999999994518, "z1", true},
                                     {0.00500000000311036, "z2", false},  {0.00999440170351447, "z3", true},
                                     {0.0100001934233899, "z1", false},   {0.0100001966825763, "z3", false},
                                     {0.0150000000002835, "z4", true},    {0.0199936659229632, "z2", true},
                                     {0.0200001934233375, "z4", false},   {0.0249999999999452, "z1", true},
                                     {0.0250000000031111, "z2", false},   {0.0299968660628016, "z3", true},
                                     {0.0300001934215542, "z1", false},   {0.0300001966807406, "z3", false},
                                     {0.0350000000002835, "z4", true},    {0.0399936659247944, "z2", true},
                                     {0.0400001934233375, "z4", false},   {0.0449999999999452, "z1", true},
                                     {0.0450000000031111, "z2", false},   {0.0499968660628016, "z3", true},
                                     {0.0500001934215542, "z1", false},   {0.0500001966807406, "z3", false},
                                     {0.0550000000002835, "z4", true}};
  Source source = bridge();
  source.parameters = {{"G", 6580.0},
                       {"Goff", 6.67e-15},
                       {"Cv", 5.876800515024215e-07},
                       {"Cc", 0.0009173287240226588},
                       {"Gload", 0.00011280801764963035}};
  source.states = {{"v", -2.683}, {"c", 2.198}};
  source.inputs = {
      {.name = "u", .form = TriangleSource{.period = 0.02, .low = -10.0, .high = 10.0, .start = 0.0}}};
  expect_switches(build(source), exact, 1e-9);
}

/// c is held to two levels. Where the source falls at once, the diode that conducts goes on for 10⁻¹⁴ s, with 7·10⁻⁸ V.
TEST(Clamps, SwitchOnceWhereTheirSourceJumps) {
  const std::vector<Switch> exact = {
      {0.00400185338838468, "z1", true}, {0.0120000000000128, "z1", false}, {0.0120009506800088, "z2", true},
      {0.02000000000041, "z2", false},   {0.0240018533883847, "z1", true},  {0.0320000000000128, "z1", false},
      {0.0320009506800088, "z2", true},  {0.04000000000041, "z2", false},   {0.0440018533883847, "z1", true},
      {0.0520000000000128, "z1", false}, {0.0520009506800088, "z2", true}};
  Source source;
  source.parameters = {
      {"G", 7.4e7}, {"Goff", 4.22e-9}, {"C", 1.5028480604769182e-06}, {"Gs", 0.7429882251198708}};
  source.inputs = {{.name = "u",
                    .form = TableSource{.time = {0.0, 0.004, 0.008, 0.012, 0.016},
                                        .value = {0.0, 5.0, 10.0, -5.0, -10.0},
                                        .interpolation = Interpolation::previous,
                                        .repeat = 0.02}}};
  source.states = {{"c", 1.471}};
  source.binaries = {{"z1"}, {"z2"}};
  source.algebraic = {{"v1"}, {"v2"}};
  source.equations = {"C*der(c) = -v1*(G*z1 + Goff*(1 - z1)) + v2*(G*z2 + Goff*(1 - z2)) + Gs*u - Gs*c",
                      "v1 = c - 3", "v2 = -c"};
  source.constraints = {"(1 - 2*z1)*v1 <= 0", "(1 - 2*z2)*v2 <= 0"};
  source.experiment = {.stop = T};
  expect_switches(build(source), exact, 0.0);
}

/// The run begins beyond the level, and is below it for good 10⁻¹² s later, by 10⁻⁸ V.
TEST(Clamps, SwitchAtOnceWhereTheyBeginBeyondTheirLevel) {
  const std::vector<Switch> exact = {{1.08303398200453e-12, "z1", false}, {0.000324409225746154, "z1", true},
                                     {0.0096811571957372, "z1", false},   {0.0103244092257462, "z2", true},
                                     {0.0196811571957372, "z2", false},   {0.0203244092257462, "z1", true},
                                     {0.0296811571957372, "z1", false},   {0.0303244092257462, "z2", true},
                                     {0.0396811571957372, "z2", false},   {0.0403244092257462, "z1", true},
                                     {0.0496811571957372, "z1", false},   {0.0503244092257462, "z2", true}};
  Source source;
  source.parameters = {
      {"G", 3.51e7}, {"Goff", 1.73e-11}, {"C", 2.0836472248990374e-06}, {"Gs", 0.3743568861044655}};
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 10.0, .frequency = 50.0}}};
  source.states = {{"c", 1.894}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {
      "C*der(c) = -(c - 1)*(G*z1 + Goff*(1 - z1)) + (-c - 1)*(G*z2 + Goff*(1 - z2)) + Gs*u - Gs*c"};
  source.constraints = {"(1 - 2*z1)*(c - 1) <= 0", "(1 - 2*z2)*(-c - 1) <= 0"};
  source.experiment = {.stop = T};
  expect_switches(build(source), exact, 0.0);
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

/// A chopper whose two diodes begin to conduct together: the one to the source, which is down, and the one to the ground. Each
/// then carries one half of the current, at 10⁻⁸ V, which is less than ε of the source's 12 V.
TEST(Choppers, TurnTwoDiodesOnTogether) {
  constexpr double period = 0.00011284051617118748, stop = 5.5 * period;
  const std::vector<Switch> exact = {
      {5.86770684090175e-05, "z2", false}, {5.87258080065656e-05, "z1", true},
      {5.87258080065656e-05, "z2", true},  {0.000112840516171187, "z1", false},
      {0.000171517584580205, "z2", false}, {0.000171570432843074, "z1", true},
      {0.000171570432843074, "z2", true},  {0.000225681032342375, "z1", false},
      {0.000284358100751392, "z2", false}, {0.000284418522183956, "z1", true},
      {0.000284418522183956, "z2", true},  {0.000338521548513562, "z1", false},
      {0.00039719861692258, "z2", false},  {0.000397268480227629, "z1", true},
      {0.000397268480227629, "z2", true},  {0.00045136206468475, "z1", false},
      {0.000510039133093767, "z2", false}, {0.000510119222726873, "z1", true},
      {0.000510119222726873, "z2", true},  {0.000564202580855937, "z1", false}};
  Source source;
  source.parameters = {{"G", 1.28e8}, {"Goff", 2.86e-10}};
  source.inputs = {
      {.name = "u",
       .form = PulseSource{
           .kind = PulseSource::Kind::pwm, .period = period, .duty = 0.52, .low = 0.0, .high = 12.0}}};
  source.states = {{"a", -2.73}, {"j", 3.728}, {"c", 1.023}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {
      "1.59417354232329e-08*der(a) = -a*(G*z1 + Goff*(1 - z1)) + (u - a)*(G*z2 + Goff*(1 - z2)) - j",
      "0.002083859090296192*der(j) = a - c", "2.1972170980941085e-05*der(c) = j - 0.21888725110966453*c"};
  source.constraints = {"(1 - 2*z1)*(-a) <= 0", "(1 - 2*z2)*(u - a) <= 0"};
  source.experiment = {.stop = stop};
  expect_switches(build(source), exact, 1e-12, stop);
}

}  // namespace bridges_test
}  // namespace mti
