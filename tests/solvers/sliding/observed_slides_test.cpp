#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// Laws and clocks at instants at which a mode slides: what only looks on changes no motion, and what moves states moves
/// no others. Tolerances are those of states, 50·rtol·(largest |x| + 1).
namespace mti {
namespace observed_slides_test {

using test::expect_course;

/// x' = a − b z, w' = c z (1 + d w) − e w from x = −1, z = [x ≥ k w].
///
/// On the surface a − b θ = k (c θ (1 + d w) − e w), so θ = (a + k e w)/(b + k c (1 + d w)).
struct TwoStates {
  double a, b, c, d, e, k, w;  ///< w: at the start

  [[nodiscard]] double theta(double at_w) const {
    return (a + k * e * at_w) / (b + k * c * (1.0 + d * at_w));
  }
  [[nodiscard]] double slope(double at_w) const { return c * theta(at_w) * (1.0 + d * at_w) - e * at_w; }
  /// w at the end by the classical method of Runge and Kutta, from where −1 + a t = k w e^(−e t) on.
  [[nodiscard]] double w_at(double end) const {
    const double begin =
        test::zero([&](double t) { return a * t - 1.0 - k * w * std::exp(-e * t); }, 0.0, 10.0);
    double y = w * std::exp(-e * begin);
    constexpr int steps = 4000;
    const double h = (end - begin) / steps;
    for (int i = 0; i < steps; ++i) {
      const double k1 = slope(y), k2 = slope(y + 0.5 * h * k1), k3 = slope(y + 0.5 * h * k2),
                   k4 = slope(y + h * k3);
      y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return y;
  }
  [[nodiscard]] Source source() const {
    Source source;
    for (const auto& [name, value] : {std::pair("a", a), {"b", b}, {"c", c}, {"d", d}, {"e", e}, {"k", k}})
      source.parameters.push_back({name, value});
    source.states = {{"x", -1.0}, {"w", w}};
    source.binaries = {{"z"}};
    source.equations = {"der(x) = a - b*z", "der(w) = c*z*(1 + d*w) - e*w"};
    source.constraints = {"(1 - 2*z)*(x - k*w) <= 0"};
    source.experiment = {.stop = 20.0, .output_interval = Number(0.5)};
    return source;
  }
};

TwoStates random_states(unsigned seed) {
  std::mt19937_64 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  return {between(0.8, 1.2),  between(2.2, 2.8), between(0.2, 0.5), between(0.5, 1.0),
          between(0.25, 0.4), between(0.4, 0.8), between(0.2, 1.0)};
}

void add_counter(Source& source) {
  source.states.push_back({"n"});
  source.inputs.push_back({.name = "u", .form = PulseSource{.period = 0.3}, .binary = true});
  source.binaries.push_back({"pulse"});
  source.equations.insert(source.equations.end(), {"der(n) = 0", "pulse = u"});
  source.transitions = {{"rise(pulse)", {}, {"n = pre(n) + 1"}}};
}

void add_samples(Source& source) {
  source.clocks = {{.name = "clock", .period = 0.1}};
  source.states.push_back({"seen"});
  source.equations.emplace_back("next(seen) = x");
}

TEST(ObservedSlides, GoOnAsIfNobodyLookedOn) {
  for (unsigned seed = 0; seed < 6; ++seed)
    for (const double accuracy : {1e-4, 1e-7, 1e-10}) {
      const TwoStates states = seed == 0 ? TwoStates{1.1, 2.0, 0.5, 1.0, 0.3, 0.7, 1.0} : random_states(seed);
      const double w = states.w_at(20.0), tolerance = 50.0 * accuracy * (1.0 + std::abs(w));
      for (const int observers : {0, 1, 2, 3}) {
        Source source = states.source();
        if ((observers & 1) != 0) add_counter(source);
        if ((observers & 2) != 0) add_samples(source);
        const Trajectory run = test::run(source, test::with_accuracy(accuracy));
        const std::string which = "seed " + std::to_string(seed) + ", observers " + std::to_string(observers);
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << which << ": " << run.outcome.message;
        EXPECT_NEAR(test::last(run, "w"), w, tolerance) << which;
        EXPECT_NEAR(test::last(run, "x"), states.k * w, tolerance) << which;
        EXPECT_NEAR(test::last(run, "z"), states.theta(w), tolerance) << which;
        for (const Event& event : run.events) {
          EXPECT_NE(to_string(event.kind), to_string(EventKind::slide_end)) << which;
          for (const Change& jump : event.jumps) EXPECT_GE(jump.row, 4) << which;  // neither x nor w
        }
        if ((observers & 1) != 0) {
          EXPECT_EQ(test::last(run, "n"), 67.0) << which;  // at 0, 0.3, …, 19.8
        }
        if ((observers & 2) != 0) {
          EXPECT_NEAR(test::last(run, "seen"), states.k * w, tolerance) << which;
        }
      }
    }
}

/// x' = 1.1 − 2 z, w' = 0.2 − 0.1 w, z = [x ≥ 0.7 w]: w = 2 − e^(−t/10). A law at t = 10.
Source with_law(bool reach, std::vector<std::string> law) {
  Source source;
  source.states = {{"x", -1.0}, {"w", 1.0}, {"t"}};
  source.binaries = {{"z"}, {"b"}};
  source.equations = {"der(x) = 1.1 - 2*z", "der(w) = 0.2 - 0.1*w", "der(t) = 1", "b = u"};
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 10.0}, {0.0, 1.0}}, .binary = true}};
  source.constraints = {"(1 - 2*z)*(x - 0.7*w) <= 0", {"late", "t - 10 <= 0"}};
  if (!reach) source.constraints.pop_back();
  if (reach) law.emplace_back("t = 0");
  source.transitions = {{reach ? "reach(late)" : "rise(b)", {}, law}};
  source.experiment = {.stop = 12.0, .output_interval = Number(0.125)};
  return source;
}

/// Weights have no impulses, so that x stays where it is when w jumps, and comes back to the surface later.
TEST(ObservedSlides, LawsMoveNoOtherStatesOntoTheSurface) {
  for (const bool reach : {false, true})
    for (const double accuracy : test::sliding_accuracies) {
      const Trajectory run = test::run(with_law(reach, {"w = 0.5"}), test::with_accuracy(accuracy));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const double tolerance = 150.0 * accuracy, x_at_10 = 0.7 * (2.0 - std::exp(-1.0));
      const auto w = [](double t) { return 2.0 - 1.5 * std::exp(-0.1 * (t - 10.0)); };
      const auto falls = [&](double t) { return x_at_10 - 0.9 * (t - 10.0); };
      const double back = test::zero([&](double t) { return falls(t) - 0.7 * w(t); }, 10.0, 12.0);
      for (const double t : {10.125, 10.5, 10.75, 11.0, 12.0}) {
        EXPECT_NEAR(test::recorded(run, "w", t), w(t), tolerance) << t;
        EXPECT_NEAR(test::recorded(run, "x", t), t < back ? falls(t) : 0.7 * w(t), tolerance) << t;
      }
      EXPECT_EQ(std::ranges::count(run.events, EventKind::slide_begin, &Event::kind), 2);
    }
}

/// A law that leads along the surface does not end the slide.
TEST(ObservedSlides, LawsMayLeadAlongTheSurface) {
  for (const bool reach : {false, true})
    for (const double accuracy : test::sliding_accuracies) {
      const Trajectory run =
          test::run(with_law(reach, {"w = pre(w)/2", "x = pre(x)/2"}), test::with_accuracy(accuracy));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const auto w = [](double t) {
        return t < 10.0 ? 2.0 - std::exp(-0.1 * t)
                        : 2.0 - (1.0 + 0.5 * std::exp(-1.0)) * std::exp(-0.1 * (t - 10.0));
      };
      for (const double t : {9.875, 10.125, 11.0, 12.0}) {
        EXPECT_NEAR(test::recorded(run, "w", t), w(t), 150.0 * accuracy) << t;
        EXPECT_NEAR(test::recorded(run, "x", t), 0.7 * w(t), 150.0 * accuracy) << t;
      }
      EXPECT_EQ(std::ranges::count(run.events, EventKind::slide_begin, &Event::kind), 1);
      EXPECT_EQ(std::ranges::count(run.events, EventKind::slide_end, &Event::kind), 0);
    }
}

/// A binary that is an output of what slides goes along, also where the equation says so by the name of an algebraic signal.
TEST(ObservedSlides, OutputsGoAlongByAnyName) {
  const TwoStates states{1.1, 2.0, 0.5, 1.0, 0.3, 0.7, 1.0};
  for (const double accuracy : test::sliding_accuracies) {
    Source source = states.source();
    source.constraints.clear();
    source.algebraic = {{"met"}, {"part"}};
    source.equations.insert(source.equations.end(), {"met = (x - k*w > 0)", "z = met", "part = 2*met - z"});
    const Trajectory run = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const double w = states.w_at(20.0), tolerance = 50.0 * accuracy * (1.0 + w);
    EXPECT_NEAR(test::last(run, "w"), w, tolerance);
    for (const char* const name : {"z", "met", "part"})
      EXPECT_NEAR(test::last(run, name), states.theta(w), tolerance) << name;
  }
}

/// x' = 1 − 2 z₁ and w' = 1 − 3 z₂ slide on 0 with θ₁ = 1/2 and θ₂ = 1/3 from the instant on at which both arrive there. What outputs
/// remember of them goes along as they do: products of different surfaces multiply, whether at once or by pre(z).
TEST(ObservedSlides, OutputsOfTwoSurfacesGoAlongWithWhatTheyRemember) {
  struct Case {
    std::vector<RelationSource> equations;
    double q;
  };
  constexpr double x = 1.0 / 2.0, w = 1.0 / 3.0;
  const std::vector<Case> cases = {
      {{"q = z1*z2", "p = z1"}, x * w},
      {{"q = z1*pre(z2)", "p = z1"}, x * w},
      {{"q = p*pre(z2)", "p = 1 - z1"}, (1.0 - x) * w},
      {{"q = z1*pre(p)", "p = 1 - z2"}, x * (1.0 - w)},
      {{"q = pre(p)", "p = z1*pre(z2)"}, x * w},
      {{"q = pre(p)*z1", "p = z1*pre(z2)"}, x * w},
      {{"q = pre(p)", "p = z1 + pre(z2) - 2*z1*pre(z2)"}, x + w - 2.0 * x * w},
      {{"q = pre(z1) + pre(z2) - pre(z1)*pre(z2)", "p = pre(q)"}, x + w - x * w}};
  for (const double start : {1.0, 0.75, -0.5})
    for (const Case& each : cases) {
      Source source;
      // z = 1 where a state is above its surface: x comes down, or up, at the rate 1, w at the rate 2 or 1.
      source.states = {{"x", start < 0.0 ? start : 0.5}, {"w", start}};
      source.binaries = {{"z1"}, {"z2"}, {"q"}, {"p"}};
      source.equations = {"der(x) = 1 - 2*z1", "der(w) = 1 - 3*z2"};
      source.equations.insert(source.equations.end(), each.equations.begin(), each.equations.end());
      source.constraints = {"x*(1 - 2*z1) <= 0", "w*(1 - 2*z2) <= 0"};
      source.experiment = {.stop = 2.0};
      const Trajectory run = test::run(source);
      const std::string what = each.equations[0].text + ", " + each.equations[1].text;
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << what << run.outcome.message;
      EXPECT_NEAR(test::last(run, "q"), each.q, 1e-9) << what;
      EXPECT_NEAR(test::last(run, "x"), 0.0, 1e-9) << what;
      EXPECT_NEAR(test::last(run, "w"), 0.0, 1e-9) << what;
      EXPECT_TRUE(run.warnings.empty()) << what;
    }
}

}  // namespace observed_slides_test
}  // namespace mti
