// mti convert --reduce, --scale and mti print.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace transform_commands_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct TransformCommands : ::testing::Test {
  TemporaryDirectory directory;
  std::filesystem::path model = directory.write("model.json", R"({
    "format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 4, "unit": "m", "nominal": 2}],
    "algebraic": [{"name": "force"}, {"name": "spring"}, {"name": "damper"}],
    "equations": ["der(x) = force", "force = spring + damper", "spring = -x", "damper + 0.25*x*x = 0"],
    "experiment": {"stop": 1, "rtol": 1e-9, "atol": 1e-9}})");

  ProgramResult run(const Words& arguments) { return run_program(arguments, directory.path()); }
  double end_of(const std::string& file) {
    EXPECT_EQ(run({"simulate", file, "--no-report", "--quiet"}).status, 0);
    const std::string last = lines_of(read_text(directory.path() / "out/trajectory.csv")).back();
    return std::stod(last.substr(last.find(',', last.find(',') + 1) + 1));
  }
};

// ẋ = −x − x²/4 with x(0) = 4: x/(x + 4) = e^−t/2, x(1) = 4/(2e − 1).
TEST_F(TransformCommands, ReduceKeepsTheMotionAndSaysWhatIsGone) {
  const double expected = 4.0 / (2.0 * std::exp(1.0) - 1.0);
  const ProgramResult result = run({"convert", "model.json", "small.json", "--reduce"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("\nspring = -x\n"), std::string::npos) << result.out;
  const Json small = Json::parse(read_text(directory.path() / "small.json"));
  EXPECT_TRUE(small.contains("equations")) << "the form of the file stays";
  EXPECT_LT(small.at("algebraic").size(), 3U);
  EXPECT_NEAR(end_of("model.json"), expected, 1e-7);
  EXPECT_NEAR(end_of("small.json"), expected, 1e-7);

  ASSERT_EQ(
      run({"convert", "model.json", "kept.json", "--reduce", "--keep", "spring", "--keep", "force"}).status,
      0);
  const std::string kept = read_text(directory.path() / "kept.json");
  EXPECT_NE(kept.find("spring"), std::string::npos);
  EXPECT_NE(kept.find("force"), std::string::npos);
  EXPECT_EQ(run({"convert", "model.json", "kept.json", "--reduce", "--keep", "sprin"}).status, 2);
  EXPECT_EQ(run({"convert", "model.json", "kept.json", "--keep", "spring"}).status, 1) << "without --reduce";
}

// (x + 2)(u + 3)(w + 1) has eight terms when it is multiplied out, and rank one. With u = w = 0:
// ẋ = −3(x + 2), x(1) = 6 e^−3 − 2.
TEST_F(TransformCommands, RankFindsTheProductAgain) {
  directory.write("terms.json", R"json({
    "format": "mti-model", "version": 1, "states": [{"name": "x", "start": 4}],
    "inputs": [{"name": "u", "value": 0}, {"name": "w", "value": 0}],
    "equations": ["der(x) + (x*u*w + 3*x*w + 2*u*w + 6*w) + (x*u + 3*x + 2*u + 6) = 0"],
    "experiment": {"stop": 1, "rtol": 1e-9, "atol": 1e-9}})json");
  const ProgramResult result = run({"convert", "terms.json", "ranked.json", "--rank", "1e-12"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 28), "rank 9 -> 2, relative error ") << result.out;
  EXPECT_NEAR(end_of("ranked.json"), 6.0 * std::exp(-3.0) - 2.0, 1e-7);
  EXPECT_EQ(run({"convert", "terms.json", "ranked.json", "--rank", "2"}).status, 1);
}

// Danger: of a constraint of which nothing is left on one side of its surface, a rounding was left there, by which it was broken for good.
TEST_F(TransformCommands, ConstraintsThatVanishDoSoInFewerFactors) {
  directory.write("clamps.json", R"json({
    "format": "mti-model", "version": 1,
    "states": [{"name": "x0", "start": -1.423, "nominal": 10}, {"name": "x1", "start": -0.759, "nominal": 10}],
    "algebraic": [{"name": "y0", "nominal": 0.5}, {"name": "y1", "nominal": 1}],
    "inputs": [
      {"name": "u0", "pwm": {"period": 2.308, "duty": 0.488, "low": -0.452, "high": -1.601, "start": 0.35}, "nominal": 3},
      {"name": "u1", "table": {"time": [0.795, 0.811, 2.784, 3.529], "value": [-1.322, 0.436, -1.362, -1.425]},
       "interpolation": "previous", "nominal": 0.5}],
    "equations": ["y0 = ((u0 + time) >= (0.462))", "y1 = x1",
      "der(x0) = -0.327*x0 + clamp((time + ((1.239) + clamp(x0, -0.869, 0.076))), -2, 2.1)",
      "der(x1) = -0.406*x1 + clamp(max(x0, 0), -2, 2.1)"],
    "experiment": {"start": 0.137, "stop": 4, "rtol": 1e-9, "atol": 1e-9}})json");
  const double expected = end_of("clamps.json") / 10.0;
  for (const char* tolerance : {"0", "1e-13", "1e-6"}) {
    const ProgramResult result =
        run({"convert", "clamps.json", "ranked.json", "--force", "--scale", "--rank", tolerance});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NEAR(end_of("ranked.json"), expected, 1e-7) << tolerance;
  }
}

TEST_F(TransformCommands, ScaleGivesNominalUnits) {
  ASSERT_EQ(run({"convert", "model.json", "scaled.json", "--scale"}).status, 0);
  const Json scaled = Json::parse(read_text(directory.path() / "scaled.json"));
  EXPECT_EQ(scaled.at("states")[0].at("start"), 2.0);
  EXPECT_EQ(scaled.at("states")[0].at("unit"), "2 m");
  EXPECT_NEAR(2.0 * end_of("scaled.json"), 4.0 / (2.0 * std::exp(1.0) - 1.0), 1e-7);
}

// ẋ = sin t from 0: x(1) = 1 − cos 1. The matrices have a function of an input `time`, which is the time itself.
TEST_F(TransformCommands, MatricesHoldFunctionsOfTime) {
  directory.write("sine.json", R"json({
    "format": "mti-model", "version": 1, "states": [{"name": "x"}], "equations": ["der(x) = sin(time)"],
    "experiment": {"stop": 1, "rtol": 1e-9, "atol": 1e-9}})json");
  ASSERT_EQ(run({"convert", "sine.json", "matrices.json", "--to", "matrices"}).status, 0);
  EXPECT_NEAR(end_of("matrices.json"), 1.0 - std::cos(1.0), 1e-7);
}

// The model of docs/exchange.md, and what the document says is printed.
TEST_F(TransformCommands, WarnsOfFunctionsThatTheToolboxIgnores) {
  const std::string page = read_text(source_dir() / "docs/exchange.md");
  const std::size_t section = page.find("\n## Functions of signals\n");
  const auto block = [&](const std::string& language) {
    const std::size_t first = page.find("```" + language + "\n", section) + language.size() + 4;
    return page.substr(first, page.find("```", first) - first);
  };
  directory.write("model.json", block("json"));
  const ProgramResult written = run({"convert", "model.json", "model.mat"});
  EXPECT_EQ(written.status, 0);
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(written.err, block("text"));
  EXPECT_EQ(run({"convert", "model.mat", "model.json", "--force"}).err, "");
  EXPECT_NEAR(end_of("model.json"), end_of("model.mat"), 0.0);

  // What has divisors alone is multilinear: the toolbox takes its equations, and does not see where they end.
  directory.write("quotient.json",
                  R"json({"format": "mti-model", "version": 1, "algebraic": [{"name": "rate"}],
    "states": [{"name": "x", "start": 1}], "equations": ["der(x) = rate", "rate = 1/(2*x)"]})json");
  const ProgramResult quotient = run({"convert", "quotient.json", "quotient.mat"});
  EXPECT_EQ(quotient.status, 0);
  EXPECT_EQ(quotient.err,
            "quotient.mat:: warning: the MTI toolbox ignores the variable divisors: it does not watch (2*x) "
            "for 0\n");

  directory.write("plain.json", R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -x"]})json");
  EXPECT_EQ(run({"convert", "plain.json", "plain.mat"}).err, "");
}

TEST_F(TransformCommands, PrintsBothForms) {
  ASSERT_EQ(run({"convert", "model.json", "matrices.json", "--to", "matrices"}).status, 0);
  for (const char* file : {"model.json", "matrices.json"}) {
    const ProgramResult text = run({"print", file});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_NE(text.out.find("  eq4:  damper + 0.25*x^2 = 0\n"), std::string::npos) << text.out;
    const ProgramResult latex = run({"print", file, "--latex"});
    EXPECT_NE(latex.out.find("\\mathrm{damper} + 0.25\\,x^{2} = 0"), std::string::npos) << latex.out;
  }
  EXPECT_EQ(run({"print", "model.json", "--digits", "99"}).status, 1);
}

}  // namespace transform_commands_test
}  // namespace mti::test
