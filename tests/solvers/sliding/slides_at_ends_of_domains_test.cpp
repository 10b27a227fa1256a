#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// Friction and drag on one body, and other motions that slide where a root or a power has its zero.
namespace mti {
namespace slides_at_ends_of_domains_test {

/// ∫₀¹ g(v) dv with v = w³, which leaves no root at 0: Simpson's rule.
double integral(const std::function<double(double)>& g) {
  constexpr int parts = 4000;
  const auto of_w = [&](double w) { return g(w * w * w) * 3.0 * w * w; };
  double sum = of_w(0.0) + of_w(1.0);
  for (int i = 1; i < parts; ++i) sum += (i % 2 == 0 ? 2.0 : 4.0) * of_w(static_cast<double>(i) / parts);
  return sum / (3.0 * parts);
}

struct Drag {
  std::string text;
  double power;
};

class DragAndFriction : public testing::TestWithParam<double> {};

/// v' = −0.5 sgn v − 0.3 sgn v·|v|^p comes to rest at t = ∫ dv/(0.5 + 0.3 v^p), at x = ∫ v dv/(0.5 + 0.3 v^p), and friction then carries
/// what a force asks for.
TEST_P(DragAndFriction, BringABodyToRest) {
  const double p = GetParam();
  const auto slope = [&](double v) { return 0.5 + 0.3 * std::pow(v, p); };
  const double t = integral([&](double v) { return 1.0 / slope(v); }),
               x = integral([&](double v) { return v / slope(v); });
  std::vector<std::string> texts = {"0.3*sign(v)*abs(v)^p"};
  if (p == 0.5) texts.push_back("0.3*sign(v)*sqrt(abs(v))");
  for (const std::string& text : texts)
    for (const double accuracy : {1e-4, 1e-6, 1e-9}) {
      SCOPED_TRACE(text + ", " + std::to_string(p) + ", " + std::to_string(accuracy));
      Source source;
      source.parameters = {{"p", p}};
      source.states = {{"v", 1.0}, {"x"}, {"F"}};
      source.equations = {"der(x) = v", "der(v) = F - 0.5*sign(v) - " + text, "der(F) = max(time - 3, 0)"};
      source.experiment.stop = 3.5;
      const Trajectory run = test::run(source, test::with_accuracy(accuracy));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      ASSERT_FALSE(run.events.empty());
      EXPECT_NEAR(run.events.front().time, t, 100.0 * accuracy);
      EXPECT_EQ(run.events.front().kind, EventKind::slide_begin);
      EXPECT_NEAR(test::last(run, "x"), x, 100.0 * accuracy);
      EXPECT_NEAR(test::last(run, "v"), 0.0, accuracy);
      EXPECT_NEAR(test::last(run, "v.sign"), 0.5 + 0.125, 100.0 * accuracy);  // 2·ζ − 1 = F/0.5
    }
}

INSTANTIATE_TEST_SUITE_P(Powers, DragAndFriction, testing::Values(0.5, 0.9, 1.0, 1.5, 1.852, 2.0, 2.5),
                         [](const auto& instance) {
                           return "p" +
                                  std::to_string(static_cast<int>(std::lround(1000.0 * instance.param)));
                         });

/// From rest the body follows a force that grows beyond the friction: v' = (t − 0.5) − 0.3 v^1.5, by RK4 in small steps.
TEST(DragAndFriction, LetABodyGo) {
  const auto slope = [](double t, double v) { return t - 0.5 - 0.3 * std::pow(std::max(v, 0.0), 1.5); };
  double t = 0.5, v = 0.0;
  constexpr int steps = 20000;
  const double h = 1.5 / steps;
  for (int i = 0; i < steps; ++i, t += h) {
    const double a = slope(t, v), b = slope(t + h / 2, v + h / 2 * a), c = slope(t + h / 2, v + h / 2 * b),
                 d = slope(t + h, v + h * c);
    v += h / 6 * (a + 2 * b + 2 * c + d);
  }
  for (const double accuracy : {1e-4, 1e-6, 1e-9}) {
    Source source;
    source.states = {{"v", -0.1}};
    source.equations = {"der(v) = time - 0.5*sign(v) - 0.3*sign(v)*abs(v)^1.5"};
    source.experiment.stop = 2.0;
    const Trajectory run = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(test::last(run, "v"), v, 100.0 * accuracy);
  }
}

/// A level is held at the crest of a weir: pump on below, off above.
TEST(Weir, ALevelIsHeldAtItsCrest) {
  for (const char* overflow : {"max(h - 0.5, 0)^1.5", "sqrt(max(h - 0.5, 0))", "sqrt(abs(h - 0.5))"}) {
    Source source;
    source.states = {{"h", 0.4}};
    source.equations = {"der(h) = (if h < 0.5 then 0.5 else 0) - 0.1 - 0.2*" + std::string(overflow)};
    source.experiment.stop = 5.0;
    const Trajectory run = test::run(source, test::with_accuracy(1e-7));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << overflow << ": " << run.outcome.message;
    EXPECT_EQ(run.events.back().kind, EventKind::slide_begin) << overflow;
    EXPECT_NEAR(test::last(run, "h"), 0.5, 1e-6) << overflow;
  }
}

}  // namespace slides_at_ends_of_domains_test
}  // namespace mti
