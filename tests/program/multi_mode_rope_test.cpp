// The cup and the ball of [B20] (29): index 3 while the rope is taut. Free flights are parabolas, the taut
// rope is a pendulum followed in its angle (rope_by_hand.hpp).

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/restart.hpp"
#include "tests/program/rope_by_hand.hpp"

namespace mti::test {
namespace multi_mode_rope_test {

const RopeByHand rope;

nlohmann::json started_at(const Ball& ball, int taut, double stop) {
  nlohmann::json model = case_model("cup_and_ball");
  set_start(model, "x", ball.x);
  set_start(model, "y", ball.y);
  set_start(model, "vx", ball.vx);
  set_start(model, "vy", ball.vy);
  set_start(model, "taut", taut);
  model["experiment"]["stop"] = stop;
  return model;
}

Ball before(const Instant& event) {
  return {event.before("x"), event.before("y"), event.before("vx"), event.before("vy")};
}

void expect_ball(const SimulationRun& run, const SimulationRun::Row& row, const Ball& ball, double bound) {
  EXPECT_NEAR(run.value(row, "x"), ball.x, bound) << "t = " << row.time;
  EXPECT_NEAR(run.value(row, "y"), ball.y, bound) << "t = " << row.time;
  EXPECT_NEAR(run.value(row, "vx"), ball.vx, bound) << "t = " << row.time;
  EXPECT_NEAR(run.value(row, "vy"), ball.vy, bound) << "t = " << row.time;
}

/// v⁺ = v⁻ − (v⁻·r) r / L², the impulse (v⁻·r)/L², at the run's own left limit; position is kept, or put on
/// the constraint within the accuracy of the event's location.
void expect_taut(const Instant& event, double rtol) {
  const Ball left = before(event), right = RopeByHand::after_impact(left);
  EXPECT_EQ(event.changed_to("taut"), 1);
  EXPECT_NEAR(event.after("vx"), right.vx, restart_accuracy * 5.0);
  EXPECT_NEAR(event.after("vy"), right.vy, restart_accuracy * 5.0);
  EXPECT_NEAR(event.after("x"), left.x, error_bound(rtol));
  EXPECT_NEAR(event.after("y"), left.y, error_bound(rtol));
  EXPECT_NEAR(event.after("vx") * event.after("x") + event.after("vy") * event.after("y"), 0.0,
              restart_accuracy * 5.0);
  EXPECT_NEAR(event.weight("lambda"), left.vx * left.x + left.vy * left.y, restart_accuracy * 5.0);
  EXPECT_EQ(event.order("lambda"), 1.0);
}

void expect_no_drift(const SimulationRun& run, double from, double bound) {
  for (const auto& row : run.rows)
    if (row.time > from && run.value(row, "taut") == 1.0) {
      const double x = run.value(row, "x"), y = run.value(row, "y");
      EXPECT_NEAR(x * x + y * y, 1.0, bound) << "t = " << row.time;
      EXPECT_NEAR(x * run.value(row, "vx") + y * run.value(row, "vy"), 0.0, bound) << "t = " << row.time;
    }
}

TEST(CupAndBall, FallsToTheEndOfItsRopeAndHangs) {
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(started_at({0, 0, 0, 0}, 0, 2.0), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_NEAR(events[0].time(), 0.4515236409857309, error_bound(rtol, 1.0));
    EXPECT_NEAR(events[0].before("vy"), -4.4294469181, 1e-9 + error_bound(rtol, 5.0));
    EXPECT_NEAR(events[0].weight("lambda"), 4.4294469181, 1e-9 + error_bound(rtol, 5.0));
    EXPECT_EQ(events[0].impulsive(), Names{"lambda"});
    expect_taut(events[0], rtol);
    for (const double t : {0.5, 1.0, 2.0}) {
      expect_ball(run, run.at(t), {0.0, -1.0, 0.0, 0.0}, error_bound(rtol));
      EXPECT_NEAR(run.value(run.at(t), "lambda"), 9.81, error_bound(rtol, 9.81));
    }
  }
}

TEST(CupAndBall, IsCaughtAndSwings) {
  const double contact = std::sqrt(2.0 / 9.81);
  const Ball caught = RopeByHand::after_impact(rope.flight({0.6, 0.2, 0, 0}, contact));
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(started_at({0.6, 0.2, 0, 0}, 0, 3.0), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U) << "never slack again";
    EXPECT_NEAR(events[0].time(), 0.451523640986, error_bound(rtol, 1.0));
    expect_taut(events[0], rtol);
    EXPECT_NEAR(events[0].after("vx"), -2.126134520674, error_bound(rtol, 5.0));
    EXPECT_NEAR(events[0].after("vy"), -1.594600890505, error_bound(rtol, 5.0));
    EXPECT_NEAR(events[0].weight("lambda"), 3.543557534, 1e-9 + error_bound(rtol, 5.0));
    EXPECT_NEAR(events[0].after("lambda"), 14.9112, 4.0 * error_bound(rtol, 15.0));
    for (const double t : {0.5, 1.0, 2.0, 3.0}) {
      const Ball expected = rope.swing(caught, t - contact);
      expect_ball(run, run.at(t), expected, 4.0 * error_bound(rtol, 5.0));
      EXPECT_NEAR(run.value(run.at(t), "lambda"), rope.lambda(expected), 20.0 * error_bound(rtol, 15.0));
    }
    expect_no_drift(run, contact, 100.0 * rtol);
    const auto& end = run.rows.back();
    EXPECT_NEAR(
        rope.energy({run.value(end, "x"), run.value(end, "y"), run.value(end, "vx"), run.value(end, "vy")}),
        -4.3164, 1e-9 + 4.0 * error_bound(rtol, 10.0));
  }
}

// Begins taut, runs up too slowly for a full turn: slack where λ = 0, and there g = Dg = D²g = 0.
TEST(CupAndBall, GoesSlackAndIsCaughtAgain) {
  const double speed = std::sqrt(3.5 * 9.81);
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(started_at({0, -1, speed, 0}, 1, 2.5), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 2U);
    const Instant &slack = events[0], &taut = events[1];
    // λ = 1.5 g − 3 g y falls at 3 g vy ≈ 56 there.
    EXPECT_NEAR(slack.time(), 0.4819942834614, 4.0 * error_bound(rtol, 5.0));
    EXPECT_EQ(slack.kind(), "switch");
    EXPECT_EQ(slack.changed_to("taut"), 0);
    EXPECT_EQ(slack.event().at("constraints"), nlohmann::json({"tension"}));
    EXPECT_EQ(slack.jumped(), Names{});
    EXPECT_NEAR(slack.after("x"), 0.8660254037844386, 4.0 * error_bound(rtol, 5.0));
    EXPECT_NEAR(slack.after("y"), 0.5, 4.0 * error_bound(rtol, 5.0));
    // The flight multiplies errors of its start by its duration.
    EXPECT_NEAR(taut.time(), 1.2640561704672, 20.0 * error_bound(rtol, 5.0));
    EXPECT_NEAR(taut.before("vx"), -1.1073617295, 1e-9 + 20.0 * error_bound(rtol, 5.0));
    EXPECT_NEAR(taut.before("vy"), -5.7540203336, 1e-9 + 20.0 * error_bound(rtol, 5.0));
    EXPECT_NEAR(taut.weight("lambda"), 5.7540203336, 1e-9 + 20.0 * error_bound(rtol, 5.0));
    expect_taut(taut, rtol);
    const Ball caught = {0.0, -1.0, -1.1073617294886, 0.0};
    for (const double t : {1.5, 2.0, 2.5})
      expect_ball(run, run.at(t), rope.swing(caught, t - 1.2640561704672), 50.0 * error_bound(rtol, 5.0));
    for (const auto& row : run.rows)
      if (row.time < slack.time()) {
        expect_ball(run, row, rope.swing({0, -1, speed, 0}, row.time), 4.0 * error_bound(rtol, 5.0));
      }
  }
}

TEST(CupAndBall, StaysOnItsRopeForAHundredSeconds) {
  for (const double rtol : {1e-6, 1e-8}) {
    nlohmann::json model = started_at({0.6, 0.2, 0, 0}, 0, 100.0);
    model["experiment"]["output_interval"] = 0.1;
    const SimulationRun run = completed(model, rtol);
    ASSERT_EQ(run.events.size(), 1U);
    ASSERT_GT(run.rows.size(), 1000U);
    expect_no_drift(run, 1.0, 100.0 * rtol);
  }
}

// Fast enough for full turns: what is integrated has to change four times in each of them.
TEST(CupAndBall, TurnsAllTheWayRound) {
  const Ball start{0.0, -1.0, 8.0, 0.0}, end = rope.swing(start, 6.0);
  for (const double rtol : {1e-7, 1e-8, 1e-9}) {
    const SimulationRun run = completed(started_at(start, 1, 6.0), rtol);
    EXPECT_TRUE(run.events.empty());
    expect_ball(run, run.rows.back(), end, 40.0 * error_bound(rtol, 8.0));
    expect_no_drift(run, 0.0, 100.0 * rtol);
    EXPECT_LT(run.summary.at("statistics").at("steps"), 20000);
  }
}

// The ball of a vertical rope is thrown back for ever: contacts every 2·0.4515… s, each with twice the
// momentum.
TEST(ElasticRope, IsPeriodic) {
  const double first = 0.4515236409857309, period = 0.9030472819714618, speed = 9.81 * first;
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("cup_and_ball_elastic"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 6U);
    for (std::size_t k = 0; k < events.size(); ++k) {
      const Instant& event = events[k];
      EXPECT_EQ(event.kind(), "law");
      EXPECT_EQ(event.event().at("constraints"), nlohmann::json({"rope"}));
      EXPECT_NEAR(event.time(), first + static_cast<double>(k) * period, error_bound(rtol, 5.0));
      EXPECT_EQ(event.jumped(), Names{"vy"});
      EXPECT_NEAR(event.after("vy"), -event.before("vy"), restart_accuracy * speed);
      EXPECT_NEAR(event.after("vy"), speed, 2.0 * error_bound(rtol, speed));
      EXPECT_EQ(event.impulsive(), Names{"lambda"});
      EXPECT_NEAR(event.weight("lambda"), 2.0 * event.after("vy"), 4.0 * error_bound(rtol));
    }
  }
}

TEST(ElasticRope, LosesWhatAlphaSays) {
  nlohmann::json model = case_model("cup_and_ball_elastic");
  model["parameters"]["alpha"] = 0.25;
  model["experiment"]["stop"] = 2.0;
  double time = std::sqrt(2.0 / 9.81), speed = 9.81 * time;
  const SimulationRun run = completed(model, 1e-8);
  const std::vector<Instant> events = instants(run);
  ASSERT_GE(events.size(), 3U);
  for (const Instant& event : events) {
    EXPECT_NEAR(event.time(), time, 1e-6);
    speed *= 0.75;
    EXPECT_NEAR(event.after("vy"), speed, 1e-6);
    time += 2.0 * speed / 9.81;
  }
  EXPECT_GT(time, 2.0) << "none is missing";
}

// The law of the source is that of a vertical rope; for any direction it is the velocity along the rope that
// turns. Each flight is a parabola, each impact a reflection; energy stays.
TEST(ElasticRope, ReflectsAlongTheRopeInAnyDirection) {
  const Ball start{0.3, 0.2, 1.0, 0.5};
  nlohmann::json model = case_model("cup_and_ball_elastic");
  model["transitions"][0]["equations"] = {"x*vx + y*vy = -(1 - alpha)*(x*pre(vx) + y*pre(vy))"};
  set_start(model, "x", start.x);
  set_start(model, "y", start.y);
  set_start(model, "vx", start.vx);
  set_start(model, "vy", start.vy);
  model["experiment"]["stop"] = 2.0;
  for (const double rtol : {1e-8, 1e-10}) {
    const SimulationRun run = completed(model, rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_GE(events.size(), 3U);
    Ball ball = start;
    double time = 0.0;
    for (std::size_t k = 0; k < events.size(); ++k) {
      const double flight = rope.reaches_end(ball);
      time += flight;
      ball = RopeByHand::after_impact(rope.flight(ball, flight), 1.0);
      // A disc is a lens that disperses: errors grow by a factor of a few from impact to impact.
      const double bound = std::pow(6.0, static_cast<double>(k)) * error_bound(rtol, 5.0);
      EXPECT_NEAR(events[k].time(), time, bound);
      EXPECT_NEAR(events[k].after("vx"), ball.vx, bound);
      EXPECT_NEAR(events[k].after("vy"), ball.vy, bound);
      const Ball left = before(events[k]), right = RopeByHand::after_impact(left, 1.0);
      EXPECT_NEAR(events[k].after("vx"), right.vx, 10.0 * restart_accuracy);
      EXPECT_NEAR(events[k].after("vy"), right.vy, 10.0 * restart_accuracy);
      EXPECT_NEAR(rope.energy(right), rope.energy(start), 4.0 * error_bound(rtol, 10.0));
    }
    EXPECT_GT(time + rope.reaches_end(ball), 2.0) << "none is missing";
  }
}

TEST(ElasticRope, WithoutALawIsUnderdetermined) {
  nlohmann::json model = case_model("cup_and_ball_elastic");
  model["transitions"][0]["equations"] = nlohmann::json::array();
  const SimulationRun run = simulate(model, 1e-8, 1e-8);
  expect_refused(run, "refused_law", {"vx", "vy", "lambda"});
  EXPECT_NEAR(run.summary.value("end_time", 0.0), 0.4515236409857309, 1e-6);
}

}  // namespace multi_mode_rope_test
}  // namespace mti::test
