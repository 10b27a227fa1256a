// Random linear modes entered with random left limits, against projectors made by dense linear algebra:
// bodies that are tied by random constraints, and pencils of index one.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_random_test {

using Json = nlohmann::json;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// "+(a)*prefix1suffix …" of a row.
std::string sum(const Eigen::RowVectorXd& row, const std::string& prefix, const std::string& suffix = "") {
  std::string text;
  for (Eigen::Index i = 0; i < row.size(); ++i)
    if (row[i] != 0.0)
      text += (text.empty() ? "(" : " + (") + exact(row[i]) + ")*" + prefix + std::to_string(i + 1) + suffix;
  return text.empty() ? "0" : text;
}

MatrixXd random_matrix(int rows, int columns, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return MatrixXd::NullaryExpr(rows, columns, [&] { return number(random); });
}

Json model_with_states(const std::string& prefix, const VectorXd& start) {
  Json model = {{"format", "mti-model"}, {"version", 1}, {"name", "random"}, {"experiment", {{"stop", 1}}}};
  for (Eigen::Index i = 0; i < start.size(); ++i)
    model["states"].push_back({{"name", prefix + std::to_string(i + 1)}, {"start", start[i]}});
  return model;
}

VectorXd after(const Instant& event, const std::string& prefix, Eigen::Index size) {
  VectorXd result(size);
  for (Eigen::Index i = 0; i < size; ++i) result[i] = event.after(prefix + std::to_string(i + 1));
  return result;
}

// M v' = Bᵀ λ, B v = 0 from v⁻: v⁺ = v⁻ + M⁻¹ Bᵀ Λ with Λ = −(B M⁻¹ Bᵀ)⁻¹ B v⁻.
TEST(RandomModes, TiedBodiesKeepTheMomentumThatIsNotTied) {
  std::mt19937 random(20240607);
  for (int trial = 0; trial < 12; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const int n = 3 + trial % 4, k = 1 + trial % 3;
    const MatrixXd half = random_matrix(n, n, random), B = random_matrix(k, n, random);
    const MatrixXd M = half * half.transpose() + MatrixXd::Identity(n, n);
    const VectorXd v = 5.0 * random_matrix(n, 1, random);
    const MatrixXd inverse = M.inverse();
    const VectorXd weights = -(B * inverse * B.transpose()).inverse() * B * v;
    const VectorXd expected = v + inverse * B.transpose() * weights;

    Json model = model_with_states("v", v);
    for (int j = 0; j < k; ++j) model["algebraic"].push_back({{"name", "l" + std::to_string(j + 1)}});
    for (int i = 0; i < n; ++i) {
      std::string text;
      for (int j = 0; j < n; ++j)
        text += (j > 0 ? " + (" : "(") + exact(M(i, j)) + ")*der(v" + std::to_string(j + 1) + ")";
      model["equations"].push_back(text + " = " + sum(B.col(i).transpose(), "l"));
    }
    for (int j = 0; j < k; ++j) model["equations"].push_back(sum(B.row(j), "v") + " = 0");

    const SimulationRun run = completed(model, 1e-8);
    ASSERT_EQ(run.events.size(), 1U);
    const Instant event = instants(run)[0];
    EXPECT_EQ(event.kind(), "initial");
    const VectorXd found = after(event, "v", n);
    EXPECT_LT((found - expected).norm(), restart_accuracy * v.norm());
    for (int j = 0; j < k; ++j)
      EXPECT_NEAR(event.weight("l" + std::to_string(j + 1)), weights[j],
                  10.0 * restart_accuracy * weights.norm());
    // Momentum along every direction that is not tied.
    const MatrixXd untied = B.fullPivLu().kernel();
    EXPECT_LT((untied.transpose() * M * (found - v)).norm(),
              100.0 * conservation_accuracy * M.norm() * v.norm());
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(run.value(run.rows.back(), "v" + std::to_string(i + 1)), expected[i],
                  error_bound(1e-8, 10.0));
  }
}

// E x' + A x = 0 with E of rank r: rows of E x' = −J W x and of U x = 0. Consistent values have U x = 0, and
// the jump is where E does not see it: x⁺ = x⁻ + Δ, E Δ = 0, U x⁺ = 0.
TEST(RandomModes, PencilsOfIndexOneAreProjected) {
  std::mt19937 random(7060402);
  for (int trial = 0; trial < 12; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const int n = 2 + trial % 4, r = 1 + trial % (n - 1);
    const MatrixXd E = random_matrix(r, n, random), U = random_matrix(n - r, n, random);
    MatrixXd both(n, n);
    both << E, U;
    if (std::abs(both.determinant()) < 0.05) continue;  // nearly of higher index
    const VectorXd x = 3.0 * random_matrix(n, 1, random);
    VectorXd right = VectorXd::Zero(n);
    right.head(r) = E * x;
    const VectorXd expected = both.partialPivLu().solve(right);

    Json model = model_with_states("x", x);
    for (int i = 0; i < r; ++i) {
      std::string text;
      for (int j = 0; j < n; ++j)
        text += (j > 0 ? " + (" : "(") + exact(E(i, j)) + ")*der(x" + std::to_string(j + 1) + ")";
      model["equations"].push_back(text + " = -(" + sum(E.row(i), "x") + ")");
    }
    for (int i = 0; i < n - r; ++i) model["equations"].push_back(sum(U.row(i), "x") + " = 0");

    const SimulationRun run = completed(model, 1e-8);
    ASSERT_EQ(run.events.size(), 1U);
    const Instant event = instants(run)[0];
    EXPECT_LT((after(event, "x", n) - expected).norm(), 100.0 * restart_accuracy * x.norm());
    EXPECT_TRUE(event.impulsive().empty());
    // (E x)' = −E x and U x = 0: everything decays together.
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(run.value(run.rows.back(), "x" + std::to_string(i + 1)), expected[i] * std::exp(-1.0),
                  20.0 * error_bound(1e-8, expected.norm()));
  }
}

}  // namespace multi_mode_random_test
}  // namespace mti::test
