// Chains of clutches, collisions and links: several restarts at once and one after the other. Oracles:
// products of exponentials, uniform motion, quadratures, accelerations by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mti/common/at.hpp"
#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_chains_test {

/// Shafts that turn together: groups of neighbours, each with one speed.
struct Shafts {
  std::array<double, 4> j{1, 2, 0.5, 3}, k{0.1, 0.05, 0.02, 0.3}, w{4, -1, 2, 7};

  /// joined[i]: shafts i and i + 1 turn together. First to their common momentum, then for t.
  void run(const std::array<bool, 3>& joined, double t) {
    for (std::size_t begin = 0, end = 0; begin < 4; begin = end) {
      end = begin + 1;
      while (end < 4 && joined[end - 1]) ++end;
      double inertia = 0.0, friction = 0.0, momentum = 0.0;
      for (std::size_t i = begin; i < end; ++i) {
        inertia += j[i];
        friction += k[i];
        momentum += j[i] * w[i];
      }
      for (std::size_t i = begin; i < end; ++i) w[i] = momentum / inertia * std::exp(-friction / inertia * t);
    }
  }
};

void expect_speeds(const SimulationRun& run, double t, const Shafts& shafts, double rtol) {
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(run.value(run.at(t), "w" + std::to_string(i + 1)), shafts.w[i], error_bound(rtol, 7.0))
        << "w" << i + 1 << " at t = " << t;
}

double speed(const Instant& event, int shaft, bool after) {
  const std::string name = "w" + std::to_string(shaft);
  return after ? event.after(name) : event.before(name);
}

double momentum(const Instant& event, int first, int last, bool after) {
  const Shafts shafts;
  double sum = 0.0;
  for (int i = first; i <= last; ++i) sum += shafts.j[at(i - 1)] * speed(event, i, after);
  return sum;
}

TEST(ClutchChain, EngagesAtOnceAndOneAfterTheOther) {
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("clutch_chain"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 4U);
    const Instant &outer = events[0], &middle = events[1];
    EXPECT_EQ(outer.time(), 1.0);
    EXPECT_EQ(outer.changed_to("c12"), 1);
    EXPECT_EQ(outer.changed_to("c34"), 1);
    EXPECT_EQ(outer.jumped(), (Names{"w1", "w2", "w3", "w4"}));
    EXPECT_EQ(outer.impulsive(), (Names{"t12", "t34"}));
    EXPECT_NEAR(momentum(outer, 1, 2, true), momentum(outer, 1, 2, false), 10.0 * conservation_accuracy);
    EXPECT_NEAR(momentum(outer, 3, 4, true), momentum(outer, 3, 4, false), 20.0 * conservation_accuracy);
    EXPECT_NEAR(outer.after("w1"), momentum(outer, 1, 2, false) / 3.0, 10.0 * restart_accuracy);
    EXPECT_NEAR(outer.after("w4"), momentum(outer, 3, 4, false) / 3.5, 10.0 * restart_accuracy);
    EXPECT_NEAR(outer.weight("t12"), outer.before("w1") - outer.after("w1"), 10.0 * restart_accuracy);

    // Engaging the middle one jerks the engaged ones on both sides of it.
    EXPECT_EQ(middle.time(), 2.0);
    EXPECT_EQ(middle.impulsive(), (Names{"t12", "t23", "t34"}));
    const double total = momentum(middle, 1, 4, false), w = total / 6.5;
    EXPECT_NEAR(momentum(middle, 1, 4, true), total, 30.0 * conservation_accuracy);
    for (int i = 1; i <= 4; ++i) EXPECT_NEAR(speed(middle, i, true), w, 10.0 * restart_accuracy);
    EXPECT_NEAR(middle.weight("t12"), middle.before("w1") - w, 10.0 * restart_accuracy);
    EXPECT_NEAR(middle.weight("t23"), 3.0 * (middle.before("w1") - w), 30.0 * restart_accuracy);
    EXPECT_NEAR(middle.weight("t34"), 3.0 * (w - middle.before("w4")), 30.0 * restart_accuracy);
    for (const Instant& release : {events[2], events[3]}) {
      EXPECT_EQ(release.jumped(), Names{});
      EXPECT_EQ(release.impulsive(), Names{});
    }

    Shafts shafts;
    shafts.run({false, false, false}, 1.0);
    shafts.run({true, false, true}, 0.5);
    expect_speeds(run, 1.5, shafts, rtol);
    shafts.run({true, false, true}, 0.5);
    shafts.run({true, true, true}, 1.0);
    expect_speeds(run, 3.0, shafts, rtol);
    shafts.run({true, false, true}, 1.0);
    shafts.run({false, false, true}, 1.0);
    expect_speeds(run, 5.0, shafts, rtol);
  }
}

/// Carriages in uniform motion until the next of four contacts.
struct Carriages {
  std::array<double, 3> m{1, 2, 3}, x{0.5, 2, 5}, v{3, 0, -1};
  double time = 0.0;

  /// To the next contact and through it: 0 gap12, 1 gap23, 2 left, 3 right.
  int next() {
    const std::array<double, 4> gap{x[1] - x[0], x[2] - x[1], x[0], 6.0 - x[2]},
        closing{v[0] - v[1], v[1] - v[2], -v[0], v[2]};
    double first = INFINITY;
    int contact = -1;
    for (int c = 0; c < 4; ++c) {
      const double t = closing[c] > 0.0 ? std::max(gap[c], 0.0) / closing[c] : INFINITY;
      if (t < first) {
        first = t;
        contact = c;
      }
    }
    time += first;
    for (int i = 0; i < 3; ++i) x[i] += v[i] * first;
    if (contact < 2) {
      const double eps = contact == 0 ? 0.8 : 0.6, approach = v[contact] - v[contact + 1];
      const double impulse = (1.0 + eps) * approach / (1.0 / m[contact] + 1.0 / m[contact + 1]);
      v[contact] -= impulse / m[contact];
      v[contact + 1] += impulse / m[contact + 1];
    } else {
      v[contact == 2 ? 0 : 2] *= -0.9;
    }
    return contact;
  }
};

TEST(CollisionChain, CollidesInOrder) {
  const std::array<std::string, 4> names{"gap12", "gap23", "left", "right"};
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("collision_chain"), rtol);
    Carriages carriages;
    // Each contact multiplies errors by the ratio of speeds and masses, at most 3 here.
    double bound = error_bound(rtol, 6.0);
    for (const Instant& event : instants(run)) {
      const int contact = carriages.next();
      SCOPED_TRACE(names[contact] + " at " + std::to_string(carriages.time));
      EXPECT_EQ(event.kind(), "law");
      EXPECT_EQ(event.event().at("constraints"), nlohmann::json({names[contact]}));
      EXPECT_NEAR(event.time(), carriages.time, bound);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(event.after("v" + std::to_string(i + 1)), carriages.v[i], bound);
      if (contact < 2) {
        const std::string a = std::to_string(contact + 1), b = std::to_string(contact + 2);
        EXPECT_EQ(event.jumped(), (Names{"v" + a, "v" + b}));
        const double p =
            carriages.m[contact] * event.before("v" + a) + carriages.m[contact + 1] * event.before("v" + b);
        EXPECT_NEAR(
            carriages.m[contact] * event.after("v" + a) + carriages.m[contact + 1] * event.after("v" + b), p,
            20.0 * conservation_accuracy);
        EXPECT_NEAR(event.weight("F" + a + b),
                    carriages.m[contact + 1] * (event.after("v" + b) - event.before("v" + b)),
                    30.0 * restart_accuracy);
      } else {
        EXPECT_EQ(event.jumped(), Names{contact == 2 ? "v1" : "v3"});
        EXPECT_EQ(event.impulsive(), Names{}) << "the buffer is no signal of the model";
      }
      bound *= 1.5;
    }
    EXPECT_GE(run.events.size(), 4U);
    carriages.next();
    EXPECT_GT(carriages.time, 5.0) << "none is missing";
  }
}

// m (v1, v2, v3) = (1·3, 2·1, −1.5): 1 and 2 meet at 0.5, then 2 and 3.
TEST(CouplingTrain, CouplesOnePairAfterTheOther) {
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("coupling_train"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 2U);
    const double v12 = 5.0 / 3.0, v = 3.5 / 6.0, meet = 0.5 + (3.0 - 0.25 - 1.5) / (v12 + 0.5);
    EXPECT_NEAR(events[0].time(), 0.5, error_bound(rtol, 3.0));
    EXPECT_EQ(events[0].changed_to("c12"), 1);
    EXPECT_NEAR(events[0].after("v1"), v12, restart_accuracy);
    EXPECT_NEAR(events[0].after("v2"), v12, restart_accuracy);
    EXPECT_NEAR(events[0].weight("F12"), 2.0 * (v12 - 1.0), restart_accuracy);
    EXPECT_EQ(events[0].impulsive(), Names{"F12"});
    EXPECT_NEAR(events[1].time(), meet, error_bound(rtol, 3.0));
    EXPECT_EQ(events[1].changed_to("c23"), 1);
    for (const char* name : {"v1", "v2", "v3"})
      EXPECT_NEAR(events[1].after(name), v, 2.0 * restart_accuracy) << name;
    EXPECT_NEAR(events[1].weight("F12"), v12 - v, 3.0 * restart_accuracy);
    EXPECT_NEAR(events[1].weight("F23"), 3.0 * (v + 0.5), 3.0 * restart_accuracy);
    const double p = events[1].before("v1") + 2.0 * events[1].before("v2") + 3.0 * events[1].before("v3");
    EXPECT_NEAR(events[1].after("v1") + 2.0 * events[1].after("v2") + 3.0 * events[1].after("v3"), p,
                10.0 * conservation_accuracy);
    const double x = 0.5 * 3.0 + v12 * (meet - 0.5) + v * (3.0 - meet);
    for (const char* name : {"x1", "x2", "x3"})
      EXPECT_NEAR(run.value(run.rows.back(), name), x, error_bound(rtol, 3.0)) << name;
  }
}

}  // namespace multi_mode_chains_test
}  // namespace mti::test
