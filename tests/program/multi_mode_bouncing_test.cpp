// Balls that bounce: laws at the floor, rest by a threshold and rest at a Zeno limit. Closed forms
// throughout.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/places.hpp"
#include "tests/program/published_case.hpp"
#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_bouncing_test {

constexpr double g = 9.81, e = 0.7;

// The published semantics: eleven impacts, the last one followed by rest because the rebound is below v_min.
// After each bounce errors of the speed are multiplied by e; those of the time add up.
TEST(BouncingBallFmi, BouncesElevenTimesAndRests) {
  const nlohmann::json reference = read_json(source_dir() / "tests/cases/reference/bouncing_ball_fmi.json");
  const nlohmann::json& times = reference.at("impact_times");
  const nlohmann::json& speeds = reference.at("v_after");
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("bouncing_ball_fmi"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), times.size());
    for (std::size_t k = 0; k < events.size(); ++k) {
      SCOPED_TRACE("impact " + std::to_string(k));
      const Instant& event = events[k];
      const bool last = k + 1 == events.size();
      EXPECT_NEAR(event.time(), times[k].get<double>(), error_bound(rtol, 4.5));
      EXPECT_NEAR(event.after("v"), speeds[k].get<double>(), error_bound(rtol, 4.5));
      EXPECT_NEAR(event.after("v"), last ? 0.0 : -e * event.before("v"), restart_accuracy * 5.0);
      EXPECT_EQ(event.kind(), "law");
      EXPECT_EQ(event.event().at("changed").size(), last ? 1U : 0U);
    }
    EXPECT_EQ(events.back().changed_to("rest"), 1);
    EXPECT_NEAR(events.back().after("c"), 0.08758463847798777, error_bound(rtol, 4.5))
        << "the rebound that was too slow";
    for (const nlohmann::json& sample : reference.at("samples")) {
      const auto& row = run.at(sample.at("time").get<double>());
      for (const auto& [name, value] : sample.at("values").items())
        EXPECT_NEAR(run.value(row, name), value.get<double>(), 10.0 * error_bound(rtol, 4.5))
            << name << " at t = " << row.time;
    }
    for (const auto& row : run.rows)
      EXPECT_GE(run.value(row, "h"), -error_bound(rtol)) << "never below the floor, t = " << row.time;
  }
}

/// Impacts of a ball dropped from h = 1, and their limit.
struct Bounces {
  double fall = std::sqrt(2.0 / g), limit = fall * (1.0 + e) / (1.0 - e);
  [[nodiscard]] double time(int k) const { return limit - 2.0 * fall * std::pow(e, k + 1) / (1.0 - e); }
  [[nodiscard]] double speed_after(int k) const { return g * fall * std::pow(e, k + 1); }
};

// With the contact as a complementarity the limit of the impacts is rest on the floor, F = m g.
TEST(BouncingBallContact, RestsAtTheLimitOfItsImpacts) {
  const Bounces bounces;
  EXPECT_NEAR(bounces.limit, 2.5586339655858086, 1e-14);
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("bouncing_ball_contact"), rtol);
    const std::vector<Instant> events = instants(run);
    int impacts = 0;
    std::size_t rests = 0;
    for (const Instant& event : events) {
      if (event.kind() == "zeno") {
        ++rests;
        EXPECT_EQ(event.changed_to("contact"), 1);
        // Heights are known to ε, so speeds below √(2 g ε) are noise, and with them what time is left.
        EXPECT_NEAR(event.time(), bounces.limit, 2.0 * std::sqrt(2.0 * 2.0 * rtol / g) / (1.0 - e));
        continue;
      }
      ASSERT_EQ(rests, 0U) << "nothing happens at rest";
      EXPECT_EQ(event.kind(), "law");
      // An error of the height is one of the energy: v dv = g dh.
      const double speed = bounces.speed_after(impacts), error = error_bound(rtol, 4.5) * (1.0 + g / speed);
      if (error < 0.1 * speed) {
        EXPECT_NEAR(event.time(), bounces.time(impacts), error);
        EXPECT_NEAR(event.after("v"), speed, error);
      }
      EXPECT_NEAR(event.after("v"), -e * event.before("v"), restart_accuracy);
      EXPECT_NEAR(event.weight("F"), 2.0 * (event.after("v") - event.before("v")), 10.0 * restart_accuracy);
      ++impacts;
    }
    EXPECT_EQ(rests, 1U);
    EXPECT_GE(impacts, 8);
    for (const auto& row : run.rows) {
      EXPECT_GE(run.value(row, "h"), -error_bound(rtol)) << "t = " << row.time;
      if (row.time <= bounces.limit + 2.0 * std::sqrt(2.0 * 2.0 * rtol / g) / (1.0 - e)) continue;
      EXPECT_NEAR(run.value(row, "h"), 0.0, error_bound(rtol));
      EXPECT_NEAR(run.value(row, "v"), 0.0, error_bound(rtol));
      EXPECT_NEAR(run.value(row, "F"), 2.0 * g, error_bound(rtol, 20.0));
    }
  }
}

// Without a law the contact is inelastic: it rests where it falls.
TEST(BouncingBallContact, WithoutALawItStays) {
  nlohmann::json model = case_model("bouncing_ball_contact");
  model.erase("transitions");
  const SimulationRun run = completed(model, 1e-8);
  const std::vector<Instant> events = instants(run);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind(), "switch");
  EXPECT_NEAR(events[0].after("v"), 0.0, restart_accuracy);
  EXPECT_NEAR(events[0].weight("F"), -2.0 * events[0].before("v"), restart_accuracy * 10.0);
  EXPECT_NEAR(run.value(run.rows.back(), "F"), 2.0 * g, 1e-6);
}

/// One ball between two walls, speeds multiplied by e_left and e_right.
nlohmann::json between_walls(double e_left, double e_right, double v) {
  return {
      {"format", "mti-model"},
      {"version", 1},
      {"name", "ball_between_walls"},
      {"parameters", {{"e_left", e_left}, {"e_right", e_right}}},
      {"states", {{{"name", "x"}, {"start", 0.25}}, {{"name", "v"}, {"start", v}}}},
      {"equations", {"der(x) = v", "der(v) = 0"}},
      {"constraints", {{{"name", "left"}, {"text", "-x <= 0"}}, {{"name", "right"}, {"text", "x - 1 <= 0"}}}},
      {"transitions",
       {{{"when", "reach(left)"}, {"equations", {"v = -e_left*pre(v)"}}},
        {{"when", "reach(right)"}, {"equations", {"v = -e_right*pre(v)"}}}}},
      {"experiment", {{"stop", 10}, {"output_interval", 0.5}}}};
}

TEST(BallBetweenWalls, AlternatesBetweenThem) {
  for (const double v0 : {1.0, -1.0})
    for (const double rtol : accuracies) {
      const SimulationRun run = completed(between_walls(0.8, 0.9, v0), rtol);
      double time = 0.0, x = 0.25, v = v0;
      std::size_t k = 0;
      for (const Instant& event : instants(run)) {
        const bool right = v > 0.0;
        time += (right ? 1.0 - x : x) / std::abs(v);
        x = right ? 1.0 : 0.0;
        v *= right ? -0.9 : -0.8;
        EXPECT_EQ(event.event().at("constraints"), nlohmann::json({right ? "right" : "left"})) << k;
        EXPECT_NEAR(event.time(), time, 10.0 * error_bound(rtol, 1.0)) << k;
        EXPECT_NEAR(event.after("v"), v, restart_accuracy * 10.0 + error_bound(rtol, 1.0)) << k;
        EXPECT_EQ(event.jumped(), Names{"v"});
        ++k;
      }
      EXPECT_GT(time + 1.0 / std::abs(v), 10.0) << "none is missing";
    }
}

}  // namespace multi_mode_bouncing_test
}  // namespace mti::test
