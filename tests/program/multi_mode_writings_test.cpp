// One physical system in several equivalent writings: auxiliary signals, balances with and without guard,
// rows scaled, other state variables. The left limits are the start values, exact in every writing, so that
// the restarts must agree to rounding.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_writings_test {

/// Equations and signals of a writing; parameters, constraints and physical states are the case's own.
struct Writing {
  std::string name;
  Names equations;
  Names algebraic;
  /// The physical signals as sums over the writing's own: name, factor.
  std::map<std::string, std::pair<std::string, double>> physical = {};
};

nlohmann::json written(nlohmann::json model, const Writing& writing) {
  model["equations"] = writing.equations;
  nlohmann::json algebraic = nlohmann::json::array();
  for (const std::string& name : writing.algebraic) algebraic.push_back({{"name", name}});
  model["algebraic"] = algebraic;
  return model;
}

double weight_of(const Instant& event, const Writing& writing, const std::string& name) {
  const auto found = writing.physical.find(name);
  return found == writing.physical.end() ? event.weight(name)
                                         : found->second.second * event.weight(found->second.first);
}

/// The one restart of each writing, against numbers that are exact.
struct Expected {
  std::map<std::string, double> after;    ///< of states
  std::map<std::string, double> weights;  ///< of impulses
};

void expect_same_restart(const nlohmann::json& model, const std::vector<Writing>& writings,
                         const Expected& expected, const std::string& kind) {
  for (const Writing& writing : writings) {
    SCOPED_TRACE(writing.name);
    const SimulationRun run = completed(written(model, writing), 1e-8);
    ASSERT_GE(run.events.size(), 1U);
    const Instant event = instants(run)[0];
    EXPECT_EQ(event.kind(), kind);
    for (const auto& [name, value] : expected.after)
      EXPECT_NEAR(event.after(name), value, restart_accuracy * (1.0 + std::abs(value))) << name;
    for (const auto& [name, value] : expected.weights)
      EXPECT_NEAR(weight_of(event, writing, name), value, restart_accuracy * (1.0 + std::abs(value))) << name;
  }
}

/// Runs of all writings from the left limit on are the same to the accuracy of the run.
void expect_same_run(const nlohmann::json& model, const std::vector<Writing>& writings, double rtol,
                     double size) {
  const SimulationRun first = completed(written(model, writings.front()), rtol);
  for (const Writing& writing : writings) {
    SCOPED_TRACE(writing.name);
    const SimulationRun run = completed(written(model, writing), rtol);
    ASSERT_EQ(run.events.size(), first.events.size());
    for (const nlohmann::json& state : model.at("states")) {
      const std::string name = state.at("name");
      EXPECT_NEAR(run.value(run.rows.back(), name), first.value(first.rows.back(), name),
                  2.0 * error_bound(rtol, size))
          << name;
    }
  }
}

const std::vector<Writing> clutches = {
    {"balance without guard",
     {"j1*der(w1) = -k1*w1 + f1", "j2*der(w2) = -k2*w2 + f2", "g*(w1 - w2) + (1 - g)*f1 = 0", "f1 + f2 = 0"},
     {"f1", "f2"}},
    {"balance with guard",
     {"j1*der(w1) = -k1*w1 + f1", "j2*der(w2) = -k2*w2 + f2", "g*(w1 - w2) + (1 - g)*f1 = 0",
      "g*(f1 + f2) + (1 - g)*f2 = 0"},
     {"f1", "f2"}},
    {"auxiliary signals",
     {"j1*der(w1) = s1", "s1 = f1 - b1", "b1 = k1*w1", "j2*der(w2) = s2", "s2 = f2 - k2*w2", "slip = w1 - w2",
      "g*slip + (1 - g)*torque = 0", "f1 = -torque", "f2 - torque = 0"},
     {"s1", "s2", "b1", "slip", "torque", "f1", "f2"}},
    {"accelerations as signals",
     {"der(w1) = a1", "der(w2) = a2", "j1*a1 = -k1*w1 + f1", "j2*a2 = -k2*w2 + f2",
      "g*(w1 - w2) + (1 - g)*f2 = 0", "f1 + f2 = 0"},
     {"a1", "a2", "f1", "f2"}},
    {"scaled rows",
     {"1e6*j1*der(w1) = -1e6*k1*w1 + 1e6*f1", "1e-3*j2*der(w2) = -1e-3*k2*w2 + 1e-3*f2",
      "g*(-1e4)*(w1 - w2) + 1e-5*(1 - g)*f1 = 0", "1e3*f1 + 1e3*f2 = 0"},
     {"f1", "f2"}},
    {"one torque",
     {"j1*der(w1) = -k1*w1 - torque", "j2*der(w2) = -k2*w2 + torque", "g*(w1 - w2) + (1 - g)*torque = 0"},
     {"torque"},
     {{"f1", {"torque", -1.0}}, {"f2", {"torque", 1.0}}}},
    {"sum of both shafts",
     {"j1*der(w1) + j2*der(w2) = -k1*w1 - k2*w2", "j2*der(w2) = -k2*w2 + f2", "g*(w1 - w2) + (1 - g)*f2 = 0"},
     {"f2"},
     {{"f1", {"f2", -1.0}}}}};

TEST(Writings, OfTheClutchRestartAlike) {
  nlohmann::json model = case_model("clutch_basic");
  set_table(model, "g", {0.0}, {1.0});
  const double w = (1.0 + 2.0 * 1.5) / 3.0;
  expect_same_restart(model, clutches, {{{"w1", w}, {"w2", w}}, {{"f1", w - 1.0}, {"f2", 1.0 - w}}},
                      "initial");
  for (const double rtol : {1e-6, 1e-10}) expect_same_run(case_model("clutch_basic"), clutches, rtol, 1.5);
}

const Names free_motion = {"der(x1) = v1", "der(x2) = v2"};

Names with_motion(const Names& equations) {
  Names all = free_motion;
  all.insert(all.end(), equations.begin(), equations.end());
  return all;
}

const std::vector<Writing> collisions = {
    {"reaction with guard",
     with_motion({"m1*der(v1) = F1", "m2*der(v2) = F2", "F1 + together*F2 = 0",
                  "together*(v1 - v2) + (1 - together)*F2 = 0"}),
     {"F1", "F2"}},
    {"reaction without guard",
     with_motion(
         {"m1*der(v1) = F1", "m2*der(v2) = F2", "F1 + F2 = 0", "together*(v1 - v2) + (1 - together)*F1 = 0"}),
     {"F1", "F2"}},
    {"auxiliary signals",
     with_motion({"p1 = m1*v1", "der(v1) = a1", "m1*a1 = F1", "m2*der(v2) = F2", "closing = v1 - v2",
                  "F1 = -contact", "F2 = contact", "together*closing + (1 - together)*contact = 0"}),
     {"p1", "a1", "closing", "contact", "F1", "F2"}},
    {"scaled rows",
     with_motion({"1e-6*m1*der(v1) = 1e-6*F1", "1e5*m2*der(v2) = 1e5*F2", "-1e3*(F1 + together*F2) = 0",
                  "1e-4*together*(v1 - v2) + 1e4*(1 - together)*F2 = 0"}),
     {"F1", "F2"}},
    {"total momentum",
     with_motion(
         {"m1*der(v1) + m2*der(v2) = 0", "m2*der(v2) = F2", "together*(v1 - v2) + (1 - together)*F2 = 0"}),
     {"F2"},
     {{"F1", {"F2", -1.0}}}}};

// Free bodies keep their speeds exactly, so that the left limits are 4 and 0.
TEST(Writings, OfTheCollisionRestartAlike) {
  expect_same_restart(case_model("two_bodies_inelastic"), collisions,
                      {{{"v1", 1.0}, {"v2", 1.0}}, {{"F1", -3.0}, {"F2", 3.0}}}, "switch");
}

const Names ball_motion = {"der(x) = vx", "der(y) = vy"};

Names with_ball(const Names& equations) {
  Names all = ball_motion;
  all.insert(all.end(), equations.begin(), equations.end());
  return all;
}

const std::vector<Writing> ropes = {
    {"lambda alone",
     with_ball({"der(vx) + lambda*x = 0", "der(vy) + lambda*y + g = 0",
                "taut*(L^2 - x^2 - y^2) + (1 - taut)*lambda = 0"}),
     {"lambda"}},
    {"forces as signals",
     with_ball({"der(vx) = fx", "der(vy) = fy - g", "fx = -lambda*x", "fy = -lambda*y", "square = x^2 + y^2",
                "slack = L^2 - square", "taut*slack + (1 - taut)*lambda = 0"}),
     {"fx", "fy", "square", "slack", "lambda"}},
    {"scaled rows",
     with_ball({"-1e4*der(vx) - 1e4*lambda*x = 0", "1e-5*der(vy) + 1e-5*(lambda*y + g) = 0",
                "1e3*taut*(L^2 - x^2 - y^2) - 1e-3*(1 - taut)*lambda = 0"}),
     {"lambda"}},
    {"tension",
     with_ball({"der(vx) + tension*x/L = 0", "der(vy) + tension*y/L + g = 0", "lambda = tension/L",
                "taut*(x^2 + y^2 - L^2)/2 + (1 - taut)*tension = 0"}),
     {"tension", "lambda"}},
    {"without a power",
     with_ball({"der(vx) + lambda*x = 0", "der(vy) + lambda*y + g = 0", "xh = x", "yh - y = 0",
                "taut*(L^2 - x*xh - y*yh) + (1 - taut)*lambda = 0"}),
     {"xh", "yh", "lambda"}}};

// The start is on the rope's end with a velocity that leaves it.
TEST(Writings, OfTheRopeRestartAlike) {
  nlohmann::json model = case_model("cup_and_ball");
  const double x = 0.6, y = -0.8, vx = 0.5, vy = -4.0, radial = vx * x + vy * y;
  set_start(model, "x", x);
  set_start(model, "y", y);
  set_start(model, "vx", vx);
  set_start(model, "vy", vy);
  set_start(model, "taut", 1.0);
  expect_same_restart(
      model, ropes,
      {{{"x", x}, {"y", y}, {"vx", vx - radial * x}, {"vy", vy - radial * y}}, {{"lambda", radial}}},
      "initial");
  for (const double rtol : {1e-6, 1e-10}) expect_same_run(case_model("cup_and_ball"), ropes, rtol, 20.0);
}

// A law in three writings: as conservation by balance, with a contact force, and with momentum written down.
TEST(Writings, OfTheLawOfCollisionRestartAlike) {
  const nlohmann::json model = case_model("two_bodies_restitution");
  nlohmann::json contact = model, momentum = model;
  contact["algebraic"] = {{{"name", "F1"}, {"start", 0}}, {{"name", "F2"}, {"start", 0}}};
  set_equation(contact, "free1", "F1 + F2 = 0");
  contact["transitions"][0] = {
      {"when", "reach(gap)"}, {"replaces", {"free2"}}, {"equations", {"v2 - v1 = -eps*(pre(v2) - pre(v1))"}}};
  momentum["transitions"][0] = {
      {"when", "reach(gap)"},
      {"replaces", {"newton1", "newton2"}},
      {"equations", {"v2 - v1 = -eps*(pre(v2) - pre(v1))", "m1*v1 + m2*v2 = m1*pre(v1) + m2*pre(v2)"}}};
  for (const nlohmann::json& writing : {model, contact, momentum}) {
    const SimulationRun run = completed(writing, 1e-8);
    ASSERT_EQ(run.events.size(), 1U);
    const Instant event = instants(run)[0];
    EXPECT_EQ(event.kind(), "law");
    EXPECT_NEAR(event.after("v1"), -0.5, restart_accuracy);
    EXPECT_NEAR(event.after("v2"), 1.5, restart_accuracy);
  }
}

}  // namespace multi_mode_writings_test
}  // namespace mti::test
