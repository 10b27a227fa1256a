// What does not work for multi-mode systems, shown on the models of tests/cases, and that it is not what is
// done here: the structure of the union of all modes, and a step of length zero.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "io/model/read_model.hpp"
#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/places.hpp"

namespace mti {
namespace multi_mode_controls_test {

Model model_of(const std::string& name) {
  return read_model(test::source_dir() / "tests/cases" / (name + ".json"));
}

/// All binaries and binary inputs of the case in one list of values, binaries first.
Mode mode_of(const Model& model, std::vector<char> values) {
  Mode mode;
  const auto q = static_cast<std::ptrdiff_t>(model.z_start.size());
  mode.z.assign(values.begin(), values.begin() + q);
  mode.binary_inputs.assign(values.begin() + q, values.end());
  for (const int binary : model.signature.pre()) mode.pre.push_back(mode.z[at(binary)]);
  return mode;
}

ModeStructure union_of_modes(const Model& model) {
  std::vector<int> all(at(model.equations()));
  std::iota(all.begin(), all.end(), 0);
  return analyze_mode(model.f(), model.signature, all);
}

struct HigherIndex {
  std::string file;
  std::vector<char> mode;
  int index;
};

class UnionOfModes : public testing::TestWithParam<HigherIndex> {};

// The classic mistake: with the binaries left in, every model looks like an ordinary one of index 0.
TEST_P(UnionOfModes, HidesTheConstraints) {
  const Model model = model_of(GetParam().file);
  const ModeStructure joined = union_of_modes(model);
  EXPECT_TRUE(joined.regular);
  EXPECT_EQ(joined.index, 0);
  const ModeStructure frozen = analyze_mode(model, mode_of(model, GetParam().mode));
  EXPECT_FALSE(frozen.regular);
  EXPECT_FALSE(frozen.singular);
  EXPECT_EQ(frozen.index, GetParam().index);
  EXPECT_LT(frozen.degrees_of_freedom, joined.degrees_of_freedom);
}

INSTANTIATE_TEST_SUITE_P(Cases, UnionOfModes,
                         testing::Values(HigherIndex{"clutch_basic", {1}, 1},
                                         HigherIndex{"cup_and_ball", {1}, 2}, HigherIndex{"rldc2", {1, 1}, 1},
                                         HigherIndex{"rldc2", {0, 0}, 1}),
                         [](const auto& instance) {
                           return instance.param.file + "_" + std::to_string(instance.index);
                         });

/// What an implicit Euler step of length h solves in one mode, at v: with x = x⁻ + h·ẋ the Jacobian with
/// respect to (ẋ, y) is (∂f/∂ẋ + h ∂f/∂x, ∂f/∂y).
Eigen::MatrixXd euler_matrix(const Model& model, const Mode& mode, std::vector<double> v, double h) {
  const Signature& signature = model.signature;
  write_mode(signature, mode, v);
  const CpKernel kernel(freeze(model, mode).f);
  std::vector<double> f(at(kernel.rows())), J(kernel.pattern().nonzeros());
  CpKernel::Workspace workspace = kernel.workspace();
  kernel.value_and_jacobian(v, f, J, workspace);
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(kernel.rows(), kernel.signals());
  for (int column = 0; column < kernel.pattern().cols; ++column)
    for (int e = kernel.pattern().column_start[column]; e < kernel.pattern().column_start[column + 1]; ++e)
      full(kernel.pattern().row[e], column) = J[e];
  const int n = signature.n(), p = signature.p();
  Eigen::MatrixXd matrix(kernel.rows(), n + p);
  matrix.leftCols(n) = full.leftCols(n) + h * full.middleCols(n, n);
  matrix.rightCols(p) = full.middleCols(signature.algebraic_row(0), p);
  return matrix;
}

double condition(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  return values[0] / values[values.size() - 1];
}

int rank(const Eigen::MatrixXd& matrix) {
  return static_cast<int>(Eigen::FullPivLU<Eigen::MatrixXd>(matrix).rank());
}

struct Step {
  std::string file;
  std::vector<char> mode, ordinary;  ///< of higher index, and one that is not
  int missing;                       ///< rank that is lost at h = 0
  int power;                         ///< the condition is that power of 1/h
  std::vector<std::pair<std::string, double>> at;
};

class StepOfLengthZero : public testing::TestWithParam<Step> {};

// h = 0 put blindly: the rows of the constraints vanish. A small h is regular, but the condition is ∼ 1/h,
// and ∼ 1/h² where a position is forced.
TEST_P(StepOfLengthZero, IsSingularAndASmallOneBadlyConditioned) {
  const Step& step = GetParam();
  const Model model = model_of(step.file);
  std::vector<double> v(at(model.signature.size()), 0.0);
  for (const auto& [name, value] : step.at) v[at(*model.signature.find(name))] = value;
  const Mode mode = mode_of(model, step.mode), ordinary = mode_of(model, step.ordinary);
  const Eigen::MatrixXd blind = euler_matrix(model, mode, v, 0.0);
  EXPECT_EQ(rank(blind), blind.cols() - step.missing);
  const Eigen::MatrixXd other = euler_matrix(model, ordinary, v, 0.0);
  EXPECT_EQ(rank(other), other.cols()) << "the other mode is regular";
  EXPECT_LT(condition(other), 1e3);
  for (const double h : {1e-2, 1e-3}) {
    const double growth =
        condition(euler_matrix(model, mode, v, h / 10.0)) / condition(euler_matrix(model, mode, v, h));
    EXPECT_NEAR(std::log10(growth), step.power, 0.1) << "h = " << h;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, StepOfLengthZero,
    testing::Values(Step{"clutch_basic", {1}, {0}, 1, 1, {}},
                    Step{"two_bodies_inelastic", {1}, {0}, 1, 1, {}},
                    Step{"cup_and_ball",
                         {1},
                         {0},
                         1,
                         2,
                         {{"x", 0.6}, {"y", -0.8}, {"x.copy1", 0.6}, {"y.copy1", -0.8}, {"lambda", 10.0}}},
                    Step{"rldc2", {1, 1}, {1, 0}, 1, 1, {}}),
    [](const auto& instance) { return instance.param.file; });

}  // namespace multi_mode_controls_test
}  // namespace mti
