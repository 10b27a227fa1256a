#include "tests/program/refusal_models.hpp"

#include <utility>

namespace mti::test {
namespace {

const std::set<std::string> no_mode = {"dead_end", "no_consistent_start"};

}  // namespace

RefusedModel refused(std::string name, std::string kind, double time, std::set<std::string> outcomes,
                     std::vector<std::string> named, const char* members, const char* repair) {
  nlohmann::json model = nlohmann::json::parse(members);
  model["format"] = "mti-model";
  model["version"] = 1;
  model["name"] = name;
  model["inputs"] = nlohmann::json::parse(
      R"m([{"name": "p", "binary": true, "table": {"time": [0, 1], "value": [0, 1]}}])m");
  model["experiment"] = nlohmann::json::parse(R"m({"stop": 2, "output_interval": 0.1})m");
  nlohmann::json repaired = model.patch(nlohmann::json::parse(repair));
  return {std::move(name),  std::move(kind),    time, std::move(outcomes), std::move(named),
          std::move(model), std::move(repaired)};
}

std::vector<RefusedModel> singular_modes() {
  const std::string kind = "singular mode";
  return {
      // Two ideal switches closed in parallel: their currents have a sum only, and q1 needs one of them.
      refused(
          "parallel_switches", kind, 1.0, no_mode, {"switch1", "switch2", "i1", "i2"}, R"m({
        "states": [{"name": "q1"}],
        "algebraic": [{"name": "u"}, {"name": "i1"}, {"name": "i2"}],
        "equations": ["der(q1) = i1",
                      {"name": "source", "text": "u + 10*(i1 + i2) = 1"},
                      {"name": "switch1", "text": "p*u + (1 - p)*i1 = 0"},
                      {"name": "switch2", "text": "p*u + (1 - p)*i2 = 0"}]})m",
          R"m([{"op": "replace", "path": "/equations/3/text", "value": "p*(u - i2) + (1 - p)*i2 = 0"}])m"),
      // Nothing is left that says how fast x moves.
      refused("lost_drive", kind, 1.0, no_mode, {"drive", "reserve", "y1"}, R"m({
        "states": [{"name": "x"}],
        "algebraic": [{"name": "y1"}, {"name": "y2"}],
        "equations": ["der(x) = y1",
                      {"name": "drive", "text": "(1 - p)*(y1 - 1) + p*(y2 - 1) = 0"},
                      {"name": "reserve", "text": "y2 = 1"}]})m",
              R"m([{"op": "replace", "path": "/equations/1/text",
                   "value": "(1 - p)*(y1 - 1) + p*(y1 + y2 - 1) = 0"}])m"),
      // Regular in structure; the two rows become one in numbers.
      refused("equal_rows", kind, 1.0, no_mode, {"total", "ratio", "y1", "y2"}, R"m({
        "states": [{"name": "x", "start": 1}],
        "algebraic": [{"name": "y1"}, {"name": "y2"}],
        "equations": ["der(x) = -y1",
                      {"name": "total", "text": "y1 + y2 = x"},
                      {"name": "ratio", "text": "y1 + (2 - p)*y2 = x"}]})m",
              R"m([{"op": "replace", "path": "/equations/2/text", "value": "y1 + (3 - p)*y2 = x"}])m"),
      // Two clutches side by side share the torque as they like, and one of them has a limit.
      refused("parallel_clutches", kind, 1.0, no_mode, {"clutch1", "clutch2", "tau1", "tau2"}, R"m({
        "states": [{"name": "w1", "start": 1}, {"name": "w2", "start": 3}],
        "algebraic": [{"name": "tau1"}, {"name": "tau2"}],
        "equations": ["der(w1) = tau1 + tau2", "2*der(w2) = -tau1 - tau2",
                      {"name": "clutch1", "text": "p*(w1 - w2) + (1 - p)*tau1 = 0"},
                      {"name": "clutch2", "text": "p*(w1 - w2) + (1 - p)*tau2 = 0"}],
        "constraints": [{"name": "strength", "text": "-tau1 - 1000 <= 0"}]})m",
              R"m([{"op": "replace", "path": "/equations/3/text", "value": "tau2 - 0.1*p*(w2 - w1) = 0"}])m"),
  };
}

std::vector<RefusedModel> contradictory_constraints() {
  const std::string kind = "contradictory constraints";
  return {
      // A current source whose switch opens has no way round.
      refused(
          "source_cut_off", kind, 1.0, no_mode, {"source", "switch"}, R"m({
        "states": [{"name": "q"}],
        "algebraic": [{"name": "i"}, {"name": "u"}],
        "equations": ["der(q) = i",
                      {"name": "source", "text": "i = 1"},
                      {"name": "switch", "text": "(1 - p)*u + p*i = 0"}]})m",
          R"m([{"op": "replace", "path": "/equations/2/text", "value": "(1 - p)*u + p*(u - 10*i) = 0"}])m"),
      // A clutch to a shaft that turns, and a brake, both rigid.
      refused("clutch_against_brake", kind, 1.0, no_mode, {"clutch", "brake"}, R"m({
        "states": [{"name": "w", "start": 0.5}],
        "algebraic": [{"name": "tau1"}, {"name": "tau2"}],
        "equations": ["der(w) = tau1 + tau2 - 0.1*w",
                      {"name": "clutch", "text": "(1 - p)*tau1 + p*(w - 1) = 0"},
                      {"name": "brake", "text": "(1 - p)*tau2 + p*w = 0"}]})m",
              R"m([{"op": "replace", "path": "/equations/2/text", "value": "tau2 + 0.5*p*w = 0"}])m"),
      // The only motion lies beyond a limit.
      refused("pinned_beyond_its_limit", kind, 1.0, no_mode, {"limit"}, R"m({
        "states": [{"name": "x"}],
        "equations": [{"name": "drive", "text": "(1 - p)*(der(x) - 0.5) + p*(x - 2) = 0"}],
        "constraints": [{"name": "limit", "text": "x - 1.5 <= 0"}]})m",
              R"m([{"op": "replace", "path": "/constraints/0/text", "value": "x - 2.5 <= 0"}])m"),
      // Two constraints on one speed from the start.
      refused("two_speeds_at_once", kind, 0.0, no_mode, {"shaft1", "shaft2"}, R"m({
        "states": [{"name": "w", "start": 1}],
        "algebraic": [{"name": "tau1"}, {"name": "tau2"}],
        "equations": ["der(w) = tau1 + tau2", {"name": "shaft1", "text": "w = 1"},
                      {"name": "shaft2", "text": "2*w = 3"}]})m",
              R"m([{"op": "replace", "path": "/equations/2/text", "value": "tau2 = 3 - 2*w"}])m"),
  };
}

std::vector<RefusedModel> jumping_coefficients() {
  const std::string kind = "jumping coefficient";
  const std::set<std::string> restart = {"refused_restart"};
  return {
      // Which w1 counts for the impulse of tau: the one before or the one after?
      refused("lever_that_jumps", kind, 1.0, restart, {"lever", "w1"}, R"m({
        "states": [{"name": "w1", "start": 1}, {"name": "w2", "start": 4}, {"name": "s", "start": 0.5}],
        "algebraic": [{"name": "tau"}],
        "equations": [{"name": "lever", "text": "der(w1) = (1 + w1)*tau"}, "2*der(w2) = -tau", "der(s) = -s",
                      {"name": "clutch", "text": "p*(w1 - w2) + (1 - p)*tau = 0"}]})m",
              R"m([{"op": "replace", "path": "/equations/0/text", "value": "der(w1) = (1 + s)*tau"}])m"),
      // x ṗ + p ẋ = 0 keeps x p in the smooth; across a jump x⁻Δp + p⁻Δx, x⁺Δp + p⁺Δx and Δ(x p) differ.
      refused("gas_without_its_mass", kind, 1.0, restart, {"gas", "x", "pressure"}, R"m({
        "states": [{"name": "x", "start": 1}, {"name": "pressure", "start": 1}, {"name": "m", "start": 1}],
        "equations": [{"name": "gas", "text": "x*der(pressure) + pressure*der(x) = 0"},
                      {"name": "piston", "text": "(1 - p)*(der(x) - 0.1) + p*(x - 2) = 0"},
                      "der(m) = 0"]})m",
              R"m([{"op": "replace", "path": "/equations/0/text", "value": "m = x*pressure"}])m"),
      // An inertia that depends on a speed that jumps.
      refused("inertia_that_jumps", kind, 1.0, restart, {"body", "inertia"}, R"m({
        "states": [{"name": "w1", "start": 1}, {"name": "w2", "start": 4}, {"name": "s", "start": 0.5}],
        "algebraic": [{"name": "tau"}, {"name": "inertia"}],
        "equations": [{"name": "body", "text": "inertia*der(w1) = tau"}, "2*der(w2) = -tau", "der(s) = -s", "inertia = 1 + w2",
                      {"name": "clutch", "text": "p*(w1 - w2) + (1 - p)*tau = 0"}]})m",
              R"m([{"op": "replace", "path": "/equations/3", "value": "inertia = 1 + s"}])m"),
  };
}

std::vector<RefusedModel> orders_above_one() {
  const std::string kind = "order of two and more";
  const std::set<std::string> restart = {"refused_restart"};
  return {
      // To be put on its circle a pendulum would need the derivative of an impulse.
      refused("pendulum_off_its_circle", kind, 0.0, restart, {"rod"}, R"m({
        "states": [{"name": "x", "start": 0.9}, {"name": "y"}, {"name": "vx"}, {"name": "vy"}],
        "algebraic": [{"name": "lambda"}],
        "equations": ["der(x) = vx", "der(y) = vy", "der(vx) = -lambda*x", "der(vy) = -lambda*y - 9.81",
                      {"name": "rod", "text": "x^2 + y^2 = 1"}]})m",
              R"m([{"op": "replace", "path": "/states/0/start", "value": 1}])m"),
      refused("rope_hooked_far_away", kind, 1.0, restart, {"rope_law"}, R"m({
        "parameters": {"g": 9.81},
        "states": [{"name": "x", "start": 0.6}, {"name": "y", "start": 0.2}, {"name": "vx"},
                   {"name": "vy", "start": -1}],
        "algebraic": [{"name": "lambda"}],
        "equations": ["der(x) = vx", "der(y) = vy", "der(vx) = -lambda*x", "der(vy) = -lambda*y - g",
                      {"name": "rope_law", "text": "p*(x^2 + y^2 - 1) + (1 - p)*lambda = 0"}]})m",
              R"m([{"op": "replace", "path": "/parameters/g", "value": 0}])m"),
      // The square of an impulse is no number.
      refused("squared_impulse", kind, 1.0, restart, {"heat", "q"}, R"m({
        "states": [{"name": "w1", "start": 1}, {"name": "w2", "start": 4}, {"name": "q"}],
        "algebraic": [{"name": "tau"}],
        "equations": ["der(w1) = tau", "2*der(w2) = -tau", {"name": "heat", "text": "der(q) = tau^2"},
                      {"name": "clutch", "text": "p*(w1 - w2) + (1 - p)*tau = 0"}]})m",
              R"m([{"op": "replace", "path": "/equations/2/text", "value": "der(q) = tau"}])m"),
  };
}

std::vector<RefusedModel> all_refused_models() {
  std::vector<RefusedModel> all;
  for (const auto& models : {singular_modes(), contradictory_constraints(), undetermined_restarts_and_laws(),
                             jumping_coefficients(), orders_above_one(), contradictory_laws()})
    all.insert(all.end(), models.begin(), models.end());
  return all;
}

}  // namespace mti::test
