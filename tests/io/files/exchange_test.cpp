// .mat files: what is written comes back bit for bit; Octave or SciPy evaluate f from it as documented.
#include "io/mat/exchange.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "io/mat/mat_file.hpp"
#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "io/results/write_results.hpp"
#include "mti/build/build.hpp"
#include "mti/printing/print.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace exchange_test {

namespace fs = std::filesystem;

fs::path three_tank() { return test::source_dir() / "examples/three_tank/model.json"; }

std::vector<fs::path> model_files() {
  std::vector<fs::path> files = {three_tank()};
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "tests/cases"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  return files;
}

TEST(Exchange, ModelsComeBackBitForBit) {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "m.mat";
  for (const fs::path& file : model_files()) {
    SCOPED_TRACE(file);
    const Model model = read_model(file);
    write_mat_model(model, {{"gain", 0.1}}, path);
    Source again = read_mat_source(path);
    ASSERT_EQ(again.parameters.size(), 1U);
    EXPECT_EQ(again.parameters[0].value, Number(0.1));
    again.parameters.clear();
    EXPECT_EQ(to_json(again), to_json(to_matrices(model)));
    EXPECT_EQ(to_json(to_matrices(build(again))), to_json(to_matrices(model)));
  }
}

TEST(Exchange, TextIsKeptInUnicode) {
  const test::TemporaryDirectory directory;
  Model model = read_model(three_tank());
  model.description = "Füllstände →\xF0\x9D\x84\x9E";
  write_mat_model(model, {}, directory.path() / "m.mat");
  EXPECT_EQ(read_mat_source(directory.path() / "m.mat").description, model.description);
}

TEST(Exchange, ResultsAreThoseOfTheRun) {
  const test::TemporaryDirectory directory;
  Source source;  // with an input that jumps, whose columns the run itself does not have
  source.states = {{.name = "x"}};
  source.inputs = {
      {.name = "u", .form = TableSource{.time = {0.0, 1.0, 1.0, 2.0}, .value = {0.0, 1.0, 3.0, 3.0}}}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = u"};
  source.constraints = {"(x - 0.3)*(1 - z) <= 0"};
  const Model model = build(source);
  const Trajectory run = simulate(model, {.stop = 2.0});
  write_mat_results(model, run, directory.path() / "r.mat");
  bool seen = false;
  for (const auto& [name, value] : mat::read_variables(directory.path() / "r.mat")) {
    if (name == "events") {
      EXPECT_EQ(std::get<mat::StructArray>(value.content).elements.size(), run.events.size());
    }
    if (name != "values") continue;
    seen = true;
    const auto& matrix = std::get<mat::Matrix>(value.content);
    std::istringstream csv(trajectory_csv(model, run));
    std::string line, cell;
    std::getline(csv, line);
    EXPECT_EQ(line, "time,side,x,u,z");
    ASSERT_EQ(matrix.values.size(), run.size() * 3);
    for (std::size_t row = 0; std::getline(csv, line); ++row) {
      std::istringstream cells(line);
      for (std::size_t column = 0; std::getline(cells, cell, ','); ++column)
        EXPECT_TRUE(column < 2 || matrix.values[(column - 2) * run.size() + row] == std::stod(cell)) << line;
    }
  }
  EXPECT_TRUE(seen);
  write_mat_results(model, run, directory.path() / "chosen.mat", {.signals = {"z", "x"}});
  for (const auto& [name, value] : mat::read_variables(directory.path() / "chosen.mat"))
    if (name == "values") {
      EXPECT_EQ(std::get<mat::Matrix>(value.content).values.size(), run.size() * 2);
    }
}

template <class Error>
std::string fault_of(const fs::path& path) {
  try {
    static_cast<void>(read_mat_source(path));
  } catch (const Error& error) {
    return error.faults().front().id;
  }
  return "none";
}

TEST(Exchange, BrokenFilesAreFaults) {
  const test::TemporaryDirectory directory;
  const fs::path good = directory.path() / "good.mat";
  write_mat_model(read_model(three_tank()), {}, good);
  const std::string bytes = test::read_text(good);
  EXPECT_EQ(fault_of<UnusableFile>(directory.path() / "missing.mat"), "file-unreadable");
  EXPECT_EQ(fault_of<UnusableFile>(directory.write("text.mat", "not a MAT file")), "mat-format");
  EXPECT_EQ(fault_of<UnusableFile>(directory.write("header.mat", bytes.substr(0, 100))), "mat-format");
  EXPECT_EQ(fault_of<UnusableFile>(directory.write("cut.mat", bytes.substr(0, bytes.size() - 7))),
            "mat-format");
  EXPECT_EQ(fault_of<InvalidModel>(directory.write("empty.mat", bytes.substr(0, 128))), "mat-variable");
  const fs::path other = directory.path() / "other.mat";
  mat::write_variables({{"S", {std::string("text")}}}, other);
  EXPECT_EQ(fault_of<InvalidModel>(other), "mat-variable");
  mat::write_variables({{"state_names", mat::texts({"x"})}, {"x_start", mat::column({1, 2})}}, other);
  EXPECT_EQ(fault_of<InvalidModel>(other), "mat-variable");
}

/// How docs/exchange.md evaluates f in a language.
std::string snippet(const std::string& language) {
  const std::string text = test::read_text(test::source_dir() / "docs/exchange.md");
  const std::size_t begin = text.find("```" + language + "\n", text.find("## Evaluate f from S and Phi"));
  const std::size_t first = begin + language.size() + 4;
  return text.substr(first, text.find("```", first) - first);
}

void expect_documented_f(const std::string& language, const std::string& check, const std::string& program) {
  if (std::system(check.c_str()) != 0) GTEST_SKIP() << "not installed";
  const test::TemporaryDirectory directory;
  const Model model = read_model(three_tank());
  write_mat_model(model, {}, directory.path() / "model.mat");
  directory.write("script", snippet(language));
  ASSERT_EQ(std::system(("cd '" + directory.path().string() + "' && " + program + " script > f.txt").c_str()),
            0);
  // v_i = i/10, counted from 1, as in the document.
  Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(model.signature.size(), 0.1, 0.1 * model.signature.size());
  Eigen::VectorXd columns = Eigen::VectorXd::Ones(model.columns());
  for (int k = 0; k < model.columns(); ++k)
    for (SparseColumns::InnerIterator entry(model.S, k); entry; ++entry)
      columns[k] *= 1.0 - std::abs(entry.value()) + entry.value() * v[entry.row()];
  const Eigen::VectorXd f = model.Phi_eq * columns;
  const Eigen::VectorXd scale = model.Phi_eq.cwiseAbs() * columns.cwiseAbs();
  std::ifstream numbers(directory.path() / "f.txt");
  for (int row = 0; row < f.size(); ++row) {
    double value = NAN;
    ASSERT_TRUE(numbers >> value);
    EXPECT_NEAR(value, f[row], 1e-14 * scale[row]);
  }
}

TEST(Exchange, OctaveEvaluatesTheModelAsDocumented) {
  expect_documented_f("matlab", "command -v octave-cli > /dev/null", "octave-cli --quiet --no-gui");
}
TEST(Exchange, SciPyEvaluatesTheModelAsDocumented) {
  expect_documented_f("python", "/usr/bin/python3 -c 'import scipy' 2> /dev/null", "/usr/bin/python3");
}

}  // namespace exchange_test
}  // namespace mti
