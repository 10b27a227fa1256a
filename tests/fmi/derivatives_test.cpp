// Directional and adjoint derivatives: closed forms, finite differences, and where there are none.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fmi/interface/fmi2.hpp"
#include "fmi/interface/fmi3.hpp"
#include "tests/fmi/instance3.hpp"
#include "tests/fmi/written_fmu.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace derivatives_test {

/// y1 and y2 are coupled: y1 + y2 = a·b, y1 − u·y2 = 0, so that y2 = a·b/(1 + u), y1 = u·y2; w is a ramp that stays inside.
constexpr const char* coupled = R"({"format": "mti-model", "version": 1,
  "states": [{"name": "a", "start": 2}, {"name": "b", "start": 3}],
  "inputs": [{"name": "u", "value": 0.5}, {"name": "w", "table": {"time": [0, 10], "value": [1, 21]}},
             {"name": "s", "value": 1, "binary": true}],
  "algebraic": [{"name": "y1"}, {"name": "y2"}],
  "equations": ["der(a) = -a*y1 + w*b", "2*der(b) = u*a - b^2 + s", "y1 + y2 = a*b", "y1 - u*y2 = 0"],
  "experiment": {"stop": 10}})";

/// ẋ = 1 − 2z with z = [x ≥ 0]: it slides on x = 0 from t = 1 on.
constexpr const char* relay = R"({"format": "mti-model", "version": 1,
  "states": [{"name": "x", "start": -1}, {"name": "w", "start": 1}], "binaries": [{"name": "z"}],
  "equations": ["der(x) = 1 - 2*z", "der(w) = (2*z - 1)*w"],
  "constraints": ["x*(1 - z) <= 0", "-x*z <= 0"], "experiment": {"stop": 4, "rtol": 1e-9}})";

std::vector<unsigned> references(const UnpackedFmu& fmu, const std::vector<std::string>& names) {
  std::vector<unsigned> result;
  for (const std::string& name : names) result.push_back(fmu.reference(name));
  return result;
}

fmi3Status directional(const Instance3& instance, const std::vector<std::string>& unknowns,
                       const std::vector<std::string>& knowns, const std::vector<double>& seed,
                       std::vector<double>& result) {
  const auto of = references(instance.fmu(), unknowns), by = references(instance.fmu(), knowns);
  result.assign(of.size(), std::nan(""));
  return MTI_FMU_CALL(instance.fmu(), fmi3GetDirectionalDerivative)(
      instance.handle(), of.data(), of.size(), by.data(), by.size(), seed.data(), seed.size(), result.data(),
      result.size());
}

fmi3Status adjoint(const Instance3& instance, const std::vector<std::string>& unknowns,
                   const std::vector<std::string>& knowns, const std::vector<double>& seed,
                   std::vector<double>& result) {
  const auto of = references(instance.fmu(), unknowns), by = references(instance.fmu(), knowns);
  result.assign(by.size(), std::nan(""));
  return MTI_FMU_CALL(instance.fmu(), fmi3GetAdjointDerivative)(instance.handle(), of.data(), of.size(),
                                                                by.data(), by.size(), seed.data(),
                                                                seed.size(), result.data(), result.size());
}

const std::vector<std::string> unknowns = {"der(a)", "der(b)", "y1", "y2", "a"},
                               knowns = {"a", "b", "u", "time"};

/// The matrix of `coupled`, by rows of unknowns.
std::vector<std::vector<double>> closed_form(double a, double b, double u, double w, double rate_of_w) {
  const double y2 = a * b / (1.0 + u), y1 = u * y2;
  const std::vector<double> of_y2 = {b / (1.0 + u), a / (1.0 + u), -y2 / (1.0 + u), 0.0};
  std::vector<double> of_y1;
  for (std::size_t k = 0; k < 4; ++k) of_y1.push_back(u * of_y2[k] + (k == 2 ? y2 : 0.0));
  return {{-y1 - a * of_y1[0], w - a * of_y1[1], -a * of_y1[2], rate_of_w * b},
          {u / 2.0, -b, a / 2.0, 0.0},
          of_y1,
          of_y2,
          {1.0, 0.0, 0.0, 0.0}};
}

void expect_closed_form(Instance3& instance) {
  const double t = instance.real("time");
  const auto J = closed_form(instance.real("a"), instance.real("b"), instance.real("u"), 1.0 + 2.0 * t, 2.0);
  std::vector<double> column, row;
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    ASSERT_EQ(directional(instance, unknowns, {knowns[k]}, {1.0}, column), fmi3OK) << instance.log().back();
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      EXPECT_NEAR(column[i], J[i][k], 1e-13 * (1.0 + std::abs(J[i][k])))
          << unknowns[i] << " by " << knowns[k];
  }
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    ASSERT_EQ(adjoint(instance, {unknowns[i]}, knowns, {1.0}, row), fmi3OK) << instance.log().back();
    for (std::size_t k = 0; k < knowns.size(); ++k)
      EXPECT_NEAR(row[k], J[i][k], 1e-13 * (1.0 + std::abs(J[i][k]))) << unknowns[i] << " by " << knowns[k];
  }
}

TEST(Derivatives, AreTheClosedFormsWhereverAnInstanceStands) {
  const WrittenFmu written(coupled);
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.enter(0.0, 1e-6), fmi3OK);
  expect_closed_form(instance);
  ASSERT_EQ(instance.exit(), fmi3OK);
  expect_closed_form(instance);
  double time = 0.0;
  for (const double u : {0.5, 2.0, -0.25}) {
    ASSERT_EQ(instance.set("u", u), fmi3OK);
    expect_closed_form(instance);
    ASSERT_EQ(instance.step(time, 0.37).status, fmi3OK);
    time += 0.37;
    expect_closed_form(instance);
  }
}

TEST(Derivatives, AreLinearInTheirSeeds) {
  const WrittenFmu written(coupled);
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  const auto J = closed_form(2.0, 3.0, 0.5, 1.0, 2.0);
  const std::vector<double> seed = {0.3, -2.0, 5.0, 0.25}, weights = {1.0, -1.0, 0.5, 7.0, -3.0};
  std::vector<double> forward, back;
  ASSERT_EQ(directional(instance, unknowns, knowns, seed, forward), fmi3OK);
  ASSERT_EQ(adjoint(instance, unknowns, knowns, weights, back), fmi3OK);
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < knowns.size(); ++k) sum += J[i][k] * seed[k];
    EXPECT_NEAR(forward[i], sum, 1e-12);
  }
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < unknowns.size(); ++i) sum += J[i][k] * weights[i];
    EXPECT_NEAR(back[k], sum, 1e-12);
  }
}

/// Central differences of what an instance shows where it begins: their error is that of h² and of rounding.
TEST(Derivatives, AreLimitsOfDifferences) {
  const UnpackedFmu fmu(source_dir() / "examples/three_tank/model.json");
  const std::vector<std::string> states = {"x1", "x2", "x3"}, of = {"der(x1)", "der(x2)", "der(x3)"};
  Instance3 instance(fmu);
  ASSERT_EQ(instance.enter(0.0, 1e-9), fmi3OK);
  const std::vector<double> x = instance.reals(references(fmu, states));
  for (std::size_t k = 0; k < states.size(); ++k) {
    std::vector<double> exact;
    ASSERT_EQ(directional(instance, of, {states[k]}, {1.0}, exact), fmi3OK) << instance.log().back();
    const double h = 1e-5 * std::max(std::abs(x[k]), 1e-3);
    ASSERT_EQ(instance.set(states[k], x[k] + h), fmi3OK);
    const std::vector<double> above = instance.reals(references(fmu, of));
    ASSERT_EQ(instance.set(states[k], x[k] - h), fmi3OK);
    const std::vector<double> below = instance.reals(references(fmu, of));
    ASSERT_EQ(instance.set(states[k], x[k]), fmi3OK);
    for (std::size_t i = 0; i < of.size(); ++i)
      EXPECT_NEAR(exact[i], (above[i] - below[i]) / (2.0 * h), 1e-7 * std::max(1e-3, std::abs(exact[i])))
          << of[i] << " by " << states[k];
  }
}

/// A chain of 300 signals that all depend on each other: a large block, solved by sparse factors, also of the transpose.
TEST(Derivatives, OfLargeBlocksAreThoseOfTheTransposeToo) {
  std::string algebraic, equations = "\"der(x) = y0 - x\"";
  constexpr int size = 300;
  for (int i = 0; i < size; ++i) {
    const std::string name = "y" + std::to_string(i), left = "y" + std::to_string((i + size - 1) % size),
                      right = "y" + std::to_string((i + 1) % size);
    algebraic += std::string(i == 0 ? "" : ", ") + R"({"name": ")" + name + "\"}";
    equations += ", \"4*" + name + " - " + left + " - 1.5*" + right + (i == size / 2 ? " = x\"" : " = u\"");
  }
  const std::string text = R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "inputs": [{"name": "u", "value": 1}], "algebraic": [)" +
                           algebraic + "], \"equations\": [" + equations + "]}";
  const WrittenFmu written(text);
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  std::vector<double> forward, back;
  const std::vector<std::string> of = {"y0", "y100", "y150", "y299", "der(x)"}, by = {"x", "u"};
  for (std::size_t k = 0; k < by.size(); ++k) {
    ASSERT_EQ(directional(instance, of, {by[k]}, {1.0}, forward), fmi3OK) << instance.log().back();
    for (std::size_t i = 0; i < of.size(); ++i) {
      ASSERT_EQ(adjoint(instance, {of[i]}, by, {1.0}, back), fmi3OK);
      EXPECT_NEAR(back[k], forward[i], 1e-13) << of[i] << " by " << by[k];
    }
  }
  // 1.5 y_i = u but for the one row, far from which y = u/1.5.
  EXPECT_NEAR(forward[0], 1.0 / 1.5, 1e-12);
}

TEST(Derivatives, AreRefusedOnASurfaceWithTheReason) {
  const WrittenFmu written(relay);
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  std::vector<double> result;
  ASSERT_EQ(directional(instance, {"der(w)"}, {"w"}, {1.0}, result), fmi3OK) << instance.log().back();
  EXPECT_EQ(result.front(), -1.0);
  ASSERT_EQ(instance.step(0.0, 2.0).status, fmi3OK);
  EXPECT_EQ(directional(instance, {"der(w)"}, {"w"}, {1.0}, result), fmi3Error);
  EXPECT_NE(instance.log().back().find("index above 1"), std::string::npos) << instance.log().back();
  EXPECT_EQ(adjoint(instance, {"der(w)"}, {"w"}, {1.0}, result), fmi3Error);
  EXPECT_EQ(instance.step(2.0, 1.0).status, fmi3OK) << "nothing else is lost";
}

TEST(Derivatives, AreThoseOfBothSidesOfAnEvent) {
  const WrittenFmu written(R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": -1}],
    "binaries": [{"name": "z"}], "equations": ["der(x) = 2 + x + 2*z*x"],
    "constraints": ["x*(1 - z) <= 0", "-x*z <= 0"], "experiment": {"stop": 4}})");
  Instance3 instance(written.fmu, {.events = true, .early_return = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  static_cast<void>(instance.update());
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  ASSERT_TRUE(instance.step(0.0, 4.0).event);
  std::vector<double> result;
  ASSERT_EQ(directional(instance, {"der(x)"}, {"x"}, {1.0}, result), fmi3OK) << instance.log().back();
  EXPECT_EQ(result.front(), 1.0);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  static_cast<void>(instance.update());
  ASSERT_EQ(directional(instance, {"der(x)"}, {"x"}, {1.0}, result), fmi3OK) << instance.log().back();
  EXPECT_EQ(result.front(), 3.0);
}

TEST(Derivatives, AreRefusedForWhatHasNone) {
  const WrittenFmu written(coupled);
  Instance3 instance(written.fmu);
  std::vector<double> result;
  EXPECT_EQ(directional(instance, {"y1"}, {"a"}, {1.0}, result), fmi3Error) << "before the initialization";
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  EXPECT_EQ(directional(instance, {"y1"}, {"w"}, {1.0}, result), fmi3Error) << "it stays inside";
  EXPECT_EQ(directional(instance, {"y1"}, {"s"}, {1.0}, result), fmi3Error) << "it is Boolean";
  EXPECT_EQ(directional(instance, {"u"}, {"a"}, {1.0}, result), fmi3Error) << "it is an input";
  EXPECT_NE(instance.log().back().find("'u'"), std::string::npos) << instance.log().back();
  EXPECT_EQ(directional(instance, {"y1"}, {"a"}, {1.0, 2.0}, result), fmi3Error) << "too many seeds";
  const WrittenFmu sampled(R"({"format": "mti-model", "version": 1, "sample_time": 1,
    "states": [{"name": "x", "start": 1}], "equations": ["next(x) = 0.5*x"], "experiment": {"stop": 4}})");
  Instance3 of_samples(sampled.fmu);
  ASSERT_EQ(of_samples.start(0.0), fmi3OK);
  EXPECT_EQ(directional(of_samples, {"x"}, {"x"}, {1.0}, result), fmi3Error);
  EXPECT_EQ(sampled.fmu.xml().find("DirectionalDerivative"), std::string::npos);
  EXPECT_NE(written.fmu.xml().find("providesDirectionalDerivatives=\"true\""), std::string::npos);
  EXPECT_NE(written.fmu.xml().find("providesAdjointDerivatives=\"true\""), std::string::npos);
}

/// An instance of FMI 2.0 behind its initialization.
void start_fmi2(const UnpackedFmu& fmu, fmi2Component& instance) {
  instance = MTI_FMU_CALL(fmu, fmi2Instantiate)("two", fmi2CoSimulation, fmu.token().c_str(),
                                                fmu.resources().c_str(), nullptr, 0, 0);
  ASSERT_NE(instance, nullptr);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi2SetupExperiment)(instance, 0, 0.0, 0.0, 0, 0.0), fmi2OK);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi2EnterInitializationMode)(instance), fmi2OK);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi2ExitInitializationMode)(instance), fmi2OK);
}

TEST(Derivatives, AreThereInFmi2) {
  const WrittenFmu written(coupled, {.version = fmi::FmiVersion::two});
  const UnpackedFmu& fmu = written.fmu;
  EXPECT_NE(fmu.xml().find("providesDirectionalDerivative=\"true\""), std::string::npos);
  fmi2Component instance = nullptr;
  ASSERT_NO_FATAL_FAILURE(start_fmi2(fmu, instance));
  const auto of = references(fmu, unknowns), by = references(fmu, {"u"});
  const double seed = 2.0;
  std::vector<double> result(of.size());
  const auto derivative = MTI_FMU_CALL(fmu, fmi2GetDirectionalDerivative);
  ASSERT_EQ(derivative(instance, of.data(), of.size(), by.data(), 1, &seed, result.data()), fmi2OK);
  const auto J = closed_form(2.0, 3.0, 0.5, 1.0, 2.0);
  for (std::size_t i = 0; i < of.size(); ++i) EXPECT_NEAR(result[i], 2.0 * J[i][2], 1e-13) << unknowns[i];
  EXPECT_EQ(derivative(instance, of.data(), of.size(), by.data(), 1, &seed, nullptr), fmi2Error);
  MTI_FMU_CALL(fmu, fmi2FreeInstance)(instance);
}

fmi3Status output_slopes(const Instance3& instance, const std::vector<std::string>& outputs,
                         std::vector<double>& result, int order = 1) {
  const auto of = references(instance.fmu(), outputs);
  const std::vector<std::int32_t> orders(of.size(), order);
  result.assign(of.size(), std::nan(""));
  return MTI_FMU_CALL(instance.fmu(), fmi3GetOutputDerivatives)(instance.handle(), of.data(), of.size(),
                                                                orders.data(), result.data(), result.size());
}

/// y2 = a·b/(1 + u), y1 = u·y2, with u held: y2' = (a'b + a b')/(1 + u).
TEST(Derivatives, OfOutputsByTime) {
  const WrittenFmu written(coupled);
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.start(0.0, 10.0, 1e-10), fmi3OK);
  double t = 0.0;
  for (const double size : {0.1, 0.3}) {
    ASSERT_EQ(instance.step(t, size).status, fmi3OK);
    t += size;
    const double a = instance.real("a"), b = instance.real("b"), u = instance.real("u");
    const double y2 = a * b / (1.0 + u), y1 = u * y2, w = 1.0 + 2.0 * t;
    const double rate_of_a = -a * y1 + w * b, rate_of_b = 0.5 * (u * a - b * b + 1.0);
    const double slope = (rate_of_a * b + a * rate_of_b) / (1.0 + u);
    std::vector<double> slopes;
    ASSERT_EQ(output_slopes(instance, {"y1", "y2"}, slopes), fmi3OK) << instance.log().back();
    EXPECT_NEAR(slopes[0], u * slope, 1e-9 * std::abs(slope));
    EXPECT_NEAR(slopes[1], slope, 1e-9 * std::abs(slope));
  }
  std::vector<double> slopes;
  EXPECT_EQ(output_slopes(instance, {"y1"}, slopes, 2), fmi3Error);
  EXPECT_EQ(output_slopes(instance, {"der(a)"}, slopes), fmi3Error);
}

/// Outputs are those that the export has chosen: x' = −x of a state.
TEST(Derivatives, OfOutputsThatWereChosen) {
  const WrittenFmu written(R"json({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "algebraic": [{"name": "y"}], "equations": ["der(x) = -x", "y = 2*x"], "experiment": {"stop": 1}})json",
                           {.outputs = {{"x"}}});
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.start(0.0, 1.0, 1e-9), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 0.5).status, fmi3OK);
  std::vector<double> slopes;
  ASSERT_EQ(output_slopes(instance, {"x"}, slopes), fmi3OK);
  EXPECT_NEAR(slopes[0], -std::exp(-0.5), 1e-8);
}

/// FMI 2.0, at the start, with u' = 1/4: y2' = (a'b + a b')/(1 + u) − a b u'/(1 + u)², y1' = u y2' + u' y2.
TEST(Derivatives, OfOutputsFollowTheSlopeOfAnInput) {
  const WrittenFmu written(coupled, {.version = fmi::FmiVersion::two});
  const UnpackedFmu& fmu = written.fmu;
  fmi2Component instance = nullptr;
  ASSERT_NO_FATAL_FAILURE(start_fmi2(fmu, instance));
  const auto inputs = references(fmu, {"u"}), outputs = references(fmu, {"y1", "y2"});
  const fmi2Integer orders[] = {1, 1};
  const double value = 0.5, slope = 0.25;
  double found[2] = {};
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi2SetReal)(instance, inputs.data(), 1, &value), fmi2OK);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi2SetRealInputDerivatives)(instance, inputs.data(), 1, orders, &slope),
            fmi2OK);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi2GetRealOutputDerivatives)(instance, outputs.data(), 2, orders, found),
            fmi2OK);
  const double a = 2.0, b = 3.0, u = 0.5, w = 1.0, y2 = a * b / (1.0 + u), y1 = u * y2;
  const double rate_of_a = -a * y1 + w * b, rate_of_b = 0.5 * (u * a - b * b + 1.0);
  const double of_y2 = (rate_of_a * b + a * rate_of_b) / (1.0 + u) - a * b * slope / ((1.0 + u) * (1.0 + u));
  EXPECT_NEAR(found[1], of_y2, 1e-12 * std::abs(of_y2));
  EXPECT_NEAR(found[0], u * of_y2 + slope * y2, 1e-12 * std::abs(of_y2));
  MTI_FMU_CALL(fmu, fmi2FreeInstance)(instance);
}

/// On the surface x = 0, where the mode has index 2: w' = (2 ζ − 1) w with ζ = 1/2; before, w' = −w.
TEST(Derivatives, OfOutputsByTimeOnASurface) {
  const WrittenFmu written(relay);
  Instance3 instance(written.fmu);
  ASSERT_EQ(instance.start(0.0, 4.0, 1e-9), fmi3OK);
  std::vector<double> slopes;
  ASSERT_EQ(instance.step(0.0, 0.5).status, fmi3OK);
  ASSERT_EQ(output_slopes(instance, {"x", "w"}, slopes), fmi3OK) << instance.log().back();
  EXPECT_NEAR(slopes[0], 1.0, 1e-7);
  EXPECT_NEAR(slopes[1], -std::exp(-0.5), 1e-7);
  ASSERT_EQ(instance.step(0.5, 1.5).status, fmi3OK);
  ASSERT_EQ(output_slopes(instance, {"x", "w"}, slopes), fmi3OK) << instance.log().back();
  EXPECT_NEAR(slopes[0], 0.0, 1e-7);
  EXPECT_NEAR(slopes[1], 0.0, 1e-7);
}

}  // namespace derivatives_test
}  // namespace mti::test
