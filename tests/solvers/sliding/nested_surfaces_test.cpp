// Relays that act on what they switch by only through another relay, whose weight follows.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/solvers/sliding/sliding_queries.hpp"

namespace mti {
namespace nested_surfaces_test {

constexpr double rtol = 1e-9;

/// a' = 2 − 4p, b' = r − 0.4 with p on a + b and r on a, the relays declared in either order.
///
/// From (1, −2), with p = 0 and r = 1, a + b rises by 2.6 from −1 and is zero at t = 5/13. With p sliding a' = −b' = −0.6, so that
/// a = 0 at t = 10/3. There r = 1 moves a down and r = 0 up, by 0.4: both slide from there, p = ½, r = 0.4.
TEST(NestedSurfaces, OfTwoRelays) {
  for (const bool swapped : {false, true}) {
    Source source;
    source.states = {{"a", 1.0}, {"b", -2.0}};
    source.binaries = {{"p"}, {"r", 1.0}};
    if (swapped) std::swap(source.binaries[0], source.binaries[1]);
    source.equations = {"der(a) = 2 - 4*p", "der(b) = r - 0.4"};
    source.constraints = {"(1 - 2*p)*(a + b) <= 0", "(1 - 2*r)*a <= 0"};
    if (swapped) std::swap(source.constraints[0], source.constraints[1]);
    source.experiment.stop = 5.0;
    const Trajectory run = test::run(source, test::with_accuracy(rtol));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    test::expect_kinds(run, 0.0, {{5.0 / 13.0, EventKind::slide_begin}, {10.0 / 3.0, EventKind::slide_begin}},
                       100.0 * rtol);
    for (const double t : {1.0, 3.0, 4.0, 5.0}) {
      const double a = t < 10.0 / 3.0 ? 0.6 * (10.0 / 3.0 - t) : 0.0;
      EXPECT_NEAR(test::recorded(run, "a", t), a, 100.0 * rtol) << t;
      EXPECT_NEAR(test::recorded(run, "b", t), -a, 100.0 * rtol) << t;
      EXPECT_NEAR(test::recorded(run, "p", t), t < 10.0 / 3.0 ? (2.0 + 0.6) / 4.0 : 0.5, 100.0 * rtol) << t;
      EXPECT_NEAR(test::recorded(run, "r", t), t < 10.0 / 3.0 ? 1.0 : 0.4, 100.0 * rtol) << t;
    }
  }
}

/// Where the inner relay pushes a away from zero on both sides, through p, nothing slides on a = 0: it is passed.
TEST(NestedSurfaces, AreNotSlidOnWhereTheInnerRelayPushesAway) {
  Source source;
  source.states = {{"a", 1.0}, {"b", -2.0}};
  source.binaries = {{"p"}, {"r", 1.0}};
  source.equations = {"der(a) = 2 - 4*p", "der(b) = 0.2*r + 0.4"};
  source.constraints = {"(1 - 2*p)*(a + b) <= 0", "(1 - 2*r)*a <= 0"};
  source.experiment.stop = 5.0;
  const Trajectory run = test::run(source, test::with_accuracy(rtol));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // b' = 0.6 up to t = 10/3, then 0.4.
  EXPECT_NEAR(test::recorded(run, "b", 5.0), 0.4 * (5.0 - 10.0 / 3.0), 100.0 * rtol);
  EXPECT_NEAR(test::recorded(run, "a", 5.0), -0.4 * (5.0 - 10.0 / 3.0), 100.0 * rtol);
}

/// x' = A x + d + B (1 − 2z), z_k = [C_k x > 0].
struct Relays {
  Eigen::MatrixXd A, B, C;
  Eigen::VectorXd d, start;

  [[nodiscard]] Source source(double stop) const {
    Source source;
    const auto sum = [](const auto& row, const char* name) {
      std::string text = "0";
      for (Eigen::Index i = 0; i < row.size(); ++i)
        if (row[i] != 0.0) text += " + (" + std::to_string(row[i]) + ")*" + name + std::to_string(i);
      return text;
    };
    for (Eigen::Index i = 0; i < start.size(); ++i) {
      source.states.push_back({"x" + std::to_string(i), start[i]});
      std::string relays;
      for (Eigen::Index k = 0; k < C.rows(); ++k)
        relays += " + (" + std::to_string(B(i, k)) + ")*(1 - 2*z" + std::to_string(k) + ")";
      source.equations.emplace_back("der(x" + std::to_string(i) + ") = " + std::to_string(d[i]) + " + " +
                                    sum(A.row(i), "x") + relays);
    }
    for (Eigen::Index k = 0; k < C.rows(); ++k) {
      const std::string z = "z" + std::to_string(k);
      source.binaries.push_back({z, C.row(k).dot(start) > 0.0 ? 1.0 : 0.0});
      source.constraints.emplace_back("(" + sum(C.row(k), "x") + ")*(1 - 2*" + z + ") <= 0");
    }
    source.experiment.stop = stop;
    return source;
  }

  /// Explicit steps that chatter across the surfaces: off by several h.
  [[nodiscard]] Eigen::VectorXd chattered(double stop, double h) const {
    Eigen::VectorXd x = start;
    const auto steps = static_cast<int>(std::lround(stop / h));
    for (int i = 0; i < steps; ++i) {
      const Eigen::VectorXd z = (C * x).unaryExpr([](double s) { return s > 0.0 ? -1.0 : 1.0; });
      x += h * (A * x + d + B * z);
    }
    return x;
  }
};

/// z0 acts on x0 and holds the sum of all states at zero; z_k, k > 0, acts on x_k alone and has its surface on the sum without
/// x_k, which it moves only through z0.
TEST(NestedSurfaces, MoveAsWhatChattersAcrossThem) {
  std::mt19937 random(20261);
  const auto number = [&](double from, double to) {
    return std::round(100.0 * std::uniform_real_distribution(from, to)(random)) / 100.0;
  };
  constexpr double stop = 3.0;
  int ended = 0;
  constexpr int models = 40;
  for (int i = 0; i < models; ++i) {
    const Eigen::Index n = 2 + i % 2;
    Relays relays{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n),
                  Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
    for (Eigen::Index k = 0; k < n; ++k) {
      relays.start[k] = number(-1.0, 1.0);
      relays.d[k] = number(-0.3, 0.3);
      relays.C(0, k) = 1.0;
      relays.A(k, k) = number(-0.5, 0.0);
    }
    relays.B(0, 0) = 4.0;  // stronger than all others together
    // z_k moves x_k, and through z0 the sum of all others by the opposite.
    for (Eigen::Index k = 1; k < n; ++k) {
      relays.B(k, k) = -number(0.5, 0.9);
      relays.C(k, 0) = 1.0;
      for (Eigen::Index j = 1; j < n; ++j)
        if (j != k) relays.C(k, j) = 1.0;
    }
    const Trajectory run = test::run(relays.source(stop), test::with_accuracy(1e-8));
    if (run.outcome.kind != OutcomeKind::reached_stop) {
      ADD_FAILURE() << "model " << i << ": " << run.outcome.message;
      continue;
    }
    ++ended;
    constexpr double h = 1e-4;
    const Eigen::VectorXd expected = relays.chattered(stop, h);
    for (Eigen::Index k = 0; k < n; ++k)
      EXPECT_NEAR(test::recorded(run, "x" + std::to_string(k), stop), expected[k], 40.0 * h) << "model " << i;
  }
  EXPECT_EQ(ended, models);
}

}  // namespace nested_surfaces_test
}  // namespace mti
