// Functions of signals and divisors in .mat files: the same model comes back, and Octave reads and writes them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "io/mat/exchange.hpp"
#include "io/mat/mat_file.hpp"
#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "mti/build/build.hpp"
#include "mti/printing/print.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace exchange_functions_test {

namespace fs = std::filesystem;

/// Each state has a closed form: b = t, a = sin t, tank = (2 − t/2)², p = (1 − t/2)⁻², q = √(1 + 2t).
Model closed_forms() {
  Source source;
  source.states = {{.name = "a", .start = 0.0},
                   {.name = "b", .start = 0.0},
                   {.name = "tank", .start = 4.0},
                   {.name = "p", .start = 1.0},
                   {.name = "q", .start = 1.0}};
  source.algebraic = {{.name = "flow", .start = 2.0}};
  source.equations = {"der(a) = sin(b + 1.5707963267948966)",
                      "der(b) = 1",
                      "flow = sqrt(tank)",
                      "der(tank) = -flow",
                      "der(p) = p^1.5",
                      {"slope", "der(q) = 1/q"}};
  source.experiment.stop = 1.0;
  source.experiment.rtol = 1e-10;
  source.experiment.atol = 1e-12;
  return build(source);
}

void expect_closed_forms(const Model& model) {
  const Trajectory run = simulate(model, {.stop = 1.0, .rtol = 1e-10, .atol = 1e-12});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const auto end = [&](const char* name) { return run.value(run.size() - 1, run.column(name)); };
  EXPECT_NEAR(end("a"), std::sin(1.0), 1e-8);
  EXPECT_NEAR(end("b"), 1.0, 1e-8);
  EXPECT_NEAR(end("tank"), 2.25, 1e-8);
  EXPECT_NEAR(end("flow"), 1.5, 1e-8);
  EXPECT_NEAR(end("p"), 4.0, 1e-8);
  EXPECT_NEAR(end("q"), std::sqrt(3.0), 1e-8);
}

/// JSON says what a model is, digit by digit; its matrices form is another way in and out.
void expect_round_trip(const Model& model, const fs::path& path) {
  write_mat_model(model, {}, path);
  const Source again = read_mat_source(path);
  EXPECT_EQ(to_json(again), to_json(to_matrices(model)));
  EXPECT_EQ(to_json(to_matrices(build(again))), to_json(to_matrices(model)));
}

TEST(ExchangeFunctions, ModelsComeBackAndMoveAsTheirClosedForms) {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "m.mat";
  const Model model = closed_forms();
  ASSERT_EQ(model.functions.size(), 3U);
  ASSERT_EQ(model.divisors.size(), 1U);
  expect_round_trip(model, path);
  expect_closed_forms(model);
  expect_closed_forms(read_model(path));
  const Source json = read_source(to_json(to_equations(read_model(path))));
  expect_closed_forms(build(json));
}

TEST(ExchangeFunctions, CasesComeBackBitForBit) {
  const test::TemporaryDirectory directory;
  int models = 0, powers = 0, divisors = 0;
  for (const char* folder : {"tests/cases/second", "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / folder)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".json") || name.ends_with(".expect.json") ||
          test::read_text(entry.path()).find("\"mti-model\"") == std::string::npos)
        continue;
      SCOPED_TRACE(entry.path());
      const Model model = read_model(entry.path());
      if (model.functions.empty() && model.divisors.empty()) continue;
      if (model.solves_start()) continue;  // has no place in the format
      try {
        expect_round_trip(model, directory.path() / "m.mat");
      } catch (const InvalidOption& delayed) {
        EXPECT_EQ(delayed.faults().front().id, "delayed-signals");
        continue;
      }
      ++models;
      divisors += model.divisors.empty() ? 0 : 1;
      for (const auto& function : model.functions)
        powers += function.phi.kind == ElementaryFunction::Kind::power ? 1 : 0;
    }
  EXPECT_GE(models, 10);
  EXPECT_GE(powers, 1);
  EXPECT_GE(divisors, 1);
}

TEST(ExchangeFunctions, FilesOfOtherModelsHaveNoneOfTheirVariables) {
  const test::TemporaryDirectory directory;
  write_mat_model(read_model(test::source_dir() / "examples/three_tank/model.json"), {},
                  directory.path() / "m.mat");
  for (const auto& [name, value] : mat::read_variables(directory.path() / "m.mat"))
    EXPECT_TRUE(name != "functions" && name != "divisors") << name;
}

/// The variables of a file of 0 = 1·y, with `functions` beside them.
std::string fault_with(const mat::StructArray& functions) {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "m.mat";
  mat::write_variables({{"algebraic_names", mat::texts({"y", "r"})},
                        {"S", {TripletSource{2, 1, {0}, {0}, {1.0}}}},
                        {"Phi_eq", {TripletSource{1, 1, {0}, {0}, {1.0}}}},
                        {"functions", {functions}}},
                       path);
  try {
    static_cast<void>(read_model(path));
  } catch (const InvalidModel& invalid) {
    return invalid.faults().front().id + " " + invalid.faults().front().pointer;
  }
  return "none";
}

TEST(ExchangeFunctions, FaultsNameTheirPlace) {
  const auto text = [](const char* word) { return mat::Value{std::string(word)}; };
  const std::vector<std::string> three = {"result", "argument", "function"};
  const std::vector<std::string> four = {"result", "argument", "function", "exponent"};
  EXPECT_EQ(fault_with({three, {{text("r"), text("y"), text("sin")}}}), "none");
  EXPECT_EQ(fault_with({four, {{text("r"), text("y"), text("power"), mat::scalar(0.5)}}}), "none");
  EXPECT_EQ(fault_with({four, {{text("r"), text("y"), text("exp"), {mat::Matrix{}}}}}), "none");
  EXPECT_EQ(fault_with({{"result", "argument"}, {{text("r"), text("y")}}}), "mat-variable /functions/0");
  EXPECT_EQ(fault_with({three, {{text("r"), text("y"), mat::scalar(3.0)}}}),
            "mat-variable /functions/0/function");
  EXPECT_EQ(fault_with({four, {{text("r"), text("y"), text("power"), mat::column({1.0, 2.0})}}}),
            "mat-variable /functions/0/exponent");
  EXPECT_EQ(fault_with({three, {{text("r"), text("y"), text("power")}}}),
            "bad-exponent /matrices/functions/0/exponent");
  EXPECT_EQ(fault_with({three, {{text("r"), text("y"), text("sine")}}}),
            "unknown-function /matrices/functions/0/function");
  EXPECT_EQ(fault_with({three, {{text("r"), text("k"), text("sin")}}}),
            "unknown-name /matrices/functions/0/argument");
}

/// Octave reads the array, and what it writes anew is the same model.
TEST(ExchangeFunctions, OctaveReadsAndWritesThem) {
  if (std::system("command -v octave-cli > /dev/null") != 0) GTEST_SKIP() << "not installed";
  const test::TemporaryDirectory directory;
  const Model model = closed_forms();
  write_mat_model(model, {}, directory.path() / "model.mat");
  directory.write("script", R"(
    m = load('model.mat');
    for i = 1:numel(m.functions)
      printf('%s %g;', m.functions(i).('function'), m.functions(i).exponent);
    end
    printf('%s\n', class(m.divisors));
    save('-v7', 'again.mat', '-struct', 'm');
  )");
  ASSERT_EQ(std::system(("cd '" + directory.path().string() +
                         "' && octave-cli --quiet --no-gui script > read.txt 2> errors.txt")
                            .c_str()),
            0)
      << test::read_text(directory.path() / "errors.txt");
  EXPECT_EQ(test::read_text(directory.path() / "read.txt"), "sin ;sqrt ;power 1.5;cell\n");
  EXPECT_EQ(to_json(read_mat_source(directory.path() / "again.mat")), to_json(to_matrices(model)));
}

}  // namespace exchange_functions_test
}  // namespace mti
