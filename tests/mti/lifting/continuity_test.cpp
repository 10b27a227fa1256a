// Which signals are continuous: proved row by row, and refused by name.
#include "mti/lifting/continuity.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace continuity_test {

/// Two states, a constant and a binary input, an algebraic signal y = `text`; z is a relay with memory.
Model model_of(const std::string& text) {
  Source source;
  source.states = {{.name = "x", .start = 0.5}, {.name = "w", .start = 2.0}};
  source.inputs = {{.name = "u", .form = 1.0}, {.name = "b", .form = 1.0, .binary = true}};
  source.algebraic = {{.name = "y"}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = -x + z", "der(w) = -w + b", "y = " + text};
  source.constraints = {"(x - 1)*(1 - z) <= 0", "(0.5 - x)*z <= 0"};
  return build(source);
}

struct Verdict {
  bool continuous = false;
  std::string reason;
};
Verdict verdict_on(const Model& model, const std::string& signal) {
  const std::vector<std::string> jumps(at(model.signature.n()));
  const Continuity continuity(model, jumps);
  const int row = model.signature.find(signal).value();
  if (continuity.is_continuous(row)) return {true, {}};
  return {false, continuity.reason(row)};
}

TEST(Continuity, GoesOnFromStatesThroughProductsFunctionsAndQuotients) {
  for (const char* text : {"x", "x*w + u", "sin(x)*w", "exp(sqrt(w)) - x", "x/w", "2*x^3"})
    EXPECT_TRUE(verdict_on(model_of(text), "y").continuous)
        << text << ": " << verdict_on(model_of(text), "y").reason;
}

TEST(Continuity, EndsAtBinariesAndAtDerivativesThatHoldThem) {
  EXPECT_EQ(verdict_on(model_of("x + z"), "y").reason, "z switches");
  EXPECT_EQ(verdict_on(model_of("x*z"), "y").reason, "z switches") << "x is not 0 where z changes";
  EXPECT_EQ(verdict_on(model_of("x + b*w"), "y").reason, "b switches");
  EXPECT_EQ(verdict_on(model_of("exp(x + z)"), "y").reason, "z switches");
  EXPECT_EQ(verdict_on(model_of("der(x)"), "y").reason, "z switches");
}

// z multiplies what is 0 where it changes.
TEST(Continuity, PassesConditionsWithContinuousValues) {
  for (const char* text :
       {"max(x, w)", "abs(x - 0.3)", "pos(x)", "neg(w - 1)", "clamp(x, 0, 1)", "deadzone(x, -1, 1)",
        "min(x, 1) + w*u", "table(x, [0, 1, 2], [3, 5, 4])", "max(x, w, 1)", "max(x, 0.2)^2", "x*max(x, w)",
        "abs(x - 0.3)^3*w", "max(x, w)*min(x, w)"})
    EXPECT_TRUE(verdict_on(model_of(text), "y").continuous)
        << text << ": " << verdict_on(model_of(text), "y").reason;
}

// The negative control: binaries of the same form whose values differ where they change.
TEST(Continuity, SeesJumpsOfConditions) {
  for (const char* text :
       {"sign(x)", "step(x - w)", "if x > 0.3 then w else 0", "if x > 0.3 then x else 0.31", "clamp(x, 0, w)",
        "hysteresis(x, 0, 1)", "(x < w)", "x*sign(x)*w + w*(x > 0.1)", "if x > 0.3 then x^2 else 0.3*w"})
    EXPECT_FALSE(verdict_on(model_of(text), "y").continuous) << text;
  EXPECT_TRUE(verdict_on(model_of("if x > 0.3 then x else 0.3"), "y").continuous);
}

TEST(Continuity, OfInputsFollowsFromTheirForm) {
  using Form = decltype(InputSource::form);
  const auto is_continuous_as = [](const Form& form) {
    Source source;
    source.states = {{.name = "x"}};
    source.binaries = {{.name = "z"}};
    source.equations = {"der(x) = z"};
    source.constraints = {"(x - 1)*z <= 0"};
    source.inputs = {{.name = "u", .form = form}};
    return verdict_on(build(source), "u").continuous;
  };
  EXPECT_TRUE(is_continuous_as(SineSource{.amplitude = 1.0, .frequency = 2.0}));
  TableSource table{.time = {0.0, 1.0, 2.0}, .value = {0.0, 1.0, 0.0}};
  EXPECT_TRUE(is_continuous_as(table));
  table.repeat = 2.0;
  EXPECT_TRUE(is_continuous_as(table));
  table.value[2] = 0.5;
  EXPECT_FALSE(is_continuous_as(table)) << "it begins again with another value";
  table.repeat.reset();
  table.time[2] = 1.0;
  EXPECT_FALSE(is_continuous_as(table)) << "two values at one time";
  EXPECT_FALSE(is_continuous_as(
      TableSource{.time = {0.0, 1.0}, .value = {0.0, 1.0}, .interpolation = Interpolation::previous}));
  EXPECT_TRUE(is_continuous_as(TriangleSource{}));
  EXPECT_FALSE(is_continuous_as(PulseSource{}));
}

TEST(Continuity, StatesJumpAsTheCallerSays) {
  const Model model = model_of("x*w");
  const std::vector<std::string> jumps = {"", "a law sets w"};
  const Continuity continuity(model, jumps);
  EXPECT_FALSE(continuity.is_continuous(model.signature.find("y").value()));
  EXPECT_EQ(continuity.reason(model.signature.find("y").value()), "a law sets w");
  EXPECT_TRUE(continuity.is_continuous(model.signature.find("x").value()));
}

// y + y^3 = x has no row that gives y, but a model with one mode has no jumps at all.
TEST(Continuity, OfOneModeNeedsNoEquation) {
  Source source;
  source.states = {{.name = "x", .start = 0.5}};
  source.algebraic = {{.name = "y"}};
  source.equations = {"der(x) = -x", "y + y^3 = x"};
  EXPECT_TRUE(verdict_on(build(source), "y").continuous);
  source.binaries = {{.name = "z"}};
  source.constraints = {"(x - 1)*z <= 0"};
  EXPECT_EQ(verdict_on(build(source), "y").reason, "no equation gives y by signals that are continuous");
}

}  // namespace continuity_test
}  // namespace mti
