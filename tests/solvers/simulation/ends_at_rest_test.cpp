// Functions that rest at the ends of their domains, and what goes on beside them: against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace ends_at_rest_test {

struct Texts {
  std::vector<StateSource> states;
  std::vector<std::string> algebraic, equations, constraints;
};

Trajectory run_of(const Texts& texts, double stop, double rtol = 1e-8) {
  Source source;
  source.states = texts.states;
  for (const std::string& name : texts.algebraic) source.algebraic.push_back({name});
  for (const std::string& text : texts.equations) source.equations.emplace_back(text);
  for (const std::string& text : texts.constraints) source.constraints.emplace_back(text);
  SimulationOptions options = test::with_accuracy(rtol);
  options.stop = stop;
  return simulate(build(source), options);
}

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

TEST(EndsAtRest, ADeadEndBesideAFunctionAtRestIsOne) {
  const std::vector<std::pair<StateSource, std::string>> resting = {
      {{"b", -1.0}, "der(b) = 0, p = pos(b)^1.5"},
      {{"b", -1.0}, "der(b) = 0, p = sqrt(max(b, 0))"},
      {{"b", 0.25}, "der(b) = -p, p = sqrt(max(b, 0))"},  // empty at t = 1
      {{"b", 0.25}, "der(b) = -p, p = sqrt(b)"}};
  for (const double rtol : {1e-4, 1e-6, 1e-9})
    for (const auto& [state, equations] : resting) {
      const std::size_t comma = equations.find(',', equations.find('='));
      const Texts texts{{{"x", 0.0}, state},
                        {"p"},
                        {"der(x) = 1", equations.substr(0, comma), equations.substr(comma + 2)},
                        {"x <= 3"}};
      const Trajectory run = run_of(texts, 8.0, rtol);
      EXPECT_EQ(run.outcome.kind, OutcomeKind::dead_end) << equations << ": " << run.outcome.message;
      EXPECT_NEAR(run.outcome.end_time, 3.0, 10.0 * rtol * 8.0) << equations;
    }
}

TEST(EndsAtRest, AStartThatNoModeAllowsIsNone) {
  const Texts texts{
      {{"x", 2.0}, {"b", -1.0}}, {"p"}, {"der(x) = 1", "der(b) = 0", "p = pos(b)^1.5"}, {"x <= 1"}};
  EXPECT_EQ(run_of(texts, 3.0).outcome.kind, OutcomeKind::no_consistent_start);
}

/// x' = 0.3 up to x = 0 at t = 0.2, x' = 0.3 − φ(x)/10 beyond, beside f = 0 with f' = −0.7 − f + v; by Runge and Kutta.
TEST(EndsAtRest, ABranchIsEnteredBesideADifferentiatedEquation) {
  using Function = std::function<double(double)>;
  const std::vector<std::pair<std::string, Function>> functions = {
      {"sqrt(x + 1)", [](double x) { return std::sqrt(x + 1.0); }},
      {"log(x + 2)", [](double x) { return std::log(x + 2.0); }},
      {"(x + 1)^0.7", [](double x) { return std::pow(x + 1.0, 0.7); }},
      {"exp(x)", [](double x) { return std::exp(x); }}};
  for (const auto& [text, phi] : functions) {
    const Texts texts{
        {{"x", -0.06}, {"f", 0.0}},
        {"q", "v"},
        {"der(f) = -0.7 - f + v", "f = 0", "q = (if x > 0 then 0.1*" + text + " else 0)", "der(x) = 0.3 - q"},
        {}};
    const Trajectory run = run_of(texts, 1.2);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << text << ": " << run.outcome.message;
    constexpr int steps = 1000;
    constexpr double h = 1.0 / steps;
    const auto rate = [&phi = phi](double x) { return 0.3 - 0.1 * phi(x); };
    double x = 0.0;
    for (int i = 0; i < steps; ++i) {
      const double k1 = rate(x), k2 = rate(x + 0.5 * h * k1), k3 = rate(x + 0.5 * h * k2),
                   k4 = rate(x + h * k3);
      x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    EXPECT_NEAR(last(run, "x"), x, 1e-7) << text;
    EXPECT_NEAR(last(run, "v"), 0.7, 1e-7) << text;
  }
}

/// Water at the height h above the crest c flows over it, q = (h − c)^1.5, and carries heat that is told upwind.
///
///     h' = −a − q,  T' = q (1 − T):   t(h) = ∫ dh/(a + q),   ∫ q dt = h₀ − h − a t,   T = 1 − exp(−∫ q dt)
TEST(EndsAtRest, AWeirWhoseFlowDecidesRunsDry) {
  constexpr double a = 0.2;
  constexpr int parts = 2000;  // of Simpson's rule, with h − c = s²
  const auto integrand = [](double s) { return 2.0 * s / (a + s * s * s); };
  const double step = std::sqrt(0.5) / parts;
  double dry = 0.0;
  for (int i = 0; i < parts; ++i)
    dry += step / 6.0 * (integrand(i * step) + 4.0 * integrand((i + 0.5) * step) + integrand((i + 1) * step));
  const double carried = 0.5 - a * dry;
  for (const std::string heat : {"pos(q)*(1 - T)", "neg(-q)*(1 - T)", "if q > 0 then q*(1 - T) else 0"})
    for (const double rtol : {1e-5, 1e-8}) {
      const Texts texts{{{"h", 1.0}, {"T", 0.0}},
                        {"q"},
                        {"q = pos(h - 0.5)^1.5", "der(h) = -0.2 - q", "der(T) = " + heat},
                        {}};
      const Trajectory run = run_of(texts, 3.0, rtol);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << heat << ": " << run.outcome.message;
      EXPECT_NEAR(last(run, "h"), 0.5 - a * (3.0 - dry), 30.0 * rtol) << heat;
      EXPECT_NEAR(last(run, "T"), 1.0 - std::exp(-carried), 30.0 * rtol) << heat;
    }
}

/// h = 0.2 + 0.777 exp(−0.4 t) passes the crest of a weir. With the overflow at 1.787 h would jump there, by an impulse w below 0, which
/// w ≥ 0 forbids; that T·w is then a product of an impulse and what jumps itself says nothing against the mode without it.
TEST(EndsAtRest, AnImpulseThatIsForbiddenRefusesNothing) {
  Source source;
  source.states = {{"h", 0.977}, {"T", 74.0}};
  source.algebraic = {{"q"}, {"w"}};
  source.binaries = {{"f"}};
  source.equations = {"q = pos(h - 0.536)^1.5", "f*(h - 1.787) + (1 - f)*w = 0", "der(h) = 0.4*(0.2 - h) - w",
                      "der(T) = -w*T"};
  source.constraints = {"h <= 1.787", "w >= 0"};
  SimulationOptions options = test::with_accuracy(1e-8);
  options.stop = 5.0;
  const Trajectory run = test::run(source, options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "h"), 0.2 + 0.777 * std::exp(-2.0), 1e-7);
  EXPECT_NEAR(last(run, "T"), 74.0, 1e-6);
  EXPECT_EQ(last(run, "q"), 0.0);
}

/// Where h passes 0 the root ends on either side; an oscillator beside it, x' = 100 v, v' = −100 x, hears nothing of that.
TEST(EndsAtRest, WhatHasNothingToDoWithAnEndIsLeftAlone) {
  for (const std::string law : {"sign(h)*sqrt(abs(h))", "h*sqrt(abs(h))", "sign(h)*abs(h)^1.852"})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      const Texts texts{{{"h", -1.0}, {"x", 1.0}, {"v", 0.0}},
                        {"q"},
                        {"der(h) = 1", "q = " + law, "der(x) = 100*v", "der(v) = -100*x"},
                        {}};
      const Trajectory run = run_of(texts, 20.0, rtol);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << law << ": " << run.outcome.message;
      EXPECT_NEAR(std::hypot(last(run, "x"), last(run, "v")), 1.0, 100.0 * rtol) << law << ", " << rtol;
      EXPECT_NEAR(last(run, "h"), 19.0, 100.0 * rtol) << law;
    }
}

/// A pipe of Hazen and Williams that turns twice a second, beside a state that is tied: q' = 6 cos 2πt is told back and forth.
TEST(EndsAtRest, FlowsTurnAgainSoonAndBesideTiedStates) {
  for (const double rtol : {1e-4, 1e-6}) {
    const Texts texts{{{"q", 0.0}, {"p", 0.0}},
                      {"y"},
                      {"der(q) = 6*cos(6.283185307179586*time)", "y = sign(q)*abs(q)^1.852", "p = 2*q"},
                      {}};
    const Trajectory run = run_of(texts, 30.2, rtol);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const double q = 6.0 / 6.283185307179586 * std::sin(6.283185307179586 * 30.2);
    EXPECT_NEAR(last(run, "q"), q, 300.0 * rtol) << rtol;
    EXPECT_NEAR(last(run, "y"), std::copysign(std::pow(std::abs(q), 1.852), q), 600.0 * rtol) << rtol;
  }
}

/// A tank runs empty, √h = 1 − t/2, at t = 2; a thermostat between its limits has no part in that, wherever it stands.
TEST(EndsAtRest, AThermostatBetweenItsLimitsStaysWhereATankRunsEmpty) {
  for (const std::vector<std::string>& equations : std::vector<std::vector<std::string>>{
           {"q = hysteresis(x, 0.4, 0.8)", "der(h) = q - sqrt(max(h, 0))", "der(g) = 0"},
           {"der(h) = -sqrt(max(h, 0)) + q", "der(g) = -sqrt(max(g, 0)) + q", "q = hysteresis(x, 0.4, 0.8)"},
           {"q = hysteresis(x, 0.4, 0.8)", "der(h) = q - sqrt(h)", "der(g) = 0"},
           {"q = hysteresis(x, 0.4, 0.8)", "der(h) = q - sign(h)*sqrt(abs(h))", "der(g) = 0"}}) {
    Texts texts{{{"h", 1.0}, {"g", 1.0}, {"x", 0.6}}, {"q"}, equations, {}};
    texts.equations.emplace_back("der(x) = 0");
    const Trajectory run = run_of(texts, 3.0);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << equations[1] << ": " << run.outcome.message;
    EXPECT_EQ(last(run, "q"), 0.0) << equations[1];
    EXPECT_NEAR(last(run, "h"), 0.0, 1e-6) << equations[1];
  }
}

TEST(EndsAtRest, ADryWeirWhoseFlowDecidesBegins) {
  const Texts texts{{{"h", 0.5}, {"T", 0.0}, {"x", 1.0}},
                    {"q", "r"},
                    {"q = pos(h - 0.6)^1.5", "der(h) = 0.1", "der(T) = pos(q)*(1 - T)",
                     "r = if x > 0 then x/sqrt(x + 0.05) else 0", "der(x) = -r"},
                    {}};
  const Trajectory run = run_of(texts, 3.0);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // From t = 1 on q = (0.1 (t − 1))^1.5, ∫ q dt = 0.1^1.5 · 2^2.5/2.5.
  EXPECT_NEAR(last(run, "T"), 1.0 - std::exp(-std::pow(0.1, 1.5) * std::pow(2.0, 2.5) / 2.5), 1e-7);
}

/// A valve by ISO 6358 between vessels a and c, of which a is filled: a + c = 6 + 3t, and q = hi·√(1 − r²), r = (lo/hi − b)/(1 − b),
/// turns at a = c. Against small steps of a fourth-order method for a alone, which takes what q is beside that as it comes.
TEST(EndsAtRest, AValveTurnsWhicheverWayItsRootIsWritten) {
  constexpr double b = 0.3, T = 4.0;
  const auto rate = [](double t, double a) {
    const double c = 6.0 + 3.0 * t - a, hi = std::max(a, c), r = (std::min(a, c) / hi - b) / (1.0 - b);
    return 3.0 - std::copysign(hi * std::sqrt(std::max(0.0, 1.0 - r * std::max(r, 0.0))), a - c);
  };
  double a = 2.0;
  constexpr int steps = 400'000;
  for (int i = 0; i < steps; ++i) {
    const double h = T / steps, t = i * h;
    const double k1 = rate(t, a), k2 = rate(t + h / 2, a + h / 2 * k1), k3 = rate(t + h / 2, a + h / 2 * k2);
    a += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(t + h, a + h * k3));
  }
  const std::string hi = "max(a, c)", lo = "min(a, c)";
  for (const std::string& flow : {hi + "*sqrt(1 - (max(" + lo + "/" + hi + " - 0.3, 0)/0.7)^2)",
                                  "sqrt(" + hi + "^2 - (max(" + lo + " - 0.3*" + hi + ", 0)/0.7)^2)",
                                  hi + "*(if " + lo + "/" + hi + " > 0.3 then sqrt(1 - ((" + lo + "/" + hi +
                                      " - 0.3)/0.7)^2) else 1)"}) {
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      const Trajectory run = run_of(
          {{{"a", 2.0}, {"c", 4.0}}, {"q"}, {"der(a) = 3 - q", "der(c) = q", "q = sign(a - c)*" + flow}, {}},
          T, rtol);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << flow << ": " << run.outcome.message;
      EXPECT_NEAR(last(run, "a"), a, T / steps + 10.0 * rtol * a) << flow;  // the step at the turn
      EXPECT_NEAR(last(run, "a") + last(run, "c"), 6.0 + 3.0 * T, 10.0 * rtol * 18.0) << flow;
    }
  }
}

}  // namespace ends_at_rest_test
}  // namespace mti
