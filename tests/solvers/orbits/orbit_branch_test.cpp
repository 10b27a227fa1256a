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

/// Orbits that are followed while a parameter varies.
namespace orbit_branch_test {
namespace {

using namespace branch_models;
using Kind = mti::BranchPoint::Kind;

constexpr double turn = 2.0 * std::numbers::pi;

/// Period doublings at 24.5165728286 and 31.1179020068, by the exact map of the circuit (tests/python/test_orbits.py).
TEST(OrbitBranch, OfTheBuckConverterDoublesItsPeriod) {
  const auto doubling = [](double period, double from, double to) {
    const mti::OrbitBranch branch =
        mti::follow_orbit(buck(), {.orbit = {.period_guess = period}, .from = from, .to = to});
    EXPECT_TRUE(branch.complete) << branch.message;
    const std::vector<mti::BranchPoint> found = special(branch);
    EXPECT_EQ(found.size(), 1U);
    if (found.size() != 1) return 0.0;
    EXPECT_EQ(found[0].kind, Kind::period_doubling);
    for (const mti::BranchPoint& point : branch.points) {
      EXPECT_NEAR(point.period, period, 1e-12);
      if (point.kind == Kind::regular) {
        EXPECT_EQ(point.stable, point.parameter < found[0].parameter);
      }
    }
    return found[0].parameter;
  };
  EXPECT_NEAR(doubling(400e-6, 22.0, 27.0), 24.5165728286, 1e-6);
  EXPECT_NEAR(doubling(800e-6, 26.0, 33.0), 31.1179020068, 1e-6);
}

/// r' = r (c − r²): r = √c, multiplier e^(−4πc), until the orbit has shrunk to nothing at c = 0.
TEST(OrbitBranch, EndsWhereItShrinksToAPointOfRest) {
  const mti::OrbitBranch branch = mti::follow_orbit(
      source_of("c", round("c - q", 1.0)), {.orbit = {.period_guess = 6.2}, .from = 1.0, .to = -1.0});
  EXPECT_FALSE(branch.complete);
  EXPECT_NE(branch.message.find("a point of rest"), std::string::npos) << branch.message;
  ASSERT_EQ(branch.points.back().kind, Kind::rest);
  EXPECT_NEAR(branch.points.back().parameter, 0.0, 1e-5);
  EXPECT_EQ(special(branch).size(), 1U);
  for (const mti::BranchPoint& point : branch.points) {
    if (point.kind != Kind::regular) continue;
    EXPECT_NEAR(point.period, turn, 1e-7);
    EXPECT_NEAR(point.highest[0], std::sqrt(point.parameter), 1e-3 * std::sqrt(point.parameter));
    // Where both are near 1 they are known to the square root of what they are known to elsewhere.
    const double other = std::exp(-2.0 * turn * point.parameter);
    EXPECT_NEAR(std::abs(point.multipliers[1]), other, other < 0.9 ? 1e-7 : 1e-3);
  }
}

/// r' = r (c + 2 r² − r⁴): r² = 1 ± √(1 + c). The branch turns at c = −1, and comes to rest at c = 0; T stays.
TEST(OrbitBranch, TurnsAtAFold) {
  const mti::OrbitBranch branch = mti::follow_orbit(
      source_of("c", round("c + 2*q - q^2", 1.5)), {.orbit = {.period_guess = 6.2}, .from = 1.0, .to = -2.0});
  const std::vector<mti::BranchPoint> found = special(branch);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, Kind::fold);
  EXPECT_NEAR(found[0].parameter, -1.0, 1e-9);
  EXPECT_EQ(found[1].kind, Kind::rest);
  EXPECT_NEAR(found[1].parameter, 0.0, 1e-5);
  bool behind = false;
  for (const mti::BranchPoint& point : branch.points) {
    behind = behind || point.kind == Kind::fold;
    const double square = 1.0 + (behind ? -1.0 : 1.0) * std::sqrt(std::max(1.0 + point.parameter, 0.0));
    if (point.kind != Kind::regular) continue;
    EXPECT_NEAR(point.highest[0], std::sqrt(std::max(square, 0.0)), 1e-3);
    EXPECT_EQ(point.stable, !behind) << point.parameter;
  }
}

/// u⁺ = c u (1 − u) at u = 1 − 1/c: the multiplier is 2 − c, −1 at c = 3 and 1 at c = 1, where u = 0 crosses.
TEST(OrbitBranch, OfTheLogisticMap) {
  const mti::ModelOfParameter map =
      source_of("c", strobed({{.name = "u", .start = 0.5}}, "q = u*(1 - u)", {"u = c*pre(q)"}));
  const mti::OrbitBranch up =
      mti::follow_orbit(map, {.orbit = {.period_guess = 1.0}, .from = 1.5, .to = 3.5});
  ASSERT_EQ(special(up).size(), 1U);
  EXPECT_EQ(special(up)[0].kind, Kind::period_doubling);
  EXPECT_NEAR(special(up)[0].parameter, 3.0, 1e-7);
  EXPECT_TRUE(up.complete);
  EXPECT_EQ(up.points.back().parameter, 3.5);
  const mti::OrbitBranch down =
      mti::follow_orbit(map, {.orbit = {.period_guess = 1.0}, .from = 1.5, .to = 0.5});
  ASSERT_EQ(special(down).size(), 1U);
  EXPECT_EQ(special(down)[0].kind, Kind::branching);
  EXPECT_NEAR(special(down)[0].parameter, 1.0, 1e-6);
  for (const mti::OrbitBranch* branch : {&up, &down})
    for (const mti::BranchPoint& point : branch->points) {
      if (point.kind != Kind::regular) continue;
      EXPECT_NEAR(point.x[0], 1.0 - 1.0 / point.parameter, 1e-8);
      EXPECT_NEAR(std::min(std::abs(point.multipliers[0] - (2.0 - point.parameter)),
                           std::abs(point.multipliers[1] - (2.0 - point.parameter))),
                  0.0, 1e-7);
    }
}

/// u⁺ = c u (1 − w), w⁺ = u: multipliers with μ² − μ + c − 1 = 0, on the unit circle at c = 2.
TEST(OrbitBranch, OfTheDelayedLogisticMap) {
  const mti::OrbitBranch branch =
      mti::follow_orbit(source_of("c", strobed({{.name = "u", .start = 0.4}, {.name = "w", .start = 0.4}},
                                               "q = u*(1 - w)", {"u = c*pre(q)", "w = pre(u)"})),
                        {.orbit = {.period_guess = 1.0}, .from = 1.5, .to = 2.3});
  ASSERT_EQ(special(branch).size(), 1U);
  EXPECT_EQ(special(branch)[0].kind, Kind::torus);
  EXPECT_NEAR(special(branch)[0].parameter, 2.0, 1e-7);
}

/// x' = −x + A sin t has the amplitude A/√2: a binary that looks at x > 1 has its first events at A = √2, and changes nothing.
TEST(OrbitBranch, GoesOnBeyondAGrazingThatChangesNothing) {
  mti::Source source;
  source.parameters = {{.name = "A", .value = 1.0}};
  source.states = {{.name = "x"}};
  source.binaries = {{"z"}};
  source.inputs = {
      {.name = "u", .form = mti::SineSource{.amplitude = 1.0, .frequency = 0.5 / std::numbers::pi}}};
  source.equations = {"der(x) = -x + A*u"};
  source.constraints = {{"on", "(x - 1)*(1 - z) <= 0"}, {"off", "(1 - x)*z <= 0"}};
  for (const auto& [from, to] : {std::pair(1.0, 2.0), std::pair(2.0, 1.0)}) {
    const mti::OrbitBranch branch =
        mti::follow_orbit(source_of("A", source), {.orbit = {.period_guess = turn}, .from = from, .to = to});
    EXPECT_TRUE(branch.complete) << branch.message;
    ASSERT_EQ(special(branch).size(), 1U);
    EXPECT_EQ(special(branch)[0].kind, Kind::grazing);
    EXPECT_NEAR(special(branch)[0].parameter, std::sqrt(2.0), 1e-6);
    EXPECT_EQ(special(branch)[0].constraints, (std::vector<int>{0, 1}));
    for (const mti::BranchPoint& point : branch.points) {
      EXPECT_NEAR(point.multipliers[0].real(), std::exp(-turn), 1e-9);
      EXPECT_EQ(point.events, point.parameter > std::sqrt(2.0) ? 2 : 0);
    }
  }
}

/// u passes p and 1/2 in the order of these numbers, both up and down.
TEST(OrbitBranch, SeesTheOrderOfEventsChange) {
  mti::Source source;
  source.parameters = {{.name = "p", .value = 0.3}};
  source.states = {{.name = "x"}};
  source.binaries = {{"z"}, {"w"}};
  source.inputs = {
      {.name = "u", .form = mti::SineSource{.amplitude = 1.0, .frequency = 0.5 / std::numbers::pi}}};
  source.equations = {"der(x) = -x + u"};
  source.constraints = {{"z_on", "(u - p)*(1 - z) <= 0"},
                        {"z_off", "(p - u)*z <= 0"},
                        {"w_on", "(u - 0.5)*(1 - w) <= 0"},
                        {"w_off", "(0.5 - u)*w <= 0"}};
  const mti::OrbitBranch branch =
      mti::follow_orbit(source_of("p", source), {.orbit = {.period_guess = turn}, .from = 0.3, .to = 0.7});
  EXPECT_TRUE(branch.complete) << branch.message;
  ASSERT_EQ(special(branch).size(), 1U);
  EXPECT_EQ(special(branch)[0].kind, Kind::corner);
  EXPECT_NEAR(special(branch)[0].parameter, 0.5, 1e-6);
  EXPECT_GE(special(branch)[0].constraints.size(), 2U);
}

/// The amplitude without impacts is A/√(0.69² + 0.2²): the orbit touches the wall where that is 1. From above the orbit with one impact
/// comes there too, and goes on without; its multiplier grows without bound on the way.
TEST(OrbitBranch, OfAnImpactingOscillatorGrazes) {
  const double touch = std::hypot(0.69, 0.2);
  const mti::OrbitBranch up = mti::follow_orbit(source_of("A", impacting()),
                                                {.orbit = {.period_guess = turn}, .from = 0.2, .to = 1.5});
  EXPECT_FALSE(up.complete);
  EXPECT_NE(up.message.find("no orbit is found beyond A = 0.718"), std::string::npos) << up.message;
  ASSERT_EQ(up.points.back().kind, Kind::grazing);
  EXPECT_NEAR(up.points.back().parameter, touch, 1e-5);
  const mti::OrbitBranch down =
      mti::follow_orbit(source_of("A", impacting()),
                        {.orbit = {.period_guess = turn, .settle = 80.0 * turn}, .from = 1.5, .to = 0.2});
  EXPECT_TRUE(down.complete) << down.message;
  const std::vector<mti::BranchPoint> found = special(down);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, Kind::period_doubling);
  EXPECT_EQ(found[1].kind, Kind::grazing);
  EXPECT_NEAR(found[1].parameter, touch, 1e-5);
  for (const mti::BranchPoint& point : down.points)
    if (point.kind == Kind::regular) {
      EXPECT_EQ(point.events, point.parameter > touch ? 1 : 0);
    }
}

/// Whatever way led there, an orbit of a branch is that which is found at its parameter alone.
TEST(OrbitBranch, HasTheOrbitsOfSingleSearches) {
  const mti::ReadModel model =
      mti::ReadModel::of_file(mti::test::source_dir() / "examples/three_tank/model.json");
  const mti::ModelOfParameter of_fv = [&](double fv) { return model.with_derivatives({"fv"}, {{"fv", fv}}); };
  const mti::OrbitBranch branch =
      mti::follow_orbit(of_fv, {.orbit = {.period_guess = 280.0}, .from = 0.09, .to = 0.085, .steps = 5});
  EXPECT_TRUE(branch.complete) << branch.message;
  ASSERT_GE(branch.points.size(), 5U);
  for (const mti::BranchPoint& point : branch.points) {
    if (point.kind != Kind::regular) continue;
    const mti::Orbit alone = mti::find_orbit(of_fv(point.parameter).model, {.period_guess = point.period});
    ASSERT_TRUE(alone.found) << alone.message;
    EXPECT_NEAR(alone.period, point.period, 1e-7 * point.period);
    EXPECT_EQ(alone.stable, point.stable);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(std::abs(alone.multipliers[k] - point.multipliers[k]), 0.0, 1e-6);
  }
}

TEST(OrbitBranch, RefusesRangesThatAreNone) {
  const mti::ModelOfParameter model = source_of("A", impacting());
  for (const auto& [from, to] : {std::pair(1.0, 1.0), std::pair(0.0, HUGE_VAL), std::pair(std::nan(""), 1.0)})
    EXPECT_THROW(static_cast<void>(
                     mti::follow_orbit(model, {.orbit = {.period_guess = turn}, .from = from, .to = to})),
                 mti::InvalidOption);
  EXPECT_THROW(static_cast<void>(mti::follow_orbit(model, {.orbit = {.period_guess = turn}, .steps = 0})),
               mti::InvalidOption);
}

/// What was found is kept; before there is anything the end is an error.
TEST(OrbitBranch, EndsByItsBudget) {
  std::stop_source stop;
  int models = 0;
  const mti::ModelOfParameter model = source_of("A", impacting());
  const mti::ModelOfParameter stopping = [&](double A) {
    if (++models == 40) stop.request_stop();
    return model(A);
  };
  const mti::BranchOptions options{
      .orbit = {.period_guess = turn, .simulation = {.stop_token = stop.get_token()}},
      .from = 0.2,
      .to = 0.7};
  const mti::OrbitBranch branch = mti::follow_orbit(stopping, options);
  EXPECT_FALSE(branch.complete);
  EXPECT_GE(branch.points.size(), 2U);
  EXPECT_NE(branch.message.find("stopped"), std::string::npos) << branch.message;
  EXPECT_THROW(static_cast<void>(mti::follow_orbit(stopping, options)), mti::NotReached);
}

}  // namespace
}  // namespace orbit_branch_test
