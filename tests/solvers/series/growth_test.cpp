// What grows out of the tolerance by itself is followed; what grows there because its neighbour feeds it is not. Against matrix
// exponentials.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/number.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace growth_test {

/// x' = A x + b
struct Linear {
  Eigen::MatrixXd a;
  Eigen::VectorXd b, start;

  void add_to(Source& source, const std::string& name) const {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      std::string slope = text::format_number(b(i));
      for (Eigen::Index j = 0; j < a.cols(); ++j)
        if (a(i, j) != 0.0) slope += " + (" + text::format_number(a(i, j)) + ")*" + name + std::to_string(j);
      source.states.push_back({name + std::to_string(i), start(i)});
      source.equations.push_back("der(" + name + std::to_string(i) + ") = " + slope);
    }
  }

  void expect_end_of(const Trajectory& run, const std::string& name, const Eigen::VectorXd& exact,
                     double allowed, const std::string& where) const {
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      EXPECT_NEAR(run.value(run.size() - 1, run.column(name + std::to_string(i))), exact(i), allowed)
          << where << ": " << name << i;
  }
};

/// A rod of n cells, cold at first, whose left end has 100 degrees from then on.
Linear rod(int n, double rate) {
  Linear rod{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
  for (int i = 0; i < n; ++i) {
    rod.a(i, i) = i + 1 == n ? -rate : -2.0 * rate;
    if (i > 0) rod.a(i, i - 1) = rod.a(i - 1, i) = rate;
  }
  rod.b(0) = 100.0 * rate;
  return rod;
}

/// 100 (1 − e^(At) 1)
Eigen::VectorXd temperatures(const Linear& rod, double t) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(rod.a);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rod.a.rows());
  const Eigen::VectorXd fading = (t * modes.eigenvalues().array()).exp();
  return 100.0 * (ones - modes.eigenvectors() * fading.cwiseProduct(modes.eigenvectors().transpose() * ones));
}

/// V diag(λ) V⁻¹ with λ₀ = 1 and smaller ones beside it, in units between 1e-2 and 1e2, from 1e-25.
struct Unstable {
  Linear system;
  Eigen::MatrixXd v;
  Eigen::VectorXd lambda;

  Unstable(int n, std::mt19937_64& random) : lambda(n) {
    std::uniform_real_distribution<double> one(-1.0, 1.0);
    v = Eigen::MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i) {
      lambda(i) = i == 0 ? 1.0 : 0.6 * one(random);
      for (int j = 0; j < n; ++j) v(i, j) += 0.7 * one(random);
    }
    for (int i = 0; i < n; ++i) v.row(i) *= std::pow(10.0, 2.0 * one(random));
    // In a state that is not yet one exponential at the order of 1e-4, no growth is seen (known issues).
    Eigen::VectorXd parts(n);
    for (int i = 0; i < n; ++i) parts(i) = i == 0 ? 1e-25 : 1e-27 * one(random);
    system = {v * lambda.asDiagonal() * v.inverse(), Eigen::VectorXd::Zero(n), v * parts};
  }

  [[nodiscard]] Eigen::VectorXd at(double t) const {
    const Eigen::VectorXd grown = (t * lambda.array()).exp();
    return v * grown.cwiseProduct(v.inverse() * system.start);
  }
};

TEST(Growth, AheadOfAFrontIsNotFollowed) {
  const Linear heated = rod(300, 900.0);
  Source source;
  heated.add_to(source, "T");
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.stop = 20.0;
    const Trajectory run = simulate(build(source), options);
    EXPECT_LE(run.statistics.series_steps, 120) << rtol;
    heated.expect_end_of(run, "T", temperatures(heated, 20.0), 100.0 * 10.0 * rtol,
                         text::format_number(rtol));
  }
}

TEST(Growth, OfItsOwnIsFollowedWhateverTheUnits) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 60; ++trial) {
    const Unstable unstable(2 + trial % 4, random);
    Source source;
    unstable.system.add_to(source, "x");
    for (const double rtol : {1e-4, 1e-8}) {
      SimulationOptions options = test::with_accuracy(rtol);
      options.integrator = IntegratorChoice::series;
      options.stop = 60.0;
      const Trajectory run = simulate(build(source), options);
      const Eigen::VectorXd exact = unstable.at(60.0);
      // A hundredth of rtol for each of the 60 times that it grows by e, and what steps are off within their tolerance.
      unstable.system.expect_end_of(run, "x", exact, 10.0 * rtol * exact.cwiseAbs().maxCoeff(),
                                    text::format_number(rtol) + " in trial " + std::to_string(trial));
    }
  }
}

/// x' = x + 1e-30 from 0: x = 1e-30 (e^t − 1).
TEST(Growth, OutOfZeroIsFollowed) {
  Source source;
  source.states = {{"x"}};
  source.equations = {"der(x) = x + 1e-30"};
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.integrator = IntegratorChoice::series;
    options.stop = 80.0;
    const Trajectory run = simulate(build(source), options);
    const double exact = 1e-30 * std::expm1(80.0);
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), exact, 10.0 * rtol * exact) << rtol;
  }
}

/// A neighbour of 1e-50 feeds a state that is zero at first, and which grows by itself from then on: x' = A x with
/// λ = (97 + √9805)/2, and x1 = 1e-50 (e^(λt) − e^(μt))/(λ − μ). Some 100 steps are off by rtol/100 each.
TEST(Growth, OfItsOwnIsFollowedWhereANeighbourBeginsIt) {
  Source source;
  source.states = {{"x0", 1e-50}, {"x1"}};
  source.equations = {"der(x0) = x1 - x0", "der(x1) = x0 + 98*x1"};
  const double root = std::sqrt(9805.0), lambda = 0.5 * (97.0 + root), mu = 0.5 * (97.0 - root), stop = 1.2;
  const double exact = 1e-50 * (std::exp(lambda * stop) - std::exp(mu * stop)) / root;
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.integrator = IntegratorChoice::series;
    options.stop = stop;
    const Trajectory run = simulate(build(source), options);
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x1")), exact, 10.0 * rtol * exact) << rtol;
  }
}

TEST(Growth, OfItsOwnIsFollowedBesideAFront) {
  std::mt19937_64 random(12);
  const Linear heated = rod(160, 100.0);
  const Unstable unstable(3, random);
  Source source;
  heated.add_to(source, "T");
  unstable.system.add_to(source, "x");
  SimulationOptions options = test::with_accuracy(1e-6);
  options.integrator = IntegratorChoice::series;
  options.stop = 60.0;
  const Trajectory run = simulate(build(source), options);
  const Eigen::VectorXd exact = unstable.at(60.0);
  unstable.system.expect_end_of(run, "x", exact, 1e-5 * exact.cwiseAbs().maxCoeff(), "beside");
  heated.expect_end_of(run, "T", temperatures(heated, 60.0), 1e-3, "beside");
}

}  // namespace growth_test
}  // namespace mti
