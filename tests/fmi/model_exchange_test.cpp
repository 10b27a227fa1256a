// Model Exchange: what an importer is told, with closed forms; what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "tests/fmi/exchange_importer.hpp"
#include "tests/fmi/instance3.hpp"
#include "tests/fmi/relaxation.hpp"
#include "tests/fmi/written_fmu.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace model_exchange_test {

TEST(ModelExchange, SwitchesOnTimeWhicheverResetsAnImporterMakes) {
  const ExchangedFmu written(relaxation);
  for (const ResetPolicy policy : {ResetPolicy::always, ResetPolicy::if_told}) {
    ExchangeImporter importer(written.fmu, policy, 1e-9);
    importer.start(0.0, 20.0);
    ASSERT_TRUE(importer.advance(18.5 * std::log(3.0)));
    // Half of a half-period after the eighteenth switch, at x = 0.5 and upwards.
    EXPECT_NEAR(importer.real("x"), 2.0 - 1.5 / std::sqrt(3.0), 1e-6);
    EXPECT_TRUE(importer.boolean("h"));
    EXPECT_EQ(importer.events(), 18);
    EXPECT_EQ(importer.resets(), 18) << "each switch is told of, although no state has changed";
  }
}

/// The control of the test before: it sees what an importer makes of the history of another mode.
TEST(ModelExchange, GoesWrongWithoutResets) {
  const ExchangedFmu written(relaxation);
  ExchangeImporter importer(written.fmu, ResetPolicy::never, 1e-9);
  importer.start(0.0, 20.0);
  static_cast<void>(importer.advance(18.5 * std::log(3.0)));
  EXPECT_GT(std::abs(importer.real("x") - (2.0 - 1.5 / std::sqrt(3.0))), 1e-3);
}

TEST(ModelExchange, ShowsIndicatorsAboveZeroInsideAndOnTheBoundary) {
  const ExchangedFmu written(relaxation);
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-6);
  importer.start(0.0, 20.0);
  std::vector<double> indicators = importer.indicators();
  ASSERT_EQ(indicators.size(), 2U);
  EXPECT_NEAR(indicators[0], 1.0, 1e-5);
  EXPECT_GT(indicators[1], 0.0) << "the row vanishes in this mode";
  EXPECT_LT(indicators[1], 1e-5);
  EXPECT_EQ(importer.real("above.margin"), indicators[0]) << "it is a variable, too";
  const auto at_state = [&](double x) {
    EXPECT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetContinuousStates)(importer.handle(), &x, 1), fmi3OK);
    return importer.indicators()[0];
  };
  EXPECT_GT(at_state(1.5), 0.0);
  EXPECT_LT(at_state(1.5 + 1e-5), 0.0);
  EXPECT_GT(at_state(1.5 - 1e-5), 0.0);
  EXPECT_NE(written.fmu.xml().find("<EventIndicator valueReference=\""), std::string::npos);
}

TEST(ModelExchange, GivesRatesSignalsAndDerivativesOfStatesThatAreSet) {
  const ExchangedFmu written(relaxation);
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-6);
  importer.start(0.0, 20.0);
  const double x = 0.75;
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetContinuousStates)(importer.handle(), &x, 1), fmi3OK);
  ASSERT_EQ(importer.set("u", 0.125), fmi3OK);
  EXPECT_EQ(importer.real("x"), 0.75);
  EXPECT_EQ(importer.real("y"), 0.875);
  EXPECT_EQ(importer.real("der(x)"), 1.125);
  const unsigned of = written.fmu.reference("der(x)"), by = written.fmu.reference("u");
  const double seed = 2.0;
  double sensitivity = 0.0;
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3GetDirectionalDerivative)(importer.handle(), &of, 1, &by, 1, &seed,
                                                                    1, &sensitivity, 1),
            fmi3OK);
  EXPECT_EQ(sensitivity, -2.0);
}

/// Nothing moves up to t = 1, where a table jumps and ẋ becomes 1: x, and what it is compared with, are what they were.
TEST(ModelExchange, TellsOfTimeEventsAlsoWhereNoValueChanges) {
  const ExchangedFmu written(R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "inputs": [{"name": "u", "table": {"time": [0, 1, 1, 3, 3], "value": [0, 0, 1, 1, 0]}}],
    "equations": ["der(x) = u"], "experiment": {"stop": 4}})");
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-9);
  importer.start(0.0, 4.0);
  ASSERT_TRUE(importer.advance(2.0));
  EXPECT_NEAR(importer.real("x"), 1.0, 1e-9);
  ASSERT_TRUE(importer.advance(4.0));
  EXPECT_NEAR(importer.real("x"), 2.0, 1e-9);
  EXPECT_EQ(importer.resets(), 2);
}

TEST(ModelExchange, TellsOfJumps) {
  // Two carriages of equal mass exchange their speeds.
  const ExchangedFmu written(R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "x1"}, {"name": "x2", "start": 1}, {"name": "v1", "start": 2}, {"name": "v2"}],
    "algebraic": [{"name": "F"}],
    "equations": ["der(x1) = v1", "der(x2) = v2", "der(v1) = -F", "der(v2) = F", {"name": "free", "text": "F = 0"}],
    "constraints": [{"name": "gap", "text": "x1 - x2 <= 0"}],
    "transitions": [{"when": "reach(gap)", "replaces": ["free"], "equations": ["v2 - v1 = pre(v1) - pre(v2)"]}],
    "experiment": {"stop": 2}})json");
  for (const ResetPolicy policy : {ResetPolicy::always, ResetPolicy::if_told}) {
    ExchangeImporter importer(written.fmu, policy, 1e-8);
    importer.start(0.0, 2.0);
    ASSERT_TRUE(importer.advance(2.0));
    EXPECT_NEAR(importer.real("v1"), 0.0, 1e-7);
    EXPECT_NEAR(importer.real("v2"), 2.0, 1e-7);
    EXPECT_NEAR(importer.real("x2"), 4.0, 1e-6);
  }
}

/// h1 rises with u; h2 when h1 was one before: two successor problems of one instant.
TEST(ModelExchange, PosesOneSuccessorProblemAnUpdate) {
  const ExchangedFmu written(R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "inputs": [{"name": "u", "value": 0}], "binaries": [{"name": "h1"}, {"name": "h2"}],
    "equations": ["der(x) = h1 + 2*h2"],
    "constraints": ["(u - 0.5)*(1 - h1) <= 0", "(0.5 - u)*h1 <= 0", "pre(h1) - h2 <= 0", "h2 - pre(h1) <= 0"],
    "experiment": {"stop": 4}})");
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-8);
  importer.start(0.0, 4.0);
  ASSERT_TRUE(importer.advance(1.0));
  EXPECT_EQ(importer.real("x"), 0.0);
  importer.event([&] { ASSERT_EQ(importer.set("u", 1.0), fmi3OK); });
  EXPECT_TRUE(importer.boolean("h1") && importer.boolean("h2"));
  EXPECT_EQ(importer.resets(), 1);
  ASSERT_TRUE(importer.advance(2.0));
  EXPECT_NEAR(importer.real("x"), 3.0, 1e-8);
}

/// ẋ = 1 − 2z + w with z = [x ≥ 0] and ẇ = z − 1/4: x meets 0 and slides with ζ = (1 + w)/2, so that w grows by
/// ẇ = w/2 + 1/4 up to w = 1, where ζ = 1 and x goes on above.
constexpr const char* slide = R"json({"format": "mti-model", "version": 1,
  "states": [{"name": "x", "start": -1}, {"name": "w"}], "binaries": [{"name": "z"}],
  "equations": ["der(x) = 1 - 2*z + w", "der(w) = z - 0.25"],
  "constraints": [{"name": "rises", "text": "x*(1 - z) <= 0"}, {"name": "falls", "text": "-x*z <= 0"}],
  "experiment": {"stop": 8}})json";

TEST(ModelExchange, SlidesAsTheRunDoes) {
  const ExchangedFmu written(slide);
  for (const ResetPolicy policy : {ResetPolicy::always, ResetPolicy::if_told}) {
    ExchangeImporter importer(written.fmu, policy, 1e-8);
    importer.start(0.0, 8.0);
    // Up to x = 0: w = −t/4, x = −1 + t − t²/8.
    const double met = 4.0 - std::sqrt(8.0), w = -met / 4.0;
    ASSERT_TRUE(importer.advance(3.0)) << importer.log().back();
    EXPECT_NEAR(importer.real("x"), 0.0, 1e-7);
    EXPECT_NEAR(importer.real("w"), (w + 0.5) * std::exp((3.0 - met) / 2.0) - 0.5, 1e-6);
    EXPECT_NEAR(importer.real("z.weight"), (1.0 + importer.real("w")) / 2.0, 1e-7);
    EXPECT_GT(importer.indicators()[0], 0.1) << "what is left of θ, and not the surface";
    EXPECT_LE(importer.events(), 3);
    // It leaves where w = 1.
    const double left = met + 2.0 * std::log(1.5 / (w + 0.5));
    ASSERT_TRUE(importer.advance(left + 1.0)) << importer.log().back();
    EXPECT_TRUE(importer.boolean("z"));
    EXPECT_NEAR(importer.real("w"), 1.75, 1e-5);
    EXPECT_NEAR(importer.real("x"), 0.375, 1e-5);
    EXPECT_LE(importer.events(), 5);
  }
}

/// On the circle x² + y² = 1, which both sides lead to: the importer's steps leave it, and events put the states back.
TEST(ModelExchange, StaysOnACurvedSurface) {
  const ExchangedFmu written(R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 0.5}, {"name": "y"}], "binaries": [{"name": "out"}],
    "equations": ["der(x) = -y + x*(1 - 2*out)", "der(y) = x + y*(1 - 2*out)"],
    "constraints": [{"name": "inside", "text": "(x^2 + y^2 - 1)*(1 - out) <= 0"},
                    {"name": "outside", "text": "(1 - x^2 - y^2)*out <= 0"}],
    "experiment": {"stop": 20}})json");
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-6);
  importer.start(0.0, 20.0);
  ASSERT_TRUE(importer.advance(20.0))
      << importer.time() << (importer.log().empty() ? "" : importer.log().back());
  EXPECT_NEAR(std::hypot(importer.real("x"), importer.real("y")), 1.0, 6e-5);
  // It meets the circle at t = ln 2 with the angle t.
  EXPECT_NEAR(importer.real("x"), std::cos(20.0), 1e-3);
  EXPECT_NEAR(importer.real("y"), std::sin(20.0), 1e-3);
  EXPECT_LE(importer.events(), 500);
}

/// An empty tank, which an importer fills to a quarter at t = 1, with an inflow from there on: with s = √h, 2 s' s = 1 − s,
/// −2 s − 2 ln(1 − s) = t − 1 + (−1 + 2 ln 2).
TEST(ModelExchange, FunctionsAtRestFollowTheStates) {
  const ExchangedFmu written(R"json({"format": "mti-model", "version": 1, "states": [{"name": "h"}],
    "inputs": [{"name": "u", "value": 0}], "algebraic": [{"name": "q"}],
    "equations": ["der(h) = u - q", "q = sqrt(h)"], "experiment": {"stop": 5}})json");
  ExchangeImporter importer(written.fmu, ResetPolicy::always, 1e-8);
  importer.start(0.0, 5.0);
  ASSERT_TRUE(importer.advance(1.0));
  EXPECT_EQ(importer.real("h"), 0.0);
  fmi3Status status = fmi3Error;
  importer.event([&] { status = importer.set("u", 1.0); });
  EXPECT_EQ(status, fmi3OK);
  const double quarter = 0.25;
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetContinuousStates)(importer.handle(), &quarter, 1), fmi3OK);
  EXPECT_EQ(importer.real("q"), 0.5);
  importer.restart();
  ASSERT_TRUE(importer.advance(3.0));
  const double s = importer.real("q");
  EXPECT_NEAR(-2.0 * s - 2.0 * std::log(1.0 - s), 2.0 - 1.0 + 2.0 * std::log(2.0), 1e-5);
}

TEST(ModelExchange, DiscardsStatesWithoutASolution) {
  const ExchangedFmu written(R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "algebraic": [{"name": "y", "start": 1}], "equations": ["der(x) = y", "y^2 = 1 - x"], "experiment": {"stop": 1}})");
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-8);
  importer.start(0.0, 1.0);
  double x = 2.0, rate = 0.0;
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetContinuousStates)(importer.handle(), &x, 1), fmi3OK);
  const auto rates = MTI_FMU_CALL(written.fmu, fmi3GetContinuousStateDerivatives);
  EXPECT_EQ(rates(importer.handle(), &rate, 1), fmi3Discard);
  x = 0.75;
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3SetContinuousStates)(importer.handle(), &x, 1), fmi3OK);
  ASSERT_EQ(rates(importer.handle(), &rate, 1), fmi3OK);
  EXPECT_NEAR(rate, 0.5, 1e-9);
}

TEST(ModelExchange, GoesOnFromAStateThatIsTakenUp) {
  const ExchangedFmu written(relaxation);
  const UnpackedFmu& fmu = written.fmu;
  const auto rest = [](ExchangeImporter& importer) {
    importer.restart();
    EXPECT_TRUE(importer.advance(15.0));
    return std::pair(importer.real("x"), importer.boolean("h"));
  };
  ExchangeImporter one(fmu, ResetPolicy::if_told, 1e-7);
  one.start(0.0, 20.0);
  ASSERT_TRUE(one.advance(7.0));
  fmi3FMUState state = nullptr;
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3GetFMUState)(one.handle(), &state), fmi3OK);
  std::size_t size = 0;
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3SerializedFMUStateSize)(one.handle(), state, &size), fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3SerializeFMUState)(one.handle(), state, bytes.data(), size), fmi3OK);
  const auto expected = rest(one);
  // In another instance, which stands at the same time elsewhere.
  ExchangeImporter other(fmu, ResetPolicy::if_told, 1e-7);
  other.start(0.0, 20.0);
  ASSERT_EQ(other.set("u", 0.25), fmi3OK);
  ASSERT_TRUE(other.advance(7.0));
  fmi3FMUState copy = nullptr;
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3DeserializeFMUState)(other.handle(), bytes.data(), size, &copy), fmi3OK);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3SetFMUState)(other.handle(), copy), fmi3OK);
  EXPECT_EQ(rest(other), expected);
}

TEST(ModelExchange, IsRefusedByNameWhereStatesAreNotFree) {
  constexpr const char* clutch = R"({"format": "mti-model", "version": 1,
    "states": [{"name": "w1", "start": 1}, {"name": "w2", "start": 1}], "algebraic": [{"name": "M"}],
    "binaries": [{"name": "open"}],
    "equations": ["der(w1) = -M", "der(w2) = M", {"name": "engaged", "text": "(w1 - w2)*(1 - open) + M*open = 0"}]})";
  try {
    const ExchangedFmu written(clutch);
    FAIL();
  } catch (const InvalidOption& refused) {
    EXPECT_EQ(refused.faults().front().id, "no-model-exchange");
    EXPECT_NE(refused.faults().front().message.find("engaged"), std::string::npos) << refused.what();
    EXPECT_NE(refused.faults().front().message.find("not open"), std::string::npos) << refused.what();
  }
  // The library refuses it too, whatever the description says.
  const WrittenFmu stepped(clutch, {});
  EXPECT_EQ(stepped.fmu.xml().find("ModelExchange"), std::string::npos);
  EXPECT_THROW(ExchangeImporter(stepped.fmu, ResetPolicy::always, 1e-6), std::runtime_error);
}

TEST(ModelExchange, IsListedAlone) {
  const WrittenFmu written(relaxation, {.co_simulation = false, .model_exchange = true});
  EXPECT_NE(written.fmu.xml().find("<ModelExchange "), std::string::npos);
  EXPECT_EQ(written.fmu.xml().find("<CoSimulation "), std::string::npos);
  const WrittenFmu two(relaxation, {.version = fmi::FmiVersion::two, .model_exchange = true});
  EXPECT_NE(two.fmu.xml().find("numberOfEventIndicators=\"2\""), std::string::npos);
  EXPECT_EQ(two.fmu.xml().find("above.margin"), std::string::npos);
  const WrittenFmu stepped(relaxation, {});
  EXPECT_EQ(stepped.fmu.xml().find("above.margin"), std::string::npos);
}

}  // namespace model_exchange_test
}  // namespace mti::test
