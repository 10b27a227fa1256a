// Explicit and linear models in model files: the published values, and one function written in four ways.
#include <gtest/gtest.h>

#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti::test {
namespace forms_file_test {

constexpr const char* signals = R"("format": "mti-model", "version": 1,
    "states": [{"name": "x1", "start": -1}, {"name": "x2", "start": 1}], "inputs": [{"name": "u", "value": 3}])";

Model model_of(const std::string& rest) {
  std::string text = "{";
  text.append(signals).append(rest).append("}");
  return read_model_text(text);
}

std::vector<std::string> faults_of(const std::string& rest) {
  std::vector<std::string> faults;
  try {
    static_cast<void>(model_of(rest));
  } catch (const InvalidModel& invalid) {
    for (const Fault& fault : invalid.faults()) faults.push_back(fault.pointer + " " + fault.id);
  }
  return faults;
}

constexpr const char* with_U = R"(, "matrices": {
    "U": {"rows": 3, "cols": 2, "i": [0, 0, 1, 2], "k": [0, 1, 0, 1], "v": [0.5, -0.5, 1, 1]},
    "phi": {"rows": 2, "cols": 2, "i": [0, 1, 1], "k": [0, 0, 1], "v": [2, 4, 6]}})";
// Columns (1 + x1)/2 · x2 and (1 − x1)/2 · u with other scales of the factors.
constexpr const char* with_factors = R"(, "matrices": {
    "factors": [[[2, -1], [2, 1]], [[0, 3], [-1, 0]], [[1, 0], [0, 0.5]]], "lambda": [-0.25, -0.333333333333333333],
    "phi": {"rows": 2, "cols": 2, "i": [0, 1, 1], "k": [0, 0, 1], "v": [2, 4, 6]}})";
constexpr const char* with_text = R"(, "equations": ["der(x1) = (1 + x1)*x2",
    "der(x2) = 2*(1 + x1)*x2 + 3*(1 - x1)*u"])";

/// The right-hand side F = ẋ − f at a point, by the definition (6).
std::vector<double> right_side(const Model& model, double x1, double x2, double u) {
  const auto f = naive_value(model.f(), {0.0, 0.0, x1, x2, u});
  return {static_cast<double>(-f[0]), static_cast<double>(-f[1])};
}

TEST(FormsInFiles, StructureMatrixHasThePublishedLinearisation) {
  const Model model = model_of(with_U);
  EXPECT_EQ(right_side(model, -1, 1, 3), (std::vector<double>{0, 18}));
  const Eigen::MatrixXd J = naive_jacobian(model.f(), {0, 0, -1, 1, 3});
  const Eigen::MatrixXd AB = -J.rightCols(3);
  Eigen::MatrixXd expected(2, 3);
  expected << 1, 0, 0, -7, 0, 6;
  EXPECT_EQ(AB, expected);
}

TEST(FormsInFiles, AllAreTheSameFunction) {
  const Model structure = model_of(with_U), factors = model_of(with_factors), text = model_of(with_text);
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double x1 = random.uniform(-5, 5), x2 = random.uniform(-5, 5), u = random.uniform(-5, 5);
    const std::vector<double> expected = {(1 + x1) * x2, 2 * (1 + x1) * x2 + 3 * (1 - x1) * u};
    const double size = (1 + std::abs(x1)) * (2 * std::abs(x2) + 3 * std::abs(u));
    for (const Model* model : {&structure, &factors, &text})
      for (std::size_t row = 0; row < 2; ++row)
        EXPECT_NEAR(right_side(*model, x1, x2, u)[row], expected[row], 1e-15 * size);
  }
}

TEST(FormsInFiles, LinearModelKeepsItsMatrices) {
  const Model model = model_of(R"(, "algebraic": [{"name": "y"}], "matrices": {
      "A": {"rows": 2, "cols": 2, "i": [0, 1], "k": [1, 0], "v": [1, -4]},
      "B": {"rows": 2, "cols": 1, "i": [1], "k": [0], "v": [2]},
      "C": {"rows": 1, "cols": 2, "i": [0], "k": [0], "v": [3]},
      "D": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [5]}})");
  const auto f = naive_value(model.f(), {10, 20, 0.5, 0.25, 3, 100});
  EXPECT_EQ(f, (std::vector<long double>{10 - 0.25, 20 + 4 * 0.5 - 2 * 3, 100 - 3 * 0.5 - 5 * 3}));
}

TEST(FormsInFiles, WhatDoesNotFitIsFoundAtItsPlace) {
  EXPECT_EQ(faults_of(R"(, "matrices": {"U": {"rows": 2, "cols": 1, "i": [0], "k": [0], "v": [1]},
      "phi": {"rows": 2, "cols": 1, "i": [0], "k": [0], "v": [1]}})"),
            std::vector<std::string>{"/matrices/U matrix-size"});
  EXPECT_EQ(faults_of(R"(, "matrices": {"U": {"rows": 3, "cols": 1, "i": [0], "k": [0], "v": [2]},
      "phi": {"rows": 2, "cols": 1, "i": [0], "k": [0], "v": [1]}})"),
            std::vector<std::string>{"/matrices/U/v/0 not-normalised"});
  EXPECT_EQ(faults_of(R"(, "matrices": {"A": {"rows": 2, "cols": 3, "i": [0], "k": [0], "v": [2]}})"),
            (std::vector<std::string>{"/matrices/A matrix-size", "/matrices/B matrix-size"}));
  EXPECT_EQ(faults_of(R"(, "matrices": {"factors": [[[1], ["a"]], [[1], [1]], [[1], [1]]],
      "phi": {"rows": 2, "cols": 1, "i": [0], "k": [0], "v": [1]}})"),
            std::vector<std::string>{"/matrices/factors/0/1/0 wrong-type"});
}

}  // namespace forms_file_test
}  // namespace mti::test
