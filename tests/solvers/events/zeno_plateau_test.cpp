// Limits of impacts whose ratio has a plateau on the way: a ball under gravity that varies. Oracle: the impacts one after the
// other by their closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace zeno_plateau_test {

/// ḧ = −(g + A sin(ωt + φ)), with restitution e, from h = 1 at rest.
struct Ball {
  double g, A, omega, phase, e;
};

double velocity(const Ball& ball, double v0, double t0, double t) {
  return v0 - ball.g * (t - t0) +
         ball.A / ball.omega *
             (std::cos(ball.omega * t + ball.phase) - std::cos(ball.omega * t0 + ball.phase));
}

double height(const Ball& ball, double h0, double v0, double t0, double t) {
  const double s = t - t0, before = ball.omega * t0 + ball.phase;
  return h0 + (v0 - ball.A / ball.omega * std::cos(before)) * s - 0.5 * ball.g * s * s +
         ball.A / (ball.omega * ball.omega) * (std::sin(ball.omega * t + ball.phase) - std::sin(before));
}

double limit_of(const Ball& ball) {
  double t = 0.0, h = 1.0, v = 0.0;
  for (int impact = 0; impact < 500; ++impact) {
    // From above the floor in steps that are short beside the flight, then by halves.
    const double flight = impact == 0 ? 0.5 : std::abs(v) / 20.0, step = flight / 50.0;
    double from = t + (impact == 0 ? 0.0 : step), to = from + step;
    while (height(ball, h, v, t, to) > 0.0) {
      from = to;
      to += step;
    }
    for (int half = 0; half < 60; ++half) {
      const double middle = 0.5 * (from + to);
      (height(ball, h, v, t, middle) > 0.0 ? from : to) = middle;
    }
    v = -ball.e * velocity(ball, v, t, to);
    t = to;
    h = 0.0;
    if (v < 1e-7) break;
  }
  return t;
}

TEST(ZenoPlateau, AnOldRatioIsNoLimit) {
  for (const Ball& ball : {Ball{6.91, 6.46, 0.98, 5.61, 0.84}, Ball{11.13, 10.57, 1.56, 5.19, 0.82},
                           Ball{7.44, 6.5, 2.79, 1.29, 0.84}, Ball{9.81, 0.0, 1.0, 0.0, 0.84}}) {
    Source source;
    source.states = {{"h", 1.0}, {"v", 0.0}};
    source.algebraic = {{"force"}};
    source.binaries = {{"rests"}};
    source.inputs = {
        {.name = "g", .form = SineSource{ball.A, ball.omega / (2.0 * std::acos(-1.0)), ball.phase, ball.g}}};
    source.equations = {"der(h) = v", "der(v) = -g + force", {"support", "rests*h + (1 - rests)*force = 0"}};
    source.constraints = {{"floor", "-h <= 0"}, "force >= 0"};
    source.transitions = {{.when = "reach(floor)",
                           .replaces = {"support"},
                           .equations = {"v = -" + std::to_string(ball.e) + "*pre(v)"}}};
    for (const double rtol : {1e-6, 1e-7, 1e-8}) {
      SimulationOptions options = test::with_accuracy(rtol);
      options.stop = 8.0;
      const Trajectory run = simulate(build(source), options);
      const auto limit = std::ranges::find(run.events, EventKind::zeno, &Event::kind);
      ASSERT_NE(limit, run.events.end()) << ball.g << " " << rtol << " " << run.outcome.message;
      // What rises by less than some rtol is no flight any more: it lasts √rtol, and as long as that is what follows.
      EXPECT_NEAR(limit->time, limit_of(ball), 2.0 * std::sqrt(rtol)) << ball.g << " " << rtol;
    }
  }
}

}  // namespace zeno_plateau_test
}  // namespace mti
