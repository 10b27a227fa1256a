#include "solvers/linearization/linearization_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {
namespace linearization_points_test {

template <class Error>
std::string id_of(const auto& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.faults().front().id;
  }
  return "";
}

/// x' = −x², x(0) = 1: x = 1/(1 + t).
Model decay() {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x) = -x*y", "y = x"};
  source.experiment.rtol = source.experiment.atol = 1e-9;
  source.experiment.stop = 4.0;
  return build(source);
}

TEST(LinearizationPoints, SeveralTimesOfOneRun) {
  const std::vector<LinearizationPoint> points = points_of_run(decay(), {.times = {2.0, 0.0, 0.5, 2.0}});
  ASSERT_EQ(points.size(), 3U);
  const double times[] = {0.0, 0.5, 2.0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(points[i].time, times[i]);
    EXPECT_EQ(points[i].side, 0);
    EXPECT_NEAR(points[i].v[1], 1.0 / (1.0 + times[i]), 1e-7);
    EXPECT_NEAR(linearize(decay(), points[i]).residual, 0.0, 1e-15) << "solved anew, not interpolated";
  }
  EXPECT_EQ(id_of<InvalidOption>([] { static_cast<void>(points_of_run(decay(), {.times = {-1.0}})); }),
            "bad-option");
}

TEST(LinearizationPoints, RefusesTimesThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& times : {std::vector{nan}, {0.0, nan, 1.0, nan, 0.5}, {infinity}})
    EXPECT_EQ(id_of<InvalidOption>([&] { static_cast<void>(points_of_run(decay(), {.times = times})); }),
              "bad-option");
}

TEST(LinearizationPoints, EndWhereTheRunIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(id_of<NotReached>([&] {
              static_cast<void>(points_of_run(decay(), {.times = {4.0}, .stop_token = stop.get_token()}));
            }),
            "interrupted");
}

/// A thermostat cools from 20.5 by x' = −x/10 to 19 at t = 10 ln(20.5/19), then heats by x' = (30 − x)/10.
Model thermostat() {
  Source source;
  source.states = {{"x", 20.5}};
  source.binaries = {{"on", 0.0}};
  source.equations = {"10*der(x) = 30*on - x*(1 + on)"};
  source.constraints = {{"low", "(19 - x)*(1 - on) <= 0"}, {"high", "(x - 14)*on <= 1000"}};
  source.experiment.stop = 3.0;
  source.experiment.rtol = source.experiment.atol = 1e-9;
  return build(source);
}

TEST(LinearizationPoints, BothSidesOfEveryEvent) {
  const Model model = thermostat();
  const double switching = 10.0 * std::log(20.5 / 19.0);
  const std::vector<LinearizationPoint> points = points_of_run(model, {.times = {0.5, 2.0}, .events = true});
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[1].side, -1);
  EXPECT_EQ(points[2].side, 1);
  const double slopes[] = {-0.1, -0.1, -0.2, -0.2};
  for (std::size_t i = 0; i < 4; ++i) {
    const Linearization l = linearize(model, points[i]);
    ASSERT_EQ(l.eigenvalues.size(), 1U);
    EXPECT_NEAR(l.eigenvalues[0].real(), slopes[i], 1e-15);
    EXPECT_LE(l.residual, 1e-12);
    const bool at_event = i == 1 || i == 2;
    if (at_event) {
      EXPECT_NEAR(points[i].time, switching, 1e-7);
    }
    EXPECT_EQ(!l.on_boundary.empty(), i == 1) << "on the boundary before the switch only";
  }
}

/// At the kink of |x| what is linear holds on one side.
TEST(LinearizationPoints, AKinkThatNoBinaryTellsIsABoundary) {
  for (const auto& [start, is_kink] : {std::pair(0.0, true), std::pair(0.5, false)}) {
    Source source;
    source.states = {{"x", start}};
    source.equations = {"der(x) = x - 2*smooth(0, abs(x))"};
    const Model model = build(source);
    const Linearization l = linearize(model, points_of_run(model, {.times = {0.0}}).front());
    EXPECT_EQ(!l.on_boundary.empty(), is_kink);
  }
}

/// The mode is the user's: x and u from the start, ẋ and y solved for; or taken as they are.
TEST(LinearizationPoints, FixedModeSolvedOrAsItIs) {
  Source source;
  source.states = {{"x", 2.0}};
  source.inputs = {{"u", Number(3.0)}};
  source.algebraic = {{"y", 7.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = -x*y", "y = z*x*u + (1 - z)*u"};
  source.constraints = {{"gate", "(1 - 2*z)*(x - 1) <= 0"}};
  const Model model = build(source);
  for (const char z : {char{0}, char{1}}) {
    const Mode mode{.z = {z}, .pre = {}, .binary_inputs = {}};
    const LinearizationPoint given = start_point(model, mode), solved = consistent_point(model, given);
    const double y = z != 0 ? 6.0 : 3.0;
    EXPECT_EQ(given.v, (std::vector<double>{0.0, 2.0, 3.0, 7.0, static_cast<double>(z)}));
    EXPECT_EQ(solved.v, (std::vector<double>{-2.0 * y, 2.0, 3.0, y, static_cast<double>(z)}));
    const Linearization l = linearize(model, solved), raw = linearize(model, given);
    EXPECT_EQ(l.residual, 0.0);
    EXPECT_EQ(raw.residual, 14.0) << "0 + 2·7";
    EXPECT_EQ(raw.residual_equation, "eq1");
    EXPECT_EQ(Eigen::MatrixXd(l.A)(0, 0), -y);
    EXPECT_EQ(Eigen::MatrixXd(raw.A)(0, 0), -7.0);
    EXPECT_EQ(Eigen::MatrixXd(l.B)(1, 0), z != 0 ? 2.0 : 1.0);
    EXPECT_EQ(l.violated, z != 0 ? std::vector<std::string>{} : std::vector<std::string>{"gate"});
  }
}

/// In a mode of index 2 x is put on its constraint; without a solution the names are said.
TEST(LinearizationPoints, ModesThatCannotBeEntered) {
  Source source;
  source.states = {{"x", 2.0}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = y", {"choice", "z*(x*y - x*y) + (1 - z)*(y - 1) + z*(y*0) = z"}};
  const Model model = build(source);
  const Mode off{.z = {0}, .pre = {}, .binary_inputs = {}}, on{.z = {1}, .pre = {}, .binary_inputs = {}};
  EXPECT_EQ(consistent_point(model, start_point(model, off)).v[0], 1.0);
  EXPECT_EQ(id_of<InvalidModel>([&] { static_cast<void>(consistent_point(model, start_point(model, on))); }),
            "inconsistent-mode");
}

/// x' = u − sign(x) slides on x = 0 with 2ζ − 1 = u: ζ is an unknown and x = 0 a row.
TEST(LinearizationPoints, SlidingMotion) {
  Source source;
  source.states = {{"x", 0.5}, {"w", 1.0}};
  source.inputs = {{"u", Number(0.25)}};
  source.binaries = {{"z", 1.0}};
  source.equations = {"der(x) = u - 2*z + 1 + 0.5*w", "der(w) = -3*w + z"};
  source.constraints = {{"side", "(1 - 2*z)*x <= 0"}};
  source.experiment.stop = 10.0;
  const Model model = build(source);
  const std::vector<LinearizationPoint> points = points_of_run(model, {.times = {8.0}});
  ASSERT_EQ(points.size(), 1U);
  ASSERT_EQ(points[0].mode.slides.size(), 1U);
  const Linearization l = linearize(model, points[0]);
  EXPECT_EQ(l.unknowns, (std::vector<std::string>{"x", "w", "z"}));
  EXPECT_LE(l.residual, 1e-12);
  // On the surface 2ζ = 1 + u + w/2, so w' = −3w + ½ + u/2 + w/4: one eigenvalue −11/4; x is held.
  ASSERT_TRUE(l.eigenvalues_computed) << l.eigenvalues_note;
  ASSERT_EQ(l.eigenvalues.size(), 1U);
  EXPECT_NEAR(l.eigenvalues[0].real(), -2.75, 1e-12);
  // Control: from the values alone the mode is not known, and either side alone has another motion.
  EXPECT_EQ(id_of<InvalidOption>([&] { static_cast<void>(linearize(model, l.v)); }), "not-binary");
  const Mode above{.z = {1}, .pre = {}, .binary_inputs = {}};
  EXPECT_EQ(linearize(model, in_mode(model, points[0], above)).eigenvalues.size(), 2U);
}

/// τ x' = −x(1 + 9z), z where x ≤ 1/2: x = e^(−t/τ) up to t = τ ln 2, whatever the unit of time and the length of
/// the run.
TEST(LinearizationPoints, TellsTimesApartInAnyUnit) {
  for (const double tau : {1.0, 1e-9, 1e-12}) {
    for (const double stop : {3.0, 1e10}) {
      Source source;
      source.parameters = {{"tau", tau}};
      source.states = {{"x", 1.0}};
      source.binaries = {{"z"}};
      source.equations = {"tau*der(x) = -x*(1+9*z)"};
      source.constraints = {"(x-0.5)*z <= 0", "(0.5-x)*(1-z) <= 0"};
      const Model model = build(source);
      for (const bool events : {false, true}) {
        const auto points =
            points_of_run(model, {.times = {0.5 * tau, 3.0 * tau}, .events = events, .stop = stop * tau});
        ASSERT_EQ(points.size(), events ? 4U : 2U) << "tau = " << tau << ", stop = " << stop;
        EXPECT_EQ(points[0].time, 0.5 * tau);
        EXPECT_EQ(points[0].mode.z, std::vector<char>{0});
        EXPECT_NEAR(points[0].v[1], std::exp(-0.5), 1e-5);
        EXPECT_EQ(points.back().time, 3.0 * tau);
        EXPECT_EQ(points.back().mode.z, std::vector<char>{1});
        if (!events) continue;
        EXPECT_NEAR(points[1].time / tau, std::log(2.0), 1e-4);
      }
    }
  }
}

}  // namespace linearization_points_test
}  // namespace mti
