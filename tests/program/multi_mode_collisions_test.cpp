// Bodies on a line that meet: left limits, restarts, momentum and impulses. Closed forms: bodies move
// uniformly between contacts.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_collisions_test {

struct Bodies {
  double m1, m2, v1, v2;
};

nlohmann::json with(nlohmann::json model, const Bodies& bodies) {
  model["parameters"]["m1"] = bodies.m1;
  model["parameters"]["m2"] = bodies.m2;
  set_start(model, "v1", bodies.v1);
  set_start(model, "v2", bodies.v2);
  return model;
}

double momentum(const Bodies& bodies, double v1, double v2) { return bodies.m1 * v1 + bodies.m2 * v2; }

/// The bodies are 2 apart; their contact is at 2/(v1 − v2).
class Collisions : public testing::TestWithParam<Bodies> {};

TEST_P(Collisions, BodiesThatStickMoveWithTheirMomentum) {
  const Bodies bodies = GetParam();
  const nlohmann::json model = with(case_model("two_bodies_inelastic"), bodies);
  const double contact = 2.0 / (bodies.v1 - bodies.v2),
               v = momentum(bodies, bodies.v1, bodies.v2) / (bodies.m1 + bodies.m2);
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = completed(model, rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U);
    const Instant& event = events[0];
    EXPECT_EQ(event.kind(), "switch");
    EXPECT_EQ(event.changed_to("together"), 1);
    EXPECT_EQ(event.jumped(), (Names{"v1", "v2"}));
    EXPECT_EQ(event.impulsive(), (Names{"F1", "F2"}));
    EXPECT_NEAR(event.time(), contact, error_bound(rtol, 2.0));

    const double before = momentum(bodies, event.before("v1"), event.before("v2"));
    EXPECT_NEAR(event.after("v1"), before / (bodies.m1 + bodies.m2), restart_accuracy * std::abs(v));
    EXPECT_NEAR(momentum(bodies, event.after("v1"), event.after("v2")), before,
                conservation_accuracy * std::abs(before));
    EXPECT_NEAR(event.weight("F1"), bodies.m1 * (event.after("v1") - event.before("v1")),
                restart_accuracy * std::abs(before));
    EXPECT_NEAR(event.weight("F2"), -event.weight("F1"), conservation_accuracy * std::abs(before));
    EXPECT_EQ(event.order("F1"), 1.0);
    EXPECT_NEAR(event.after("F1"), 0.0, error_bound(rtol)) << "nothing pushes once they move together";

    const auto& end = run.rows.back();
    for (const char* name : {"v1", "v2"}) EXPECT_NEAR(run.value(end, name), v, error_bound(rtol, bodies.v1));
    const double x = bodies.v1 * contact + v * (1.0 - contact);
    for (const char* name : {"x1", "x2"})
      EXPECT_NEAR(run.value(end, name), x, 2.0 * error_bound(rtol, bodies.v1));
  }
}

TEST_P(Collisions, RestitutionConservesMomentumWithoutWritingIt) {
  const Bodies bodies = GetParam();
  nlohmann::json model = with(case_model("two_bodies_restitution"), bodies);
  for (const double eps : {0.0, 0.5, 1.0}) {
    model["parameters"]["eps"] = eps;
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      const SimulationRun run = completed(model, rtol);
      const std::vector<Instant> events = instants(run);
      ASSERT_EQ(events.size(), 1U) << "eps = " << eps;
      const Instant& event = events[0];
      EXPECT_EQ(event.kind(), "law");
      EXPECT_EQ(event.event().at("constraints"), nlohmann::json({"gap"}));
      EXPECT_EQ(event.jumped(), (Names{"v1", "v2"}));
      const double a = event.before("v1"), b = event.before("v2"), total = bodies.m1 + bodies.m2;
      const double p = momentum(bodies, a, b);
      const double v1 = (p - bodies.m2 * eps * (a - b)) / total, v2 = (p + bodies.m1 * eps * (a - b)) / total;
      EXPECT_NEAR(event.after("v1"), v1, restart_accuracy * bodies.v1);
      EXPECT_NEAR(event.after("v2"), v2, restart_accuracy * bodies.v1);
      EXPECT_NEAR(momentum(bodies, event.after("v1"), event.after("v2")), p,
                  conservation_accuracy * std::abs(p));
      EXPECT_NEAR(event.weight("F1"), bodies.m1 * (v1 - a), restart_accuracy * std::abs(p));
      EXPECT_NEAR(event.weight("F2"), bodies.m2 * (v2 - b), restart_accuracy * std::abs(p));
      EXPECT_EQ(event.order("F2"), 1.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Masses, Collisions,
                         testing::Values(Bodies{1, 3, 4, 0}, Bodies{3, 1, 4, 1}, Bodies{2, 2, 5, -1},
                                         Bodies{1e-3, 7, 8, 0.5}, Bodies{10, 0.25, 3, -2}),
                         [](const auto& instance) { return "number" + std::to_string(instance.index); });

// The values of the published example.
TEST(Collisions, ThePublishedExamples) {
  const double rtol = 1e-8;
  const SimulationRun stick = completed(case_model("two_bodies_inelastic"), rtol),
                      bounce = completed(case_model("two_bodies_restitution"), rtol);
  ASSERT_EQ(stick.events.size(), 1U);
  ASSERT_EQ(bounce.events.size(), 1U);
  const Instant together = instants(stick)[0], apart = instants(bounce)[0];
  EXPECT_NEAR(together.time(), 0.5, 1e-6);
  EXPECT_NEAR(together.after("v1"), 1.0, 1e-6);
  EXPECT_NEAR(together.weight("F1"), -3.0, 1e-6);
  EXPECT_NEAR(apart.time(), 0.5, 1e-6);
  EXPECT_NEAR(apart.after("v1"), -0.5, 1e-6);
  EXPECT_NEAR(apart.after("v2"), 1.5, 1e-6);
}

// Negative control: the projection of least norm, (v1 + v2)/2, is right for equal masses only.
TEST(CollisionsControl, TheProjectionOfLeastNormIsAnotherAnswer) {
  for (const Bodies& bodies : {Bodies{1, 3, 4, 0}, Bodies{2, 2, 4, 0}}) {
    const SimulationRun run = completed(with(case_model("two_bodies_inelastic"), bodies), 1e-8);
    ASSERT_EQ(run.events.size(), 1U);
    const Instant event = instants(run)[0];
    const double least_norm = 0.5 * (event.before("v1") + event.before("v2"));
    if (bodies.m1 == bodies.m2)
      EXPECT_NEAR(event.after("v1"), least_norm, restart_accuracy * least_norm);
    else
      EXPECT_GT(std::abs(event.after("v1") - least_norm), 0.9);
  }
}

}  // namespace multi_mode_collisions_test
}  // namespace mti::test
