#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>

#include "io/model/read_model.hpp"
#include "tests/places.hpp"
#include "tests/solvers/dense_algebra.hpp"
#include "tests/solvers/sensitivities/differentiated_run.hpp"

/// The three tanks from start to stop: ∂x/∂x0 is a product of matrix exponentials and saltation matrices.
namespace monodromy_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double heat = 4200.0 * 5.0, exchange = 125.0, loss = 125.0 + 2.0 * 125.0, inflow = 4200.0 * 0.09;

/// x' = A x + b of a mode: valve i with its share of the inlet.
struct Tanks {
  Matrix3d A;
  Vector3d b;

  explicit Tanks(const Vector3d& open) {
    const double z1 = open[0], z2 = open[1], z3 = open[2];
    const double share = 1.0 / (1.0 + z1 * z2 + z1 * z3 + z2 * z3 - z1 * z2 * z3);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        A(i, j) = i == j ? -(loss + inflow * share * open[i]) / heat : exchange / heat;
    b = inflow * share * 80.0 / heat * open;
  }
};

TEST(Sensitivities, MonodromyOfThreeTanks) {
  const mti::Source source =
      mti::read_source_file(mti::test::source_dir() / "examples/three_tank/model.json", mti::Reach::anywhere);
  const mti::Trajectory run =
      mti::test::differentiated_run(source, {"start(x1)", "start(x2)", "start(x3)"},
                                    {.stop = 600.0, .rtol = 1e-11, .atol = 1e-11, .output_interval = 100.0});
  ASSERT_GT(run.events.size(), 6U);
  const std::size_t z = run.column("z1");
  const auto open = [&](std::size_t row) {
    return Vector3d(run.value(row, z), run.value(row, z + 2), run.value(row, z + 4));
  };
  Matrix3d M = Matrix3d::Identity();
  double time = run.time(0);
  for (std::size_t row = 1; row + 1 < run.size(); ++row) {
    if (run.side(row) >= 0 || run.time(row) == run.time(0)) continue;
    const Tanks before(open(row)), after(open(row + 1));
    M = mti::test::exponential(before.A * (run.time(row) - time)) * M;
    time = run.time(row);
    const Vector3d x(run.value(row, 0), run.value(row, 1), run.value(row, 2));
    const Vector3d ahead = before.A * x + before.b, behind = after.A * x + after.b;
    // The boundary is a number for the one temperature whose valve changes.
    const Vector3d change = (open(row + 1) - open(row)).cwiseAbs();
    ASSERT_EQ(change.sum(), 1.0);
    M += (behind - ahead) * (change.transpose() * M) / change.dot(ahead);
  }
  M = mti::test::exponential(Tanks(open(run.size() - 1)).A * (run.time(run.size() - 1) - time)) * M;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(
          mti::test::derivative(run, "x" + std::to_string(i + 1), "start(x" + std::to_string(j + 1) + ")"),
          M(i, j), 1e-9);
}

}  // namespace
}  // namespace monodromy_test
