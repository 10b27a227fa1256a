// Restarts and laws that have no answer, or more than one: refused by name, with the run up to there kept.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_refusals_test {

using Json = nlohmann::json;

/// A model whose binary input `g` becomes 1 at t = 1.
Json engaged_at_one(const Names& states, const std::vector<double>& start, const Names& algebraic,
                    const std::vector<std::pair<std::string, std::string>>& equations) {
  Json model = {{"format", "mti-model"}, {"version", 1}, {"name", "refusal"}, {"experiment", {{"stop", 2}}}};
  for (std::size_t i = 0; i < states.size(); ++i)
    model["states"].push_back({{"name", states[i]}, {"start", start[i]}});
  for (const std::string& name : algebraic) model["algebraic"].push_back({{"name", name}});
  for (const auto& [name, text] : equations) model["equations"].push_back({{"name", name}, {"text", text}});
  model["inputs"] = {{{"name", "g"}, {"binary", true}, {"table", {{"time", {0, 1}}, {"value", {0, 1}}}}}};
  return model;
}

void expect_kept_until_one(const SimulationRun& run) {
  EXPECT_EQ(run.summary.value("end_time", 0.0), 1.0);
  ASSERT_FALSE(run.rows.empty()) << "what was computed before is kept";
  EXPECT_EQ(run.rows.front().time, 0.0);
}

// The inertia of a shaft is a signal that is forced to another value at the same instant: what it is while
// the impulse acts depends on how the model is written.
TEST(Refusals, ACoefficientThatJumpsWithItsWeight) {
  const Json model = engaged_at_one({"w1", "w2", "j"}, {1.0, 3.0, 1.0}, {"f"},
                                    {{"shaft1", "j*der(w1) = f"},
                                     {"shaft2", "2*der(w2) = -f"},
                                     {"clutch", "g*(w1 - w2) + (1 - g)*f = 0"},
                                     {"inertia", "g*(j - 4) + (1 - g)*der(j) = 0"}});
  const SimulationRun run = simulate(model, 1e-8, 1e-8);
  expect_refused(run, "refused_restart", {"shaft1"});
  expect_kept_until_one(run);
}

// Control: the same coefficient jumps where nothing is impulsive.
TEST(Refusals, ACoefficientMayJumpWithoutAWeight) {
  const Json model = engaged_at_one(
      {"w1", "j"}, {1.0, 1.0}, {"f"},
      {{"shaft1", "j*der(w1) = f"}, {"motor", "f = 3"}, {"inertia", "g*(j - 4) + (1 - g)*der(j) = 0"}});
  const SimulationRun run = completed(model, 1e-8);
  EXPECT_NEAR(run.value(run.at(1.0), "w1"), 4.0, 1e-6);
  EXPECT_NEAR(run.value(run.at(2.0), "w1"), 4.75, 1e-6);
}

// Control: a coefficient that does not jump may stand before an impulse.
TEST(Refusals, ACoefficientMayBeASignal) {
  const Json model = engaged_at_one({"w1", "w2", "j"}, {1.0, 3.0, 1.0}, {"f"},
                                    {{"shaft1", "j*der(w1) = f"},
                                     {"shaft2", "2*der(w2) = -f"},
                                     {"clutch", "g*(w1 - w2) + (1 - g)*f = 0"},
                                     {"inertia", "der(j) = 1"}});
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_EQ(run.events.size(), 1U);
  const Instant event = instants(run)[0];
  // j = 2 at t = 1: equal inertias.
  EXPECT_NEAR(event.after("w1"), 2.0, 1e-6);
  EXPECT_NEAR(event.after("w1"),
              (event.before("j") * event.before("w1") + 2.0 * event.before("w2")) / (event.before("j") + 2.0),
              restart_accuracy * 4.0);
}

// Both bodies are nailed to different places: no restart, and no mode is left.
TEST(Refusals, ContradictoryConstraints) {
  const Json model = engaged_at_one({"x"}, {0.0}, {"f", "h"},
                                    {{"motion", "der(x) = f + h"},
                                     {"nail1", "g*(x - 1) + (1 - g)*f = 0"},
                                     {"nail2", "g*(x - 2) + (1 - g)*h = 0"}});
  const SimulationRun run = simulate(model, 1e-8, 1e-8);
  EXPECT_EQ(run.status, 3);
  const std::string outcome = run.summary.at("outcome"), message = run.summary.at("message");
  EXPECT_TRUE(outcome == "dead_end" || outcome == "no_consistent_start") << outcome;
  for (const char* name : {"nail1", "nail2"}) EXPECT_NE(message.find(name), std::string::npos) << message;
  expect_kept_until_one(run);
}

Json with_law(const Names& replaces, const Names& equations) {
  Json model = case_model("two_bodies_restitution");
  model["transitions"] = {{{"when", "reach(gap)"}, {"replaces", replaces}, {"equations", equations}}};
  return model;
}

TEST(Refusals, LawsThatLeaveSignalsOpen) {
  const SimulationRun run = simulate(with_law({"free1", "free2"}, {"F1 + F2 = 0"}), 1e-8, 1e-8);
  expect_refused(run, "refused_law", {"v1", "v2"});
  EXPECT_NEAR(run.summary.value("end_time", 0.0), 0.5, 1e-6);
}

TEST(Refusals, LawsThatContradictEachOther) {
  const SimulationRun run =
      simulate(with_law({"free1", "free2"}, {"v2 - v1 = 1", "v2 - v1 = 2"}), 1e-8, 1e-8);
  expect_refused(run, "refused_law", {"v1", "v2"});
}

// Two laws of one instant that say the same count once.
TEST(Refusals, NotOfLawsThatSayTheSame) {
  Json model = case_model("two_bodies_restitution");
  model["constraints"].push_back({{"name", "gap_again"}, {"text", "2*x1 - 2*x2 <= 0"}});
  Json again = model["transitions"][0];
  again["when"] = "reach(gap_again)";
  model["transitions"].push_back(again);
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_NEAR(instants(run)[0].after("v1"), -0.5, restart_accuracy);
  EXPECT_NEAR(instants(run)[0].after("v2"), 1.5, restart_accuracy);
}

// Two bodies on a third one in the middle, both contacts at one instant: the laws are solved together.
TEST(Refusals, NotOfLawsThatMeet) {
  const Json model = Json::parse(R"json({"format": "mti-model", "version": 1, "name": "meeting",
    "states": [{"name": "x1", "start": -1}, {"name": "x2"}, {"name": "x3", "start": 1},
               {"name": "v1", "start": 2}, {"name": "v2"}, {"name": "v3", "start": -2}],
    "algebraic": [{"name": "F12"}, {"name": "F23"}],
    "equations": ["der(x1) = v1", "der(x2) = v2", "der(x3) = v3", "der(v1) = -F12", "5*der(v2) = F12 - F23",
                  "der(v3) = F23", {"name": "free12", "text": "F12 = 0"}, {"name": "free23", "text": "F23 = 0"}],
    "constraints": [{"name": "gap12", "text": "x1 - x2 <= 0"}, {"name": "gap23", "text": "x2 - x3 <= 0"}],
    "transitions": [
      {"when": "reach(gap12)", "replaces": ["free12"], "equations": ["v2 - v1 = -0.5*(pre(v2) - pre(v1))"]},
      {"when": "reach(gap23)", "replaces": ["free23"], "equations": ["v3 - v2 = -0.5*(pre(v3) - pre(v2))"]}],
    "experiment": {"stop": 1}})json");
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_EQ(run.events.size(), 1U);
  const Instant event = instants(run)[0];
  EXPECT_NEAR(event.time(), 0.5, 1e-6);
  EXPECT_EQ(event.event().at("constraints").size(), 2U);
  EXPECT_NEAR(event.after("v1"), -1.0, restart_accuracy * 2.0);
  EXPECT_NEAR(event.after("v2"), 0.0, restart_accuracy * 2.0);
  EXPECT_NEAR(event.after("v3"), 1.0, restart_accuracy * 2.0);
  EXPECT_NEAR(event.weight("F12"), 3.0, restart_accuracy * 3.0);
  EXPECT_NEAR(event.weight("F23"), 3.0, restart_accuracy * 3.0);
}

}  // namespace multi_mode_refusals_test
}  // namespace mti::test
