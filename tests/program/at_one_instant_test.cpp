// Parts of a model that have nothing to do with each other and all act at t = 1, in pairs: thresholds, inputs, impulses, ticks,
// impacts, latches, diodes, slides, friction, and a vessel that becomes empty. Each moves as it does alone.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/model/read_model.hpp"
#include "tests/program/run_comparison.hpp"

namespace mti::test {
namespace at_one_instant_test {

using nlohmann::json;

constexpr double rtol = 1e-7;
/// Either run is off by some tens of rtol.
constexpr double off = 100.0 * rtol;

const std::map<std::string, json>& parts() {
  static const std::map<std::string, json> all = json::parse(R"json({
    "threshold": {"states": [{"name": "s"}, {"name": "n"}], "binaries": [{"name": "z"}],
                  "equations": ["der(s) = 1", "der(n) = z"], "constraints": ["(s - 1)*(1 - 2*z) <= 0"]},
    "binary_input": {"states": [{"name": "n"}], "equations": ["der(n) = u"],
                     "inputs": [{"name": "u", "binary": true, "table": {"time": [0, 1], "value": [0, 1]}}]},
    "capacitors": {"states": [{"name": "n"}, {"name": "k", "start": 3}], "algebraic": [{"name": "f"}],
                   "inputs": [{"name": "u", "binary": true, "table": {"time": [0, 1], "value": [0, 1]}}],
                   "equations": ["der(n) = f", "der(k) = -f", "u*(n - k) + (1 - u)*f = 0"]},
    "counter": {"states": [{"name": "n"}], "sample": {"name": "k", "period": 0.5}, "equations": ["next(n) = n + 1"]},
    "when": {"states": [{"name": "s"}, {"name": "n"}], "equations": ["der(s) = 1", "der(n) = 0"],
             "when": [{"condition": "s >= 1", "set": {"n": "n + 1"}}]},
    "stepped_threshold": {"states": [{"name": "n"}], "binaries": [{"name": "z"}], "equations": ["der(n) = z"],
                          "inputs": [{"name": "u", "table": {"time": [0, 1, 1, 3], "value": [0, 0, 1, 1]}}],
                          "constraints": ["(u - 0.5)*(1 - 2*z) <= 0"]},
    "impact": {"states": [{"name": "h", "start": 1}, {"name": "v", "start": -1}],
               "equations": ["der(h) = v", "der(v) = 0"], "constraints": [{"name": "floor", "text": "-h <= 0"}],
               "transitions": [{"when": "reach(floor)", "equations": ["v = -0.5*pre(v)"]}]},
    "slide": {"states": [{"name": "x", "start": -1}, {"name": "n"}], "binaries": [{"name": "z"}],
              "equations": ["der(x) = 1 - 2*z", "der(n) = z"], "constraints": ["(1 - 2*z)*x <= 0"]},
    "trip": {"states": [{"name": "i"}], "binaries": [{"name": "s"}, {"name": "o"}],
             "equations": ["der(i) = 1 - o - 10*o*i", "o - s - pre(o) + s*pre(o) = 0"],
             "constraints": ["(1 - 2*s)*(i - 1) <= 0"]},
    "diode": {"states": [{"name": "v"}], "algebraic": [{"name": "i"}, {"name": "w"}], "binaries": [{"name": "z"}],
              "inputs": [{"name": "e", "table": {"time": [0, 1, 1, 3], "value": [-1, -1, 1, -1]}}],
              "equations": ["der(v) = i - 0.1*v", "w = v - e", "z*w + (1 - z)*i = 0"],
              "constraints": ["w >= 0", "i >= 0"]},
    "diode_with_resistor": {"states": [{"name": "v"}], "algebraic": [{"name": "i"}, {"name": "w"}],
              "binaries": [{"name": "z"}],
              "inputs": [{"name": "e", "table": {"time": [0, 1, 1, 3], "value": [-1, -1, 1, -1]}}],
              "equations": ["der(v) = i - 0.1*v", "w = v - e + 0.1*i", "z*w + (1 - z)*i = 0"],
              "constraints": ["w >= 0", "i >= 0"]},
    "vessel": {"states": [{"name": "h", "start": 1}], "algebraic": [{"name": "q"}],
               "equations": ["q = sign(h)*sqrt(abs(h))", "der(h) = -2*q"]},
    "root": {"states": [{"name": "h", "start": 1}], "equations": ["der(h) = -2*sqrt(h)"]},
    "latch": {"states": [{"name": "s"}, {"name": "n"}], "binaries": [{"name": "z"}, {"name": "l"}],
              "equations": ["der(s) = 1", "der(n) = l", "l = z + pre(l) - z*pre(l)"],
              "constraints": ["(s - 1)*(1 - 2*z) <= 0"]},
    "hysteresis": {"states": [{"name": "T", "start": 20}], "binaries": [{"name": "on", "start": 1}],
                   "equations": ["der(T) = 2*on - 1"], "constraints": ["(19 - T)*(1 - on) <= 0", "(T - 21)*on <= 0"]},
    "two_relays": {"states": [{"name": "x", "start": -1}, {"name": "y", "start": -1}],
                   "binaries": [{"name": "a"}, {"name": "b"}],
                   "equations": ["der(x) = 1 - 2*a + 0.5*b", "der(y) = 1 - 2*b - 0.5*a"],
                   "constraints": ["(1 - 2*a)*x <= 0", "(1 - 2*b)*y <= 0"]},
    "lift_off": {"states": [{"name": "h"}, {"name": "v"}], "algebraic": [{"name": "f"}],
                 "binaries": [{"name": "r", "start": 1}],
                 "inputs": [{"name": "p", "table": {"time": [0, 2], "value": [0, 20]}}],
                 "equations": ["der(h) = v", "der(v) = -10 + f + p", "r*v + (1 - r)*f = 0"],
                 "constraints": ["h >= 0", "f >= 0"]},
    "friction": {"states": [{"name": "v", "start": 1}], "equations": ["der(v) = F - 1.5*sign(v) - 1/6"],
                 "inputs": [{"name": "F", "table": {"time": [0, 3], "value": [0, 4]}}]},
    "fast_lag": {"states": [{"name": "s"}, {"name": "n"}], "binaries": [{"name": "z"}],
                 "equations": ["der(s) = 1", "der(n) = 1e4*(z - n*n)"], "constraints": ["(s - 1)*(1 - 2*z) <= 0"]},
    "rise": {"states": [{"name": "s"}, {"name": "n"}], "binaries": [{"name": "z"}],
             "equations": ["der(s) = 1", "der(n) = 0.1"], "constraints": ["(s - 1)*(1 - 2*z) <= 0"],
             "transitions": [{"when": "rise(z)", "equations": ["n = pre(n) + 1"]}]},
    "thermostat_at_a_root": {
             "states": [{"name": "T", "start": 20}, {"name": "x", "start": -0.5}, {"name": "h", "start": 1}],
             "algebraic": [{"name": "q"}], "binaries": [{"name": "on"}, {"name": "r"}, {"name": "b"}],
             "equations": ["der(T) = 0.1*on - 0.05", "der(x) = 1 - 2*r + 3*on", "b - on - r + r*on = 0",
                           "q = if h > 0 then sqrt(h) else 0", "der(h) = -2*q - 1e-3"],
             "constraints": ["(19 - T)*(1 - on) <= 0", "(T - 21)*on <= 0", "(1 - 2*r)*x <= 0"]}
  })json")
                                                     .get<std::map<std::string, json>>();
  return all;
}

Model model_of(json parts_of_it) {
  const json document = {{"format", "mti-model"},
                         {"version", 1},
                         {"components", std::move(parts_of_it)},
                         {"experiment", {{"stop", 3}, {"rtol", rtol}, {"atol", 0.01 * rtol}}}};
  return read_model_text(document.dump(), ".");
}

/// What a run did to what is named after a part: instants at which something changed, and end values.
struct PartCourse {
  std::vector<std::pair<double, Course::Changes>> changes;
  std::map<std::string, double> states;
};

PartCourse part_of(const Course& course, const std::string& part) {
  const auto is_its = [&](const std::string& name) { return name.starts_with(part + "."); };
  PartCourse its;
  for (const Course::Step& step : course.steps) {
    Course::Changes changed;
    for (const auto& [name, change] : step.changed)
      if (is_its(name)) changed[name.substr(part.size() + 1)] = change;
    if (!changed.empty()) its.changes.emplace_back(step.time, std::move(changed));
  }
  for (const auto& [name, value] : course.states)
    if (is_its(name)) its.states[name.substr(part.size() + 1)] = value;
  return its;
}

PartCourse alone(const std::string& name) {
  const Model model = model_of(json::array({{{"name", "a"}, {"model", parts().at(name)}}}));
  const Course course = course_of(run(model), model);
  EXPECT_EQ(course.outcome, "reached_stop") << name;
  return part_of(course, "a");
}

void expect_same(const PartCourse& reference, const PartCourse& its) {
  ASSERT_EQ(reference.changes.size(), its.changes.size());
  for (std::size_t i = 0; i < its.changes.size(); ++i) {
    EXPECT_NEAR(reference.changes[i].first, its.changes[i].first, off);
    const Course::Changes &expected = reference.changes[i].second, &found = its.changes[i].second;
    ASSERT_EQ(expected.size(), found.size()) << "t = " << its.changes[i].first;
    for (const auto& [name, change] : expected) {
      ASSERT_TRUE(found.contains(name)) << name;
      EXPECT_NEAR(change.first, found.at(name).first, off) << name;
      EXPECT_NEAR(change.second, found.at(name).second, off) << name;
    }
  }
  for (const auto& [name, value] : reference.states)
    EXPECT_NEAR(value, its.states.at(name), off * (1.0 + std::abs(value))) << name;
}

class AtOneInstant : public testing::TestWithParam<std::string> {};

TEST_P(AtOneInstant, EachMovesAsAlone) {
  const std::string& first = GetParam();
  const PartCourse first_alone = alone(first);
  for (const auto& [second, document] : parts()) {
    if (second < first) continue;  // in the other order: the second one's own turn has it
    SCOPED_TRACE(first + " and " + second);
    const PartCourse second_alone = alone(second);
    for (const bool is_first : {true, false}) {
      const json a = {{"name", "a"}, {"model", parts().at(first)}}, b = {{"name", "b"}, {"model", document}};
      const Model both = model_of(is_first ? json::array({a, b}) : json::array({b, a}));
      const Course course = course_of(run(both), both);
      ASSERT_EQ(course.outcome, "reached_stop");
      expect_same(first_alone, part_of(course, "a"));
      expect_same(second_alone, part_of(course, "b"));
    }
  }
}

std::vector<std::string> names_of_parts() {
  std::vector<std::string> names;
  for (const auto& [name, part] : parts()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Parts, AtOneInstant, testing::ValuesIn(names_of_parts()),
                         [](const auto& instance) { return instance.param; });

}  // namespace at_one_instant_test
}  // namespace mti::test
