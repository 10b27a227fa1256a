#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "solvers/orbits/orbit_branch.hpp"
#include "tests/places.hpp"
#include "tests/solvers/orbits/branch_models.hpp"

/// Branches of orbits where steps are long, multipliers many, and models end.
namespace branch_corners_test {
namespace {

using namespace branch_models;
using Kind = mti::BranchPoint::Kind;

constexpr double turn = 2.0 * std::numbers::pi;

/// u⁺ = u/2 + sin(12 c)/2 at u = sin(12 c): the multiplier is 1/2, and nothing happens, however long the first step is.
TEST(BranchCorners, GoesAroundBendsThatAreNoFolds) {
  mti::Source source = strobed({{.name = "u"}}, "q = 0.5*u + 0.5*sin(12*c)", {"u = pre(q)"});
  for (const int steps : {5, 6}) {
    const mti::OrbitBranch branch = mti::follow_orbit(
        source_of("c", source),
        {.orbit = {.period_guess = 1.0}, .from = 0.0, .to = 1.0, .steps = steps, .most_points = 4000});
    EXPECT_TRUE(branch.complete) << branch.message;
    EXPECT_TRUE(special(branch).empty()) << steps;
    for (const mti::BranchPoint& point : branch.points)
      EXPECT_NEAR(point.x[0], std::sin(12.0 * point.parameter), 1e-7);
  }
}

/// r' = r (c − r²): r = √c shrinks to the point of rest at c = 0, wherever the last orbit before that was. In r' = r (c + 2 r² − r⁴)
/// the branch passes the fold at c = −1, r = 1, before.
TEST(BranchCorners, EndsAtRestHoweverSmallTheOrbitBesideIs) {
  for (const int steps : {50, 61, 70, 80}) {
    const mti::OrbitBranch branch =
        mti::follow_orbit(source_of("c", round("c - q", 1.0)),
                          {.orbit = {.period_guess = turn}, .from = 1.0, .to = -1.0, .steps = steps});
    EXPECT_FALSE(branch.complete) << steps;
    ASSERT_EQ(special(branch).size(), 1U) << steps;
    EXPECT_EQ(special(branch)[0].kind, Kind::rest) << steps;
    EXPECT_NEAR(special(branch)[0].parameter, 0.0, 1e-4) << steps;
  }
  for (const int steps : {20, 40, 80, 200}) {
    mti::Source source = round("c + 2*q - q*q2", std::sqrt(1.0 + std::sqrt(2.0)));
    source.algebraic.push_back({.name = "q2"});
    source.equations.push_back("q2 = q");
    const mti::OrbitBranch branch = mti::follow_orbit(
        source_of("c", source), {.orbit = {.period_guess = turn}, .from = 1.0, .to = -2.0, .steps = steps});
    ASSERT_EQ(special(branch).size(), 2U) << steps << branch.message;
    EXPECT_EQ(special(branch)[0].kind, Kind::fold) << steps;
    EXPECT_NEAR(special(branch)[0].parameter, -1.0, 1e-4) << steps;
    EXPECT_EQ(special(branch)[1].kind, Kind::rest) << steps;
    EXPECT_NEAR(special(branch)[1].parameter, 0.0, 1e-3) << steps;
  }
}

/// A relay with the slope m² and the width h has T = 4 h/m² with m = 1, which nothing changes; u⁺ = c m u (1 − u) doubles at c = 3.
TEST(BranchCorners, KeepsWhatIsConserved) {
  mti::Source source;
  source.parameters = {{.name = "h", .value = 1.0}};
  source.states = {{.name = "x"}, {.name = "m", .start = 1.0}};
  source.binaries = {{"z"}};
  source.equations = {"der(x) = m^2*(1 - 2*z)", "der(m) = 0"};
  source.constraints = {"(x - h)*(1 - z) <= 0", "(-h - x)*z <= 0"};
  const mti::OrbitBranch relay =
      mti::follow_orbit(source_of("h", source), {.orbit = {.period_guess = 4.0}, .from = 1.0, .to = 3.0});
  EXPECT_TRUE(relay.complete) << relay.message;
  EXPECT_TRUE(special(relay).empty());
  for (const mti::BranchPoint& point : relay.points) {
    EXPECT_NEAR(point.period, 4.0 * point.parameter, 1e-6);
    EXPECT_NEAR(point.x[1], 1.0, 1e-9);
    EXPECT_TRUE(point.marginal);
  }
  const mti::OrbitBranch map =
      mti::follow_orbit(source_of("c", strobed({{.name = "u", .start = 0.5}, {.name = "m", .start = 1.0}},
                                               "q = m*u*(1 - u)", {"u = c*pre(q)", "m = pre(m)"})),
                        {.orbit = {.period_guess = 1.0}, .from = 1.5, .to = 3.5});
  ASSERT_EQ(special(map).size(), 1U);
  EXPECT_EQ(special(map)[0].kind, Kind::period_doubling);
  EXPECT_NEAR(special(map)[0].parameter, 3.0, 1e-6);
}

/// The delayed logistic map beside a pair of modulus 0.999, and two multipliers c and c − 2.005 that pass 1 and −1 within one step.
TEST(BranchCorners, TellsMultipliersApart) {
  mti::Source source = strobed({{.name = "u", .start = 0.4},
                                {.name = "w", .start = 0.4},
                                {.name = "a", .start = 0.0},
                                {.name = "b", .start = 0.0}},
                               "q = u*(1 - w)",
                               {"u = c*pre(q)", "w = pre(u)", "a = 0.5994*pre(a) - 0.7992*pre(b)",
                                "b = 0.7992*pre(a) + 0.5994*pre(b)"});
  const mti::OrbitBranch torus = mti::follow_orbit(
      source_of("c", source), {.orbit = {.period_guess = 1.0, .settle = 60.0}, .from = 1.5, .to = 2.3});
  ASSERT_EQ(special(torus).size(), 1U);
  EXPECT_EQ(special(torus)[0].kind, Kind::torus);
  EXPECT_NEAR(special(torus)[0].parameter, 2.0, 1e-6);
  const mti::OrbitBranch both =
      mti::follow_orbit(source_of("c", strobed({{.name = "a", .start = 0.0}, {.name = "b", .start = 0.0}},
                                               "q = 0", {"a = c*pre(a)", "b = (c - 2.005)*pre(b)"})),
                        {.orbit = {.period_guess = 1.0, .settle = 0.0}, .from = 0.9, .to = 1.1, .steps = 3});
  ASSERT_EQ(special(both).size(), 2U);
  EXPECT_EQ(special(both)[0].kind, Kind::branching);
  EXPECT_NEAR(special(both)[0].parameter, 1.0, 1e-6);
  EXPECT_EQ(special(both)[1].kind, Kind::period_doubling);
  EXPECT_NEAR(special(both)[1].parameter, 1.005, 1e-6);
}

/// From the period doubling of the logistic map itself, or from beside it.
TEST(BranchCorners, MayBeginWhereSomethingHappens) {
  const mti::ModelOfParameter map =
      source_of("c", strobed({{.name = "u", .start = 0.66}}, "q = u*(1 - u)", {"u = c*pre(q)"}));
  for (const double from : {3.0, 3.0 - 1e-9, 3.0 + 1e-9, 2.9999})
    for (const double to : {3.4, 2.6}) {
      const mti::OrbitBranch branch =
          mti::follow_orbit(map, {.orbit = {.period_guess = 1.0, .settle = 0.0}, .from = from, .to = to});
      EXPECT_TRUE(branch.complete) << from << " " << to << ": " << branch.message;
      EXPECT_LE(special(branch).size(), 1U);
      for (const mti::BranchPoint& point : special(branch)) EXPECT_NEAR(point.parameter, 3.0, 1e-4);
    }
}

/// Five steps see what forty do: the period doubling before the grazing.
TEST(BranchCorners, SeesWhatHappensBesideAnEventChange) {
  const mti::OrbitBranch branch = mti::follow_orbit(
      source_of("A", impacting()),
      {.orbit = {.period_guess = turn, .settle = 80.0 * turn}, .from = 1.5, .to = 0.2, .steps = 5});
  const std::vector<mti::BranchPoint> found = special(branch);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, Kind::period_doubling);
  EXPECT_NEAR(found[0].parameter, 0.8625716, 1e-5);
  EXPECT_EQ(found[1].kind, Kind::grazing);
}

/// Of twice the period, u⁺ = c u (1 − u) has orbits from c = 3 on, and ends there.
TEST(BranchCorners, EndsWhereItsPeriodIsHalved) {
  const mti::OrbitBranch branch = mti::follow_orbit(
      source_of("c", strobed({{.name = "u", .start = 0.5}}, "q = u*(1 - u)", {"u = c*pre(q)"})),
      {.orbit = {.period_guess = 2.0, .settle = 200.0}, .from = 3.3, .to = 2.5});
  EXPECT_FALSE(branch.complete);
  ASSERT_EQ(branch.points.back().kind, Kind::halving) << branch.message;
  EXPECT_NEAR(branch.points.back().parameter, 3.0, 1e-5);
  EXPECT_EQ(special(branch).size(), 1U);
}

/// The duty goes to the end of what it may be, and no farther; what was found is kept. A jump of an input is no place to begin.
TEST(BranchCorners, StaysWhereThereAreModels) {
  mti::Source source;
  source.parameters = {{.name = "d", .value = 0.3}};
  source.states = {{.name = "x"}};
  source.inputs = {
      {.name = "u",
       .form = mti::PulseSource{.kind = mti::PulseSource::Kind::pwm, .period = 1.0, .duty = "d"}}};
  source.equations = {"der(x) = u - x"};
  for (const double end : {0.9, 1.0, 0.0}) {
    const mti::OrbitBranch branch =
        mti::follow_orbit(source_of("d", source), {.orbit = {.period_guess = 1.0}, .from = 0.3, .to = end});
    EXPECT_EQ(branch.complete, end == 0.9) << branch.message;
    EXPECT_NEAR(branch.points.back().parameter, end, 1e-6);
    EXPECT_TRUE(special(branch).empty());
  }
  std::get<mti::PulseSource>(source.inputs[0].form) = {.period = 1.0, .start = "d"};
  const mti::OrbitBranch moved =
      mti::follow_orbit(source_of("d", source), {.orbit = {.period_guess = 1.0}, .from = 0.1, .to = 0.9});
  EXPECT_TRUE(moved.complete) << moved.message;
  EXPECT_TRUE(special(moved).empty());
}

/// The orbit of the three tanks behind the fold touches tank2_low, wherever it begins.
TEST(BranchCorners, NamesTheBoundaryThatIsTouched) {
  const mti::ReadModel model =
      mti::ReadModel::of_file(mti::test::source_dir() / "examples/three_tank/model.json");
  const mti::ModelOfParameter of_fv = [&](double fv) { return model.with_derivatives({"fv"}, {{"fv", fv}}); };
  const std::vector<std::string> names = of_fv(0.09).model.constraint_names;
  for (const double settle : {1400.0, 1450.0}) {
    const mti::OrbitBranch branch = mti::follow_orbit(
        of_fv, {.orbit = {.period_guess = 280.0, .settle = settle}, .from = 0.09, .to = 0.12});
    const std::vector<mti::BranchPoint> found = special(branch);
    ASSERT_EQ(found.size(), 2U) << branch.message;
    EXPECT_EQ(found[0].kind, Kind::fold);
    EXPECT_EQ(found[1].kind, Kind::grazing);
    ASSERT_EQ(found[1].constraints.size(), 1U);
    EXPECT_EQ(names.at(static_cast<std::size_t>(found[1].constraints[0])), "tank2_low");
  }
}

}  // namespace
}  // namespace branch_corners_test
