// Laws, and restarts without a unique solution.

#include <cmath>

#include "tests/program/refusal_models.hpp"

namespace mti::test {
namespace {

const std::set<std::string> law = {"refused_law"};
/// A fall of one unit of length.
const double fall = std::sqrt(2.0 / 9.81);

}  // namespace

std::vector<RefusedModel> undetermined_restarts_and_laws() {
  const std::string kind = "undetermined restart or law";
  return {
      // The rope may pull with any impulse: nothing says how the ball comes back.
      refused("cup_and_ball_elastic", kind, fall, law, {"vx", "vy", "lambda"}, R"m({
        "parameters": {"g": 9.81, "alpha": 0},
        "states": [{"name": "x"}, {"name": "y"}, {"name": "vx"}, {"name": "vy"}],
        "algebraic": [{"name": "lambda"}],
        "equations": ["der(x) = vx", "der(y) = vy", "der(vx) = -lambda*x", "der(vy) = -lambda*y - g",
                      {"name": "slack", "text": "lambda = 0"}],
        "constraints": [{"name": "rope", "text": "x^2 + y^2 - 1 <= 0"}],
        "transitions": [{"when": "reach(rope)", "replaces": ["slack"], "equations": []}]})m",
              R"m([{"op": "replace", "path": "/transitions/0",
                   "value": {"when": "reach(rope)", "equations": ["vy = -(1 - alpha)*pre(vy)"]}}])m"),
      // Momentum is kept, and that is all that is said.
      refused("collision_without_restitution", kind, 0.5, law, {"v1", "v2"}, R"m({
        "states": [{"name": "x1"}, {"name": "x2", "start": 2}, {"name": "v1", "start": 4}, {"name": "v2"}],
        "algebraic": [{"name": "F1"}, {"name": "F2"}],
        "equations": ["der(x1) = v1", "der(x2) = v2", "der(v1) = F1", "3*der(v2) = F2",
                      {"name": "free1", "text": "F1 = 0"}, {"name": "free2", "text": "F2 = 0"}],
        "constraints": [{"name": "gap", "text": "x1 - x2 <= 0"}],
        "transitions": [{"when": "reach(gap)", "replaces": ["free1", "free2"], "equations": ["F1 + F2 = 0"]}]})m",
              R"m([{"op": "add", "path": "/transitions/0/equations/-",
                   "value": "v2 - v1 = -0.5*(pre(v2) - pre(v1))"}])m"),
      refused("ball_without_a_bounce", kind, fall, law, {"v"}, R"m({
        "states": [{"name": "h", "start": 1}, {"name": "v"}],
        "equations": ["der(h) = v", {"name": "gravity", "text": "der(v) = -9.81"}],
        "constraints": [{"name": "floor", "text": "-h <= 0"}],
        "transitions": [{"when": "reach(floor)", "replaces": ["gravity"], "equations": []}]})m",
              R"m([{"op": "add", "path": "/transitions/0/equations/-", "value": "v = -0.9*pre(v)"}])m"),
      // tau1² of order 1: two torques of either sign do the same to w1. The cube has one root.
      refused("square_law_clutch", kind, 1.0, {"refused_restart"}, {"tau1"}, R"m({
        "states": [{"name": "w1", "start": 1}, {"name": "w2", "start": 5}],
        "algebraic": [{"name": "tau1"}, {"name": "tau2"}],
        "equations": ["der(w1) = 2*tau1^2", "der(w2) = 3*tau2",
                      {"name": "clutch", "text": "p*(w1 - w2) + (1 - p)*tau1 = 0"},
                      {"name": "balance", "text": "tau1 + tau2 = 0"}]})m",
              R"m([{"op": "replace", "path": "/equations/0", "value": "der(w1) = 2*tau1^3"}])m"),
  };
}

std::vector<RefusedModel> contradictory_laws() {
  const std::string kind = "contradictory laws";
  return {
      refused("two_restitutions", kind, fall, law, {"v"}, R"m({
        "states": [{"name": "h", "start": 1}, {"name": "v"}],
        "equations": ["der(h) = v", {"name": "gravity", "text": "der(v) = -9.81"}],
        "constraints": [{"name": "floor", "text": "-h <= 0"}],
        "transitions": [{"when": "reach(floor)", "equations": ["v = -0.9*pre(v)"]},
                        {"when": "reach(floor)", "equations": ["v = -0.8*pre(v)"]}]})m",
              R"m([{"op": "replace", "path": "/transitions/1/equations/0", "value": "v = -0.9*pre(v)"}])m"),
      refused("two_speeds_of_one_ball", kind, fall, law, {"v"}, R"m({
        "states": [{"name": "h", "start": 1}, {"name": "v"}],
        "algebraic": [{"name": "F"}],
        "equations": ["der(h) = v", {"name": "gravity", "text": "der(v) = F - 9.81"},
                      {"name": "free", "text": "F = 0"}],
        "constraints": [{"name": "floor", "text": "-h <= 0"}],
        "transitions": [{"when": "reach(floor)", "replaces": ["gravity", "free"],
                         "equations": ["v = -0.9*pre(v)", "v = -0.8*pre(v)"]}]})m",
              R"m([{"op": "replace", "path": "/transitions/0/equations/1", "value": "F = 0"}])m"),
      // Two bodies that are one cannot leave with two speeds.
      refused("law_against_a_coupling", kind, fall, law, {"v1", "v2", "coupling"}, R"m({
        "states": [{"name": "h", "start": 1}, {"name": "v1"}, {"name": "v2"}],
        "algebraic": [{"name": "F"}],
        "equations": ["der(h) = v1", {"name": "body1", "text": "der(v1) = F - 9.81"},
                      {"name": "body2", "text": "2*der(v2) = -F - 2*9.81"},
                      {"name": "coupling", "text": "v1 - v2 = 0"}],
        "constraints": [{"name": "floor", "text": "-h <= 0"}],
        "transitions": [{"when": "reach(floor)", "replaces": ["body1", "body2"],
                         "equations": ["v1 = -0.9*pre(v1)", "v2 = -0.8*pre(v2)"]}]})m",
              R"m([{"op": "replace", "path": "/transitions/0",
                   "value": {"when": "reach(floor)", "equations": ["v1 = -0.9*pre(v1)"]}}])m"),
  };
}

}  // namespace mti::test
