// Scenarios of small models, against what determines their start by hand.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/build/boolean_text.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/multimode/initial_scenarios.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace initial_scenarios_examples_test {

Source case_source(const std::string& name) {
  return read_source_file(source_dir() / "tests/cases" / (name + ".json"));
}

/// One scenario of a model.
struct Admissibility {
  Admissibility(Source source, const std::string& modes_meant, const std::vector<std::string>& equations)
      : model(build(with(std::move(source), modes_meant, equations))),
        all(model),
        parts(scenario_parts(all, model).at(0)) {}

  static Source with(Source source, const std::string& modes_meant,
                     const std::vector<std::string>& equations) {
    source.scenarios = {{"start", modes_meant, equations}};
    return source;
  }

  /// The modes named by formulas; nothing else is.
  void expect(const char* determined, const char* under, const char* over) const {
    EXPECT_EQ(parts.determined, where(determined)) << "determined";
    EXPECT_EQ(parts.under_determined, where(under)) << "under";
    EXPECT_EQ(parts.over_determined, where(over)) << "over";
  }
  [[nodiscard]] ModeSet where(const char* formula) const {
    return all.space.considered(modes_where(parse_formula(model, formula), all.space));
  }
  /// Signals left open in the modes of a formula, with their derivatives.
  [[nodiscard]] std::set<std::string> open(const char* formula) const {
    std::set<std::string> names;
    const Signature& signature = model.signature;
    for (const ScenarioParts::Derivative& entry : parts.signals)
      if (!(entry.where & where(formula)).empty())
        names.insert(derivative_name(signature,
                                     entry.index < signature.n()
                                         ? signature.state_row(entry.index)
                                         : signature.algebraic_row(entry.index - signature.n()),
                                     entry.order));
    return names;
  }

  Model model;
  AllModes all;
  ScenarioParts parts;
};

Admissibility clutch(const std::string& modes_meant, const std::vector<std::string>& equations) {
  return {case_source("clutch_basic"), modes_meant, equations};
}

/// Two speeds when released, one when engaged.
TEST(InitialScenarioExamples, ClutchNeedsAsManySpeedsAsItHasDegreesOfFreedom) {
  const Admissibility two = clutch("", {"w1 = 1", "w2 = 1.5"});
  two.expect("not g", "false", "g");
  EXPECT_EQ(two.parts.own.at(0), two.where("g"));
  EXPECT_EQ(two.parts.own.at(1), two.where("g"));
  ASSERT_EQ(two.parts.equations.size(), 1U);  // w1 − w2 = 0 itself
  EXPECT_EQ(two.model.equation_names.at(at(two.parts.equations.front().index)), "clutch");
  EXPECT_EQ(two.parts.equations.front().order, 0);

  const Admissibility one = clutch("", {"w1 = 1"});
  one.expect("g", "not g", "false");
  EXPECT_EQ(one.open("not g"), (std::set<std::string>{"w2", "der(w2)"}));
  clutch("g", {"w1 = 1"}).expect("g", "false", "false");
  clutch("not g", {"w1 = 1", "w2 = 1.5"}).expect("not g", "false", "false");
  clutch("", {}).expect("false", "true", "false");
}

/// j w' = −k w + f at rest: released f = 0, hence w = 0; engaged one condition for both.
TEST(InitialScenarioExamples, ClutchStartsAtRest) {
  clutch("", {"der(w1) = 0", "der(w2) = 0"}).expect("not g", "false", "g");
  clutch("", {"der(w1) = 0"}).expect("g", "not g", "false");
  clutch("", {"g*(w1 - 1) + (1 - g)*der(w1) = 0", "w2 = (1 - g)*1.5 + g*w1"}).expect("not g", "false", "g");
  // A torque: engaged it decides the difference of the accelerations and so w1; released it is given.
  clutch("", {"f1 = 0.1"}).expect("g", "not g", "not g");
}

/// Taut: two of position and speed, if not both determine the same.
TEST(InitialScenarioExamples, BallOnARopeNeedsAPositionAndASpeed) {
  const auto ball = [](const std::vector<std::string>& equations) {
    return Admissibility(case_source("cup_and_ball"), "", equations);
  };
  for (const char* position : {"x = 0.6", "y = -0.8"})
    for (const char* speed : {"vx = 1", "vy = 1", "der(x) = 1", "der(y) = 1"})
      ball({position, speed}).expect("taut", "not taut", "false");
  // x² + y² = L² decides y: one value too many; nothing says how fast it is.
  const Admissibility positions = ball({"x = 0.6", "y = -0.8"});
  positions.expect("false", "true", "taut");
  EXPECT_TRUE(positions.open("taut").contains("vx"));
  EXPECT_FALSE(positions.open("taut").contains("x"));
  // The rope's force gives the speed, λ L² = v² − g y.
  ball({"x = 0.6", "lambda = 3"}).expect("taut", "not taut", "not taut");
  ball({"x = 0.6", "y = -0.8", "vx = 0", "vy = 0"}).expect("not taut", "false", "taut");
}

/// x² and a sum of squares, by copies that are no signals of the model.
TEST(InitialScenarioExamples, PowersCountAsTheirSignals) {
  const auto ball = [](const std::vector<std::string>& equations) {
    return Admissibility(case_source("cup_and_ball"), "", equations);
  };
  ball({"x^2 = 0.36", "vx^3 = 8"}).expect("taut", "not taut", "false");
  ball({"x^2 + y^2 = 0.25", "x = 0.3", "vx^2 + vy^2 = 1", "vx = vy"}).expect("not taut", "false", "taut");
  ball({"x^2 + vx^2 = 1", "x^2 - vx^2 = 0.28"}).expect("taut", "not taut", "false");
}

/// A shaft held at one speed by a, at another by b: nothing is left to say of h where both hold it.
TEST(InitialScenarioExamples, SingularModesAreNamedAndNotJudged) {
  Source source;
  source.states = {{"w"}};
  source.algebraic = {{"f"}, {"h"}};
  source.binaries = {{"a"}, {"b"}};
  source.equations = {"der(w) = f", "a*(w - 1) + (1 - a)*(f - h) = 0", "b*(w - 2) + (1 - b)*h = 0"};
  const Admissibility one(source, "", {"w = 1"});
  EXPECT_EQ(one.parts.modes, one.where("true"));
  EXPECT_EQ(one.parts.singular, one.where("a and b"));
  one.expect("not a and not b", "false", "(a and not b) or (b and not a)");
  const Admissibility none(source, "a or b", {});
  EXPECT_EQ(none.parts.modes, none.where("a or b"));
  EXPECT_EQ(none.parts.singular, none.where("a and b"));
  none.expect("(a and not b) or (b and not a)", "false", "false");
  // An invariant takes the singular mode out of what is considered.
  source.invariants = {"not (a and b)"};
  const Admissibility without(source, "", {"w = 1"});
  EXPECT_TRUE(without.parts.singular.empty());
  without.expect("not a and not b", "false", "a or b");
}

/// v = ẋy + x with ẋ = 1 + u, y = 2 + u: v̇ = F follows from u, whatever x is; x itself stands in no product.
TEST(InitialScenarioExamples, ProductsOfADerivativeSayNothingOfTheSignal) {
  Source source;
  source.states = {{"x", 1.0}, {"v", 1.0}};
  source.algebraic = {{"F"}, {"y"}};
  source.inputs = {{.name = "u"}};
  source.equations = {"der(v) = F", "der(x)*y + x - v = 0", "y = 2 + u", "der(x) = 1 + u"};
  const Admissibility force(source, "", {"F = 1"});
  EXPECT_TRUE(force.parts.determined.empty());
  EXPECT_TRUE(force.parts.under_determined.is_all());
  EXPECT_TRUE(force.parts.over_determined.is_all());
  const Admissibility position(source, "", {"x = 1"});
  EXPECT_TRUE(position.parts.determined.is_all());
}

}  // namespace initial_scenarios_examples_test
}  // namespace mti::test
