// A model that is written and read again is the same model, to the last bit.
#include "io/model/write_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/printing/print.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace write_mat_model_test {

void expect_same(const Source& a, const Source& b) { EXPECT_EQ(to_json(a), to_json(b)); }

const char* const everything = R"json({
  "format": "mti-model", "version": 1, "name": "n \"quoted\" \\ \n\t\u0001 →", "description": "d",
  "parameters": {"z": 0.1, "a": "2*z"},
  "states": [{"name": "x", "start": "a", "unit": "m", "nominal": 5}],
  "inputs": [{"name": "u1", "value": 2, "unit": "N"},
             {"name": "u2", "table": {"time": [0, 1], "value": [3, "a"]}, "interpolation": "previous"},
             {"name": "u3", "sine": {"amplitude": 1, "frequency": 2, "phase": 3, "offset": 4}},
             {"name": "u4", "binary": true, "value": 1},
             {"name": "u5", "polynomial": {"time": [0, 0.1, 3], "coefficients": [[1, -2.5e-300, 3], [0.1]]}}],
  "algebraic": [{"name": "y", "start": 7, "nominal": "a"}],
  "binaries": [{"name": "b", "start": 1}],
  "equations": ["der(x) + y*x = u1 + u2*u3", {"name": "e", "text": "y = 2 + b*x - u4*x"}],
  "constraints": [{"name": "c", "text": "(x - 3)*(1 - 2*b) <= 0"}],
  "invariants": ["b or not b"],
  "transitions": [{"when": "reach(c)",
                  "replaces" : ["e"], "equations" : ["x = -0.5*pre(x)"]
}],
  "experiment": {"start": 1, "stop": 2, "rtol": 3e-4, "atol": 5e-6, "output_interval": 0.5},
  "scenarios": [{"name": "s", "modes": "b", "equations": ["x = 0"]}]
})json";

TEST(WriteModel, EveryMemberComesBack) {
  const Source source = read_source(everything);
  const Source again = read_source(to_json(source));
  expect_same(source, again);
  EXPECT_EQ(again.name, "n \"quoted\" \\ \n\t\x01 \xE2\x86\x92");
  EXPECT_EQ(again.parameters.size(), 2U);
  EXPECT_EQ(again.inputs.size(), 5U);
  EXPECT_EQ(std::get<PolynomialSource>(again.inputs[4].form).coefficients[0][1], -2.5e-300);
  EXPECT_EQ(again.inputs[1].name, "u2");
  EXPECT_EQ(std::get<TableSource>(again.inputs[1].form).interpolation, Interpolation::previous);
  EXPECT_TRUE(again.inputs[3].binary);
  EXPECT_EQ(again.equations[1].name, "e");
  EXPECT_EQ(again.transitions[0].replaces, std::vector<std::string>{"e"});
  EXPECT_EQ(again.experiment.output_interval, Number(0.5));
  EXPECT_EQ(again.scenarios[0].equations, std::vector<std::string>{"x = 0"});
}

// Negative control: what differs in one bit is told apart.
TEST(WriteModel, OneBitMakesADifference) {
  Source source = read_source(everything);
  const std::string before = to_json(source);
  source.states[0].nominal = std::nextafter(5.0, 6.0);
  EXPECT_NE(to_json(source), before);
}

TEST(WriteModel, NumbersComeBackBitForBit) {
  std::mt19937_64 random(20250721);
  Source source;
  source.states.push_back({.name = "x"});
  source.equations.push_back("der(x) = 0*x + 1");
  std::vector<double> numbers = {0.1,  -0.0, 5e-324,  2.2250738585072014e-308, 1.7976931348623157e308,
                                 1e22, 1e23, -1.0 / 3};
  while (numbers.size() < 2000) {
    const double number = std::bit_cast<double>(random());
    if (std::isfinite(number)) numbers.push_back(number);
  }
  TableSource table;
  table.value.assign(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) table.time.emplace_back(static_cast<double>(i));
  source.inputs.push_back({.name = "u", .form = table});
  const Source again = read_source(to_json(source));
  const auto& values = std::get<TableSource>(again.inputs[0].form).value;
  ASSERT_EQ(values.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::get<double>(values[i])),
              std::bit_cast<std::uint64_t>(numbers[i]));
}

void expect_same_matrix(const SparseColumns& a, const SparseColumns& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  ASSERT_EQ(a.nonZeros(), b.nonZeros());
  EXPECT_EQ(Eigen::MatrixXd(a), Eigen::MatrixXd(b));
}

void expect_same_model(const Model& a, const Model& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.signature, b.signature);
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.x_start, b.x_start);
  EXPECT_EQ(a.y_start, b.y_start);
  EXPECT_EQ(a.z_start, b.z_start);
  EXPECT_EQ(a.equation_names, b.equation_names);
  EXPECT_EQ(a.constraint_names, b.constraint_names);
  EXPECT_EQ(a.invariants, b.invariants);
  EXPECT_EQ(a.transitions.size(), b.transitions.size());
  EXPECT_EQ(a.experiment.stop, b.experiment.stop);
  EXPECT_EQ(a.experiment.rtol, b.experiment.rtol);
}

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files = {test::source_dir() / "examples/three_tank/model.json"};
  if (test::shared_dir().empty()) return files;
  for (const char* name :
       {"hvac_winter", "nine_bus", "pipe_mass_flow_reversal", "pipe_inlet_temperature_step"})
    files.push_back(test::shared_dir() / "models" / (std::string(name) + ".json"));
  for (const char* name : {"cup_and_ball", "rldc2", "two_bodies_restitution"})
    files.push_back(test::shared_dir() / "cases/examples" / (std::string(name) + ".json"));
  return files;
}

TEST(WriteModel, MatricesComeBackBitForBit) {
  for (const auto& file : model_files()) {
    SCOPED_TRACE(file);
    const Model model = read_model(file);
    const Model again = read_model_text(to_json(to_matrices(model)));
    expect_same_model(model, again);
    expect_same_matrix(model.S, again.S);
    expect_same_matrix(model.Phi_eq, again.Phi_eq);
    expect_same_matrix(model.Phi_ineq, again.Phi_ineq);
  }
}

/// f and g at v, straight from their definition (6), (7).
Eigen::VectorXd values(const Model& model, const Eigen::VectorXd& v) {
  Eigen::VectorXd columns(model.columns());
  for (int k = 0; k < model.columns(); ++k) {
    double product = 1.0;
    for (SparseColumns::InnerIterator entry(model.S, k); entry; ++entry)
      product *= 1.0 - std::abs(entry.value()) + entry.value() * v[entry.row()];
    columns[k] = product;
  }
  Eigen::VectorXd result(model.equations() + model.constraints());
  result << model.Phi_eq * columns, model.Phi_ineq * columns;
  return result;
}

// Written as equations the columns may be others, but the functions are the same.
TEST(WriteModel, EquationsComeBackAsTheSameFunctions) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> distribution(-2.0, 2.0);
  for (const auto& file : model_files()) {
    SCOPED_TRACE(file);
    const Model model = read_model(file);
    const Model again = read_model_text(to_json(to_equations(model)));
    expect_same_model(model, again);
    for (int sample = 0; sample < 5; ++sample) {
      Eigen::VectorXd v(model.signature.size());
      for (double& value : v) value = distribution(random);
      const Eigen::VectorXd before = values(model, v), after = values(again, v);
      // Each row is a sum of products; its terms bound what reordering them can do.
      Eigen::VectorXd scale(model.equations() + model.constraints());
      const Eigen::VectorXd ones = Eigen::VectorXd::Constant(model.columns(), 1.0);
      scale << model.Phi_eq.cwiseAbs() * ones, model.Phi_ineq.cwiseAbs() * ones;
      for (int row = 0; row < before.size(); ++row)
        EXPECT_NEAR(before[row], after[row], 1e-13 * 64 * (1.0 + scale[row])) << "row " << row;
    }
  }
}

TEST(WriteModel, AFileIsReplacedAsAWhole) {
  const test::TemporaryDirectory directory;
  const auto path = directory.write("m.json", "old");
  write_model(read_source(everything), path);
  expect_same(read_source_file(path), read_source(everything));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1)
      << "nothing else is left";
}

TEST(WriteModel, WhereNothingCanBeWrittenIsAnError) {
  const test::TemporaryDirectory directory;
  directory.write("file", "");
  try {
    write_model(Source(), directory.path() / "file" / "m.json");
    FAIL();
  } catch (const UnusableFile& invalid) {
    EXPECT_EQ(invalid.faults().at(0).id, "file-unwritable");
  }
}

/// ẋ = x·u (−2) and ẋ = −x + u: forms that have no equations of their own do not lose them.
TEST(WriteModel, FormsAreWrittenAsTheirEquations) {
  const char* const forms[] = {
      R"json({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "inputs": [{"name": "u", "value": 1}],
    "matrices": {"U": {"rows": 2, "cols": 1, "i": [0, 1], "k": [0, 0], "v": [1, 1]},
                 "phi": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [-2]}}})json",
      R"json({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "inputs": [{"name": "u", "value": 1}],
    "matrices": {"A": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [-1]},
                 "B": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [1]},
                 "C": {"rows": 0, "cols": 1, "i": [], "k": [], "v": []},
                 "D": {"rows": 0, "cols": 1, "i": [], "k": [], "v": []}}})json"};
  for (const char* const form : forms) {
    const Source source = read_source(form);
    const Source again = read_source(to_json(source));
    EXPECT_EQ(to_json(to_equations(build(again))), to_json(to_equations(build(source))));
    EXPECT_EQ(again.equations.size(), 1U);
  }
}

}  // namespace write_mat_model_test
}  // namespace mti
