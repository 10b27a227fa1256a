// Runs of models of discrete time against recurrences, matrix powers and brute force written here.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <bit>
#include <cmath>
#include <random>
#include <stop_token>

#include "mti/build/build.hpp"
#include "solvers/linearization/linearize.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace discrete_simulation_test {

/// A source of discrete time with Ts = 1 that runs from 0 to `stop`.
Source discrete(double stop) {
  Source source;
  source.sample_time = 1.0;
  source.experiment.stop = stop;
  return source;
}

double at(const Trajectory& run, std::size_t row, const char* name) {
  return run.value(row, run.column(name));
}

TEST(DiscreteSimulation, PowersOfAMatrix) {
  Source source = discrete(200.0);
  source.states = {{"a", 1.0}, {"b", -2.0}, {"c", 0.5}};
  source.inputs = {{"u", SineSource{.amplitude = 1.0, .frequency = 0.03}}};
  source.algebraic = {{"y"}};
  source.equations = {"next(a) = 0.9*a + 0.2*b + u", "next(b) = -0.3*a + 0.8*b - 0.1*c", "y = a - b + 2*u",
                      "next(c) = 0.5*c + 0.25*y"};
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  ASSERT_EQ(run.size(), 201U);
  Eigen::Matrix3d A;
  A << 0.9, 0.2, 0.0, -0.3, 0.8, -0.1, 0.25, -0.25, 0.5;
  const Eigen::Vector3d b(1.0, 0.0, 0.5);
  Eigen::Vector3d x(1.0, -2.0, 0.5);
  for (std::size_t k = 0; k < run.size(); ++k) {
    const double u = std::sin(2.0 * M_PI * 0.03 * static_cast<double>(k));
    EXPECT_EQ(run.side(k), 0);
    EXPECT_EQ(run.time(k), static_cast<double>(k));
    EXPECT_NEAR(at(run, k, "a"), x[0], 1e-12);
    EXPECT_NEAR(at(run, k, "b"), x[1], 1e-12);
    EXPECT_NEAR(at(run, k, "c"), x[2], 1e-12);
    EXPECT_NEAR(at(run, k, "y"), x[0] - x[1] + 2.0 * u, 1e-12);
    x = A * x + b * u;
  }
}

/// x⁺ + x⁺·w = x + 1 with w = x⁺: a step of its own nonlinear equation, x⁺ = (−1 + √(5 + 4x))/2.
TEST(DiscreteSimulation, NonlinearStepIsSolvedToRounding) {
  Source source = discrete(50.0);
  source.states = {{"x", 3.0}};
  source.equations = {"next(x) + next(x)^2 = x + 1"};
  const Trajectory run = simulate(build(source), {.rtol = 1e-2, .atol = 1e-2});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  long double x = 3.0L;
  for (std::size_t k = 0; k < run.size(); ++k) {
    EXPECT_NEAR(at(run, k, "x"), static_cast<double>(x), 1e-14);
    x = (-1.0L + std::sqrt(5.0L + 4.0L * x)) / 2.0L;
  }
}

TEST(DiscreteSimulation, RememberedBinariesAreThoseOfTheSampleBefore) {
  Source source = discrete(20.0);
  source.states = {{"n"}};
  source.inputs = {{.name = "push",
                    .form = TableSource{{0.0, 3.0, 5.0, 11.0, 12.0}, {0.0, 1.0, 0.0, 1.0, 0.0}, {}},
                    .binary = true}};
  // A toggle on every sample, a latch that push sets, and how often it rose.
  source.binaries = {{"toggle", 1.0}, {"latch"}, {"rose"}};
  source.equations = {"toggle = 1 - pre(toggle)", "latch = push + pre(latch) - push*pre(latch)",
                      "rose = latch*(1 - pre(latch))", "next(n) = n + rose"};
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  ASSERT_EQ(run.size(), 21U);
  for (std::size_t k = 0; k < run.size(); ++k) {
    EXPECT_EQ(at(run, k, "toggle"), k % 2 == 0 ? 0.0 : 1.0);
    EXPECT_EQ(at(run, k, "latch"), k >= 3 ? 1.0 : 0.0);
    EXPECT_EQ(at(run, k, "rose"), k == 3 ? 1.0 : 0.0);
    EXPECT_EQ(at(run, k, "n"), k >= 4 ? 1.0 : 0.0);
  }
  // One entry for a sample; those at which push changed say so.
  ASSERT_EQ(run.events.size(), 21U);
  EXPECT_EQ(run.events[0].kind, EventKind::initial);
  for (std::size_t k = 1; k < run.events.size(); ++k)
    EXPECT_EQ(run.events[k].kind,
              k == 3 || k == 5 || k == 11 || k == 12 ? EventKind::input : EventKind::switch_mode);
}

/// A jump of a table at k·Ts counts at that sample, however k·Ts is rounded.
TEST(DiscreteSimulation, TablesJumpAtTheirSample) {
  const double Ts = 0.1;
  for (const int jump : {3, 6, 7, 12, 29, 43, 100}) {
    Source source = discrete(20.0);
    source.sample_time = Ts;
    // The decimal number that a reader would write, not the product.
    const double time = std::stod(std::to_string(jump / 10) + "." + std::to_string(jump % 10));
    source.inputs = {{"u", TableSource{{0.0, time, time}, {1.0, 1.0, 2.0}, {}}}};
    source.states = {{"x"}};
    source.equations = {"next(x) = u"};
    const Trajectory run = simulate(build(source));
    ASSERT_EQ(run.size(), 201U);
    for (std::size_t k = 0; k + 1 < run.size(); ++k)
      EXPECT_EQ(at(run, k + 1, "x"), static_cast<int>(k) >= jump ? 2.0 : 1.0) << jump << " " << k;
  }
}

/// Values decide, not slopes: at x = 1 exactly the binary stays although x rises.
TEST(DiscreteSimulation, AValueOnTheBoundaryIsInside) {
  Source source = discrete(20.0);
  source.sample_time = 0.1;
  source.experiment.stop = 2.0;
  source.states = {{"x"}};
  source.binaries = {{"z"}};
  source.equations = {"next(x) = x + 0.1"};  // the sum of ten is 1 - 1.1e-16, of eleven above
  source.constraints = {"(1 - 2*z)*(x - 1) <= 0"};
  const Trajectory run = simulate(build(source), {.rtol = 0.5, .atol = 0.5});
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_NEAR(run.events[0].time, 1.1, 1e-12);
}

/// (1 − 2 z_i)·(Σ G x + Σ_{j≠i} H z_j + c_i) ≤ 0: every assignment is tried here in the order of its
/// distance to the last one, then that in which the binary declared first flips first.
TEST(DiscreteSimulation, ChoosesAsBruteForceDoes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  constexpr int n = 2, q = 4, samples = 40;
  int dead_ends = 0, switched = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto draw = [&](int rows, int cols) {
      Eigen::MatrixXd M(rows, cols);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) M(i, j) = number(random);
      return M;
    };
    const Eigen::MatrixXd A = 0.7 * draw(n, n), B = draw(n, q), G = draw(q, n), H = 0.6 * draw(q, q);
    const Eigen::VectorXd b = draw(n, 1), c = draw(q, 1);
    Source source = discrete(samples - 1);
    const auto text = [](double value) { return "(" + std::to_string(value) + ")"; };
    const auto rounded = [](double value) { return std::stod(std::to_string(value)); };
    for (int i = 0; i < n; ++i) {
      source.states.push_back({"x" + std::to_string(i), rounded(b[i])});
      std::string row = "next(x" + std::to_string(i) + ") = " + text(b[i]);
      for (int j = 0; j < n; ++j) row += " + " + text(A(i, j)) + "*x" + std::to_string(j);
      for (int j = 0; j < q; ++j) row += " + " + text(B(i, j)) + "*z" + std::to_string(j);
      source.equations.emplace_back(row);
    }
    for (int i = 0; i < q; ++i) {
      source.binaries.push_back({"z" + std::to_string(i)});
      std::string sum = text(c[i]);
      for (int j = 0; j < n; ++j) sum += " + " + text(G(i, j)) + "*x" + std::to_string(j);
      for (int j = 0; j < q; ++j)
        if (j != i) sum += " + " + text(H(i, j)) + "*z" + std::to_string(j);
      source.constraints.emplace_back("(1 - 2*z" + std::to_string(i) + ")*(" + sum + ") <= 0");
    }
    const Trajectory run = simulate(build(source));

    Eigen::VectorXd x(n);
    for (int i = 0; i < n; ++i) x[i] = rounded(b[i]);
    unsigned z = 0;
    int k = 0;
    for (; k < samples; ++k) {
      int best = -1;
      const auto earlier = [&](unsigned flips, unsigned other) {
        if (std::popcount(flips) != std::popcount(other)) return std::popcount(flips) < std::popcount(other);
        for (int i = 0; i < q; ++i)
          if ((flips >> i & 1U) != (other >> i & 1U)) return (flips >> i & 1U) != 0;
        return false;
      };
      for (unsigned flips = 0; flips < 1U << q; ++flips) {
        const unsigned candidate = z ^ flips;
        bool admissible = true;
        for (int i = 0; i < q; ++i) {
          double s = rounded(c[i]);
          for (int j = 0; j < n; ++j) s += rounded(G(i, j)) * x[j];
          for (int j = 0; j < q; ++j)
            if (j != i && (candidate >> j & 1U) != 0) s += rounded(H(i, j));
          if ((candidate >> i & 1U) != 0 ? s < 0.0 : s > 0.0) admissible = false;
        }
        if (admissible && (best < 0 || earlier(flips, static_cast<unsigned>(best))))
          best = static_cast<int>(flips);
      }
      if (best < 0) break;
      if (best != 0) ++switched;
      z ^= static_cast<unsigned>(best);
      ASSERT_LT(static_cast<std::size_t>(k), run.size()) << run.outcome.message;
      for (int i = 0; i < q; ++i)
        ASSERT_EQ(at(run, static_cast<std::size_t>(k), ("z" + std::to_string(i)).c_str()),
                  (z >> i & 1U) != 0 ? 1.0 : 0.0)
            << "trial " << trial << " sample " << k;
      for (int i = 0; i < n; ++i)
        ASSERT_NEAR(at(run, static_cast<std::size_t>(k), ("x" + std::to_string(i)).c_str()), x[i], 1e-11);
      Eigen::VectorXd next(n);
      for (int i = 0; i < n; ++i) {
        next[i] = rounded(b[i]);
        for (int j = 0; j < n; ++j) next[i] += rounded(A(i, j)) * x[j];
        for (int j = 0; j < q; ++j)
          if ((z >> j & 1U) != 0) next[i] += rounded(B(i, j));
      }
      x = next;
    }
    EXPECT_EQ(run.size(), static_cast<std::size_t>(k));
    if (k < samples) {
      ++dead_ends;
      EXPECT_EQ(run.outcome.kind, k == 0 ? OutcomeKind::no_consistent_start : OutcomeKind::dead_end);
    }
  }
  EXPECT_GT(dead_ends, 0);
  EXPECT_GT(switched, 100);
}

TEST(DiscreteSimulation, StepsThatAreNotDeterminedSaySo) {
  Source implicit = discrete(5.0);
  implicit.states = {{"x", 1.0}, {"w"}};
  implicit.equations = {"next(w) = x", "0 = x - 1"};
  const Trajectory run = simulate(build(implicit));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(run.outcome.message.find("next(x)"), std::string::npos) << run.outcome.message;
  EXPECT_NE(run.outcome.message.find("eq2"), std::string::npos) << run.outcome.message;

  Source growing = discrete(5000.0);
  growing.states = {{"x", 1.0}};
  growing.equations = {"next(x) = -2*x"};
  const Trajectory overflow = simulate(build(growing));
  EXPECT_EQ(overflow.outcome.kind, OutcomeKind::solver_failure);
  EXPECT_NE(overflow.outcome.message.find("next(x) is not finite"), std::string::npos);
  EXPECT_EQ(overflow.size(), 1023U);  // next(x) = 2^1023 is the last power that a double holds

  Source ends = discrete(9.0);
  ends.states = {{"x"}};
  ends.equations = {"next(x) = x + 1"};
  ends.constraints = {{"roof", "x - 4.5 <= 0"}};
  const Trajectory dead = simulate(build(ends));
  EXPECT_EQ(dead.outcome.kind, OutcomeKind::dead_end);
  EXPECT_NE(dead.outcome.message.find("roof"), std::string::npos);
  EXPECT_EQ(dead.outcome.end_time, 5.0);
  EXPECT_EQ(dead.size(), 5U);
}

TEST(DiscreteSimulation, OutputsAndStop) {
  Source source = discrete(1.0);
  source.sample_time = 0.1;
  source.states = {{"x", 1.0}};
  source.equations = {"next(x) = x/2"};
  const Model model = build(source);
  const auto times = [&](double interval, double stop) {
    std::vector<double> result;
    const Trajectory run = simulate(model, {.stop = stop, .output_interval = interval});
    for (std::size_t k = 0; k < run.size(); ++k) result.push_back(run.time(k));
    return result;
  };
  EXPECT_EQ(times(0.3, 0.7).size(), 4U);    // 0, 0.3, 0.6 and the last sample
  EXPECT_EQ(times(0.3, 0.9).size(), 4U);    // 0.9 is the last sample
  EXPECT_EQ(times(0.1, 0.99).size(), 10U);  // 0.9 is
  EXPECT_EQ(times(0.1, 0.0).size(), 1U);
  EXPECT_THROW(static_cast<void>(simulate(model, {.output_interval = 0.15})), InvalidOption);
  EXPECT_THROW(static_cast<void>(simulate(model, {.output_interval = 0.05})), InvalidOption);
  const Trajectory listed = simulate(model, {.stop = 0.7, .output_times = {0.0, 0.3, 0.5}});
  ASSERT_EQ(listed.size(), 3U);
  for (const auto& [row, sample] : {std::pair{0U, 0}, {1U, 3}, {2U, 5}}) {
    EXPECT_NEAR(listed.time(row), 0.1 * sample, 1e-15);
    EXPECT_EQ(at(listed, row, "x"), std::ldexp(1.0, -sample));
  }
  EXPECT_NEAR(listed.outcome.end_time, 0.7, 1e-15);
  EXPECT_THROW(static_cast<void>(simulate(model, {.output_times = {0.0, 0.55}})), InvalidOption);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(simulate(model, {.stop_token = stop.get_token()}).outcome.kind, OutcomeKind::interrupted);
}

/// A run that is ended has its samples up to there.
TEST(DiscreteSimulation, EarlyEndsKeepTheSamples) {
  Source source = discrete(1e9);
  source.states = {{"n", 0.0}};
  source.binaries = {{"odd"}};
  source.equations = {"next(n) = n + 1", "odd = 1 - pre(odd)"};
  source.experiment.output_interval = 1e8;
  const Model model = build(source);

  const Trajectory late = simulate(model, {.max_seconds = 0.05, .max_events = 1'000'000'000});
  EXPECT_EQ(late.outcome.kind, OutcomeKind::time_budget);
  std::stop_source stop;
  stop.request_stop();
  const Trajectory interrupted = simulate(model, {.stop_token = stop.get_token()});
  EXPECT_EQ(interrupted.outcome.kind, OutcomeKind::interrupted);
  const Trajectory busy = simulate(model, {.max_events = 5});
  EXPECT_EQ(busy.outcome.kind, OutcomeKind::event_limit);
  EXPECT_EQ(busy.events.size(), 5U);
  for (const Trajectory* run : {&late, &interrupted, &busy}) {
    ASSERT_GE(run->size(), 1U);
    EXPECT_EQ(run->time(run->size() - 1), run->outcome.end_time);
    EXPECT_EQ(at(*run, run->size() - 1, "n"), run->outcome.end_time);
    EXPECT_EQ(run->statistics.steps, static_cast<long>(run->outcome.end_time) + 1);
  }
}

TEST(DiscreteSimulation, EigenvaluesAreOfTheZPlane) {
  Source source = discrete(1.0);
  source.states = {{"x", 1.0}, {"w", 1.0}};
  source.equations = {"next(x) = x/2 + w", "next(w) = -w/4"};
  const Linearization linearization = linearize(build(source), 1.0);
  ASSERT_EQ(linearization.eigenvalues.size(), 2U);
  EXPECT_NEAR(linearization.eigenvalues[0].real(), -0.25, 1e-14);
  EXPECT_NEAR(linearization.eigenvalues[1].real(), 0.5, 1e-14);
  EXPECT_EQ(linearization.time, 1.0);
}

}  // namespace discrete_simulation_test
}  // namespace mti::test
