// Continuous models made discrete and back against the difference schemes written here.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <array>
#include <cmath>
#include <random>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/multilinear/row_map.hpp"
#include "mti/printing/print.hpp"
#include "mti/transform/discretise.hpp"
#include "solvers/linearization/linearize.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace discretise_test {

constexpr std::array methods = {DifferenceMethod::forward_euler, DifferenceMethod::trapezoidal,
                                DifferenceMethod::backward_euler};

Model at_samples(const Model& model, double Ts, DifferenceMethod method) {
  return discretise(model, Ts, method, start_of_run(model));
}

/// x' = A x + b u(t) with u a table; schemes for x_{k+1} with inputs at both ends.
TEST(Discretise, LinearModelsFollowTheirScheme) {
  Source source;
  source.states = {{"a", 1.0}, {"b", -0.5}};
  source.inputs = {{"u", SineSource{.amplitude = 1.0, .frequency = 0.5, .offset = 0.3}}};
  source.equations = {"der(a) = b", "der(b) = -4*a - 0.4*b + u"};
  source.experiment.stop = 5.0;
  const Model model = build(source);
  Eigen::Matrix2d A;
  A << 0, 1, -4, -0.4;
  const Eigen::Vector2d b(0, 1);
  const double h = 0.05;
  const auto u = [&](int k) { return 0.3 + std::sin(M_PI * h * k); };
  for (const DifferenceMethod method : methods) {
    const double theta = weight_of_next(method);
    const Trajectory run = simulate(at_samples(model, h, method));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(run.size(), 101U);
    Eigen::Vector2d x(1.0, -0.5);
    const Eigen::Matrix2d left = Eigen::Matrix2d::Identity() - theta * h * A;
    for (std::size_t k = 0; k < run.size(); ++k) {
      EXPECT_NEAR(run.value(k, run.column("a")), x[0], 2e-13) << theta << " " << k;
      EXPECT_NEAR(run.value(k, run.column("b")), x[1], 2e-13);
      const int i = static_cast<int>(k);
      const Eigen::Vector2d right = x + (1 - theta) * h * (A * x + b * u(i)) + theta * h * b * u(i + 1);
      x = left.partialPivLu().solve(right);
    }
  }
}

/// x' = −x² + y, 0 = y·(1 + x) − 1: the error at the end falls with the order of the scheme.
TEST(Discretise, ErrorsFallWithTheOrder) {
  Source source;
  source.states = {{"x", 2.0}};
  source.algebraic = {{"y", 0.3}};
  source.equations = {"der(x) = -x^2 + y", "y*(1 + x) = 1"};
  source.experiment.stop = 2.0;
  source.experiment.rtol = source.experiment.atol = 1e-12;
  source.experiment.output_interval = 1.0;
  const Model model = build(source);
  const Trajectory exact = simulate(model);
  const double reference = exact.value(exact.size() - 1, exact.column("x"));
  for (const DifferenceMethod method : methods) {
    const auto error = [&](double h) {
      const Trajectory run = simulate(at_samples(model, h, method));
      EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      return std::abs(run.value(run.size() - 1, run.column("x")) - reference);
    };
    const double order = std::log2(error(0.02) / error(0.01));
    EXPECT_NEAR(order, method == DifferenceMethod::trapezoidal ? 2.0 : 1.0, 0.1);
  }
}

/// f of the discrete model at (ξ⁺, ξ) is f of the continuous one at (ẋ, x), in every row of it.
TEST(Discretise, ThereAndBackIsTheSameFunction) {
  Source source;
  source.states = {{"a", 0.3}, {"b", 1.0}};
  source.inputs = {{"u", Number(0.7)}};
  source.algebraic = {{"y", 0.1}};
  source.binaries = {{"z"}};
  source.equations = {"(1 + a)*der(a) + b*y*der(b) = u - a", "der(b) + der(a)*b*z = -b + u*y",
                      "y = a*b + 0.5*z"};
  source.constraints = {"(1 - 2*z)*(der(a)*b - u) <= 0"};
  const Model model = build(source);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  const double Ts = 0.25;
  for (const DifferenceMethod method : methods) {
    const double theta = weight_of_next(method);
    const Model there = at_samples(model, Ts, method);
    EXPECT_TRUE(there.is_discrete());
    const Model back = make_continuous(there, method, points_of_run(there, {.times = {0.0}}).back().v);
    EXPECT_FALSE(back.is_discrete());
    ASSERT_EQ(back.signature.n(), 2);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(back.x_start[i], model.x_start[i], 1e-14);
    const auto evaluate = [](const Model& of, const std::vector<double>& v) {
      std::vector<double> values;
      const RowMap f(of.f()), g(of.g());
      for (int row = 0; row < 3; ++row) values.push_back(f.value(row, v));
      values.push_back(g.value(0, v));
      return values;
    };
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> v(at(model.signature.size()));
      for (double& entry : v) entry = number(random);
      v.back() = trial % 2;
      const auto value = [&](const std::string& name) { return v[at(*model.signature.find(name))]; };
      // Values of all signals of the other models that belong to the same point.
      const auto point_of = [&](const Model& other) {
        const Signature& s = other.signature;
        std::vector<double> w(at(s.size()), 0.0);
        for (int row = 0; row < s.size(); ++row) {
          const std::string name = s.row_name(row);
          double& entry = w[at(row)];
          for (int i = 0; i < 2; ++i) {
            const std::string state = model.signature.states()[at(i)].name;
            const double rate = v[at(i)], x = value(state);
            const double held = x - theta * Ts * rate;
            if (name == "der(" + state + ")" || name == state + ".rate") entry = rate;
            if (name == state + ".held") entry = held;
            if (name == state + ".held.now") entry = held;
            if (name == "next(" + state + ".held)" || name == "next(" + state + ")" ||
                name == state + ".held.next" || name == state + ".next")
              entry = held + Ts * rate;
            if (name == state || name == state + ".now" || name == state + ".copy") entry = x;
          }
          if (name == "u" || name == "y" || name == "z") entry = value(name);
        }
        return w;
      };
      const std::vector<double> expected = evaluate(model, v);
      for (const Model* other : {&there, &back}) {
        const std::vector<double> found = evaluate(*other, point_of(*other));
        for (std::size_t row = 0; row < expected.size(); ++row)
          EXPECT_NEAR(found[row], expected[row], 1e-12) << theta << " row " << row;
      }
    }
  }
}

/// Negative control and refusals.
TEST(Discretise, RefusesWhatItCannotDo) {
  Source source;
  source.states = {{"x", 1.0}};
  source.equations = {"der(x) = -x"};
  const Model model = build(source);
  const std::vector<double> start = {-1.0, 1.0};
  EXPECT_THROW(static_cast<void>(discretise(model, 0.0, DifferenceMethod::trapezoidal, start)),
               InvalidOption);
  EXPECT_THROW(static_cast<void>(discretise(model, 0.1, DifferenceMethod::trapezoidal, {})), InvalidOption);
  EXPECT_THROW(static_cast<void>(make_continuous(model, DifferenceMethod::trapezoidal, start)), InvalidModel);
  const Model discrete = discretise(model, 0.1, DifferenceMethod::trapezoidal, start);
  EXPECT_THROW(static_cast<void>(discretise(discrete, 0.1, DifferenceMethod::trapezoidal, start)),
               InvalidModel);
  // The inverse of another method is another model.
  const Model other = make_continuous(discrete, DifferenceMethod::backward_euler,
                                      points_of_run(discrete, {.times = {0.0}}).back().v);
  EXPECT_NE(other.signature.states()[0].name, "x");
}

}  // namespace discretise_test
}  // namespace mti::test
