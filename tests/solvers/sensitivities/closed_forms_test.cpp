#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/sensitivities/differentiated_run.hpp"

/// Derivatives through events whose runs have closed forms. Errors are those of the run, some tens of rtol.
namespace closed_forms_test {
namespace {

using mti::Source;
using mti::test::derivative;
using mti::test::differentiated_run;
using mti::test::time_derivative;

constexpr double rtol = 1e-10;
mti::SimulationOptions accurate(double stop) {
  return {.stop = stop, .rtol = rtol, .atol = rtol, .output_interval = stop / 10.0};
}
void expect_close(double found, double expected, double scale = 1.0) {
  EXPECT_NEAR(found, expected, 1e2 * rtol * std::max(scale, std::abs(expected)));
}

/// The n-th impact of a ball that falls from h: t_n = sqrt(2h/g) (1 + 2 Σ_{k=1}^{n−1} e^k).
TEST(Sensitivities, ImpactsOfABouncingBall) {
  const double g = 9.81, e = 0.7, h = 1.3;
  Source ball;
  ball.parameters = {{"g", g}, {"e", e}, {"h0", h}};
  ball.states = {{.name = "h", .start = "h0"}, {.name = "v"}};
  ball.algebraic = {{"F"}};
  ball.binaries = {{"contact"}};
  ball.equations = {"der(h) = v", "der(v) = F - g", {"support", "contact*h + (1 - contact)*F = 0"}};
  ball.constraints = {{"floor", "-h <= 0"}, {"pushes", "-F <= 0"}};
  ball.transitions = {{"reach(floor)", {"support"}, {"v = -e*pre(v)"}}};
  const mti::Trajectory run = differentiated_run(ball, {"g", "e", "h0", "start(v)"}, accurate(2.2));
  ASSERT_GE(run.events.size(), 4U);
  const double fall = std::sqrt(2.0 * h / g);
  double sum = 1.0, slope = 0.0;
  for (std::size_t n = 0; n < run.events.size(); ++n) {
    SCOPED_TRACE(n);
    expect_close(run.events[n].time, fall * sum);
    expect_close(time_derivative(run, n, "e"), fall * slope);
    expect_close(time_derivative(run, n, "g"), -0.5 * fall * sum / g);
    expect_close(time_derivative(run, n, "h0"), 0.5 * fall * sum / h);
    const auto k = static_cast<double>(n) + 1.0;
    sum += 2.0 * std::pow(e, k);
    slope += 2.0 * k * std::pow(e, k - 1.0);
  }
}

/// u is x = exp(−t) as it was at the last tick, j·P: ∂u/∂P = −j exp(−jP), and the tick moves by j.
TEST(Sensitivities, ASampleByThePeriodOfItsClock) {
  const double P = 0.3;
  Source sampled;
  sampled.parameters = {{"P", P}};
  sampled.clocks = {{.name = "k", .period = "P"}};
  sampled.states = {{.name = "x", .start = 1.0}, {.name = "u"}};
  sampled.equations = {"der(x) = -x", "next(u) = x"};
  for (int j = 1; j <= 3; ++j) {
    const mti::Trajectory run = differentiated_run(sampled, {"P", "start(x)"}, accurate((j + 0.5) * P));
    expect_close(derivative(run, "u", "P"), -j * std::exp(-j * P));
    expect_close(derivative(run, "u", "start(x)"), std::exp(-j * P));
    expect_close(time_derivative(run, run.events.size() - 1, "P"), j);
  }
}

/// u ticks at the start and then at 0.3, 0.6 and 0.9, each time to half of it: u = start/2, … and x = ∫ u from 0 to 1, which is
/// (0.3·(1 + 1/2 + 1/4) + 0.1/8) start(u). The value that the first tick brings is the start value itself.
TEST(Sensitivities, StartOfASampledStateWhoseClockTicksAtTheStart) {
  Source sampled;
  sampled.clocks = {{.name = "k", .period = 0.3}};
  sampled.states = {{.name = "x"}, {.name = "u", .start = 0.2}};
  sampled.equations = {"der(x) = u", "next(u) = 0.5*u"};
  const mti::Trajectory run = differentiated_run(sampled, {"start(u)"}, accurate(1.0));
  expect_close(derivative(run, "u", "start(u)"), 0.125);
  expect_close(derivative(run, "x", "start(u)"), 0.5375);
}

/// x'' = −(ω² + p) x beside f' = 1000 (x − f), x(0) = 1: ∂x/∂p = −t sin(ωt)/(2ω) at p = 0, and a p that is tiny changes neither
/// that nor its accuracy. By a start of 1e-14, ∂x/∂x(0) = cos(ωt) likewise.
TEST(Sensitivities, ByTinyValuesAsByZero) {
  const double omega = 5.0, stop = 40.0;
  for (const double p : {0.0, 1e-300, 1e-14, 1e-11}) {
    SCOPED_TRACE(p);
    Source slow;
    slow.parameters = {{"p", p}};
    slow.states = {{.name = "x", .start = 1.0}, {.name = "v", .start = p}, {.name = "f", .start = 1.0}};
    slow.equations = {"der(x) = v", "der(v) = -(25 + p)*x", "der(f) = -1000*f + 1000*x"};
    const mti::Trajectory run = differentiated_run(slow, {"p", "start(v)"}, accurate(stop));
    expect_close(derivative(run, "x", "p"), -stop * std::sin(omega * stop) / (2.0 * omega), 10.0);
    expect_close(derivative(run, "v", "start(v)"), std::cos(omega * stop), 10.0);
  }
}

/// T relaxes to `warm` while heated, to `cold` otherwise: from a to b towards c in τ ln((c − a)/(c − b)).
TEST(Sensitivities, PeriodOfAThermostatByItsLimits) {
  const double tau = 10.0, low = 19.0, high = 21.0, cold = 5.0, warm = 35.0;
  Source room;
  room.parameters = {{"tau", tau}, {"low", low}, {"high", high}, {"cold", cold}, {"warm", warm}};
  room.states = {{.name = "T", .start = 18.0}};
  room.binaries = {{"on", 1.0}};
  room.equations = {"tau*der(T) = cold - T + (warm - cold)*on"};
  room.constraints = {"(low - T)*(1 - on) <= 0", "(T - high)*on <= 0"};
  const mti::Trajectory run = differentiated_run(room, {"low", "high", "tau", "warm"}, accurate(12.0));
  ASSERT_EQ(run.events.size(), 8U);
  // Off after the first warming, on after each cooling.
  const auto time = [&](std::size_t n, double l, double h, double t, double w) {
    double sum = t * std::log((w - 18.0) / (w - h));
    for (std::size_t k = 1; k <= n; ++k)
      sum += k % 2 == 1 ? t * std::log((h - cold) / (l - cold)) : t * std::log((w - l) / (w - h));
    return sum;
  };
  for (std::size_t n = 0; n < run.events.size(); ++n) {
    SCOPED_TRACE(n);
    const double coolings = std::ceil(static_cast<double>(n) / 2.0),
                 warmings = std::floor(static_cast<double>(n) / 2.0);
    expect_close(run.events[n].time, time(n, low, high, tau, warm), 10.0);
    expect_close(time_derivative(run, n, "low"),
                 -tau * coolings / (low - cold) - tau * warmings / (warm - low), 10.0);
    expect_close(time_derivative(run, n, "high"),
                 tau / (warm - high) + tau * coolings / (high - cold) + tau * warmings / (warm - high), 10.0);
    expect_close(time_derivative(run, n, "tau"), run.events[n].time / tau, 10.0);
    expect_close(time_derivative(run, n, "warm"),
                 tau * (1.0 / (warm - 18.0) - 1.0 / (warm - high)) +
                     tau * warmings * (1.0 / (warm - low) - 1.0 / (warm - high)),
                 10.0);
  }
}

/// A mass of speed v meets another one at rest at a distance d and sticks to it: from t = d/v on both have V = m v/(m + M).
TEST(Sensitivities, InelasticCollision) {
  const double m = 1.0, M = 2.5, v = 2.0, d = 1.5, stop = 2.0;
  Source masses;
  masses.parameters = {{"m", m}, {"M", M}, {"v", v}, {"d", d}};
  masses.states = {{.name = "x"}, {.name = "vx", .start = "v"}, {.name = "y", .start = "d"}, {.name = "vy"}};
  masses.algebraic = {{"N"}};
  masses.binaries = {{"c"}};
  masses.equations = {"der(x) = vx", "der(y) = vy", "m*der(vx) = -N", "M*der(vy) = N",
                      "c*(x - y) + (1 - c)*N = 0"};
  masses.constraints = {"x - y <= 0", "-N <= 0"};
  const mti::Trajectory run = differentiated_run(masses, {"m", "M", "v", "d"}, accurate(stop));
  ASSERT_EQ(run.events.size(), 1U);
  expect_close(time_derivative(run, 0, "v"), -d / (v * v));
  expect_close(time_derivative(run, 0, "d"), 1.0 / v);
  expect_close(time_derivative(run, 0, "m"), 0.0);
  // y = d + V (t − d/v),  V = m v/(m + M)
  const double V = m * v / (m + M), t = stop - d / v, V_m = v * M / ((m + M) * (m + M)), V_M = -V / (m + M);
  for (const char* signal : {"x", "y"}) {
    expect_close(derivative(run, signal, "m"), V_m * t);
    expect_close(derivative(run, signal, "M"), V_M * t);
    expect_close(derivative(run, signal, "v"), V / v * t + V * d / (v * v));
    expect_close(derivative(run, signal, "d"), 1.0 - V / v);
  }
  expect_close(derivative(run, "vx", "m"), V_m);
  expect_close(derivative(run, "vy", "d"), 0.0);
}

/// x' = k (1 − 2z) + b q, q' = 1, z = [x ≥ 0], w' = z. It slides on x = 0 from k t + b t²/2 = 1 to t = k/b, with
/// ζ = (1 + b t/k)/2, and leaves with x = b (t − k/b)²/2.
TEST(Sensitivities, EntryToASlideAndItsEnd) {
  const double k = 1.0, b = 0.5, stop = 3.0;
  Source relay;
  relay.parameters = {{"k", k}, {"b", b}};
  relay.states = {{.name = "x", .start = -1.0}, {.name = "q"}, {.name = "w"}};
  relay.binaries = {{"z"}};
  relay.equations = {"der(x) = k*(1 - 2*z) + b*q", "der(q) = 1", "der(w) = z"};
  relay.constraints = {"x*(1 - z) <= 0", "-x*z <= 0"};
  const mti::Trajectory run = differentiated_run(relay, {"k", "b", "start(x)"}, accurate(stop));
  ASSERT_EQ(run.events.size(), 2U);
  const double t1 = (-k + std::sqrt(k * k + 2.0 * b)) / b, t2 = k / b, slope = k + b * t1;
  expect_close(run.events[0].time, t1);
  expect_close(time_derivative(run, 0, "k"), -t1 / slope);
  expect_close(time_derivative(run, 0, "b"), -0.5 * t1 * t1 / slope);
  expect_close(time_derivative(run, 0, "start(x)"), -1.0 / slope);
  expect_close(time_derivative(run, 1, "k"), 1.0 / b);
  expect_close(time_derivative(run, 1, "b"), -k / (b * b));
  expect_close(time_derivative(run, 1, "start(x)"), 0.0);
  expect_close(derivative(run, "x", "k"), -(stop - t2));
  expect_close(derivative(run, "x", "start(x)"), 0.0);
  // w = ∫ ζ from t1 to t2, then t − t2.
  const double zeta1 = 0.5 * (1.0 + b * t1 / k);
  expect_close(derivative(run, "w", "start(x)"), zeta1 / slope);
  const double by_k = -0.25 * b / (k * k) * (t2 * t2 - t1 * t1);
  expect_close(derivative(run, "w", "k"), by_k + zeta1 * t1 / slope);
}

/// A charged capacitor discharges until x = c; from then on it is the output of an amplifier, x = G q, which it jumps to.
TEST(Sensitivities, StateThatBecomesAlgebraic) {
  const double a = 0.8, c = 0.4, G = 2.0, stop = 2.0;
  Source source;
  source.parameters = {{"a", a}, {"c", c}, {"G", G}};
  source.states = {{.name = "x", .start = 1.0}, {.name = "q"}};
  source.binaries = {{"z"}};
  source.equations = {"(1 - z)*(der(x) + a*x) + z*(x - G*q) = 0", "der(q) = x"};
  source.constraints = {"(c - x)*(1 - z) <= 0"};
  const mti::Trajectory run = differentiated_run(source, {"a", "c", "G"}, accurate(stop));
  ASSERT_EQ(run.events.size(), 1U);
  const double t1 = -std::log(c) / a, q1 = (1.0 - c) / a, growth = std::exp(G * (stop - t1));
  expect_close(run.events[0].time, t1);
  expect_close(time_derivative(run, 0, "c"), -1.0 / (a * c));
  expect_close(time_derivative(run, 0, "a"), -t1 / a);
  // q = q1 exp(G (t − t1)), x = G q
  const double q = q1 * growth;
  expect_close(derivative(run, "q", "c"), -growth / a + q * G / (a * c), 10.0 * q);
  expect_close(derivative(run, "q", "a"), -q / a + q * G * t1 / a, 10.0 * q);
  expect_close(derivative(run, "q", "G"), q * (stop - t1), 10.0 * q);
  expect_close(derivative(run, "x", "G"), q + G * q * (stop - t1), 10.0 * q);
}

/// Two masses held at a distance by a rod, index 3: x1 = x2 + L, driven by a force F; (m1 + m2) a = F − k x1 + k x1(0).
TEST(Sensitivities, LinearModeOfIndex3) {
  const double m = 1.0, M = 3.0, k = 2.0, F = 0.7, L = 0.5, stop = 3.0;
  Source rod;
  rod.parameters = {{"m", m}, {"M", M}, {"k", k}, {"F", F}, {"L", L}};
  rod.states = {{.name = "x", .start = "L"}, {.name = "vx"}, {.name = "y"}, {.name = "vy"}};
  rod.algebraic = {{"N"}};
  rod.equations = {"der(x) = vx", "der(y) = vy", "m*der(vx) = F + N", "M*der(vy) = -N - k*y", "x - y = L"};
  const mti::Trajectory run = differentiated_run(rod, {"m", "k", "F", "L"}, accurate(stop));
  // y = (F/k)(1 − cos ωt), ω² = k/(m + M)
  const double omega = std::sqrt(k / (m + M)), phase = omega * stop;
  const double y = F / k * (1.0 - std::cos(phase)), by_omega = F / k * stop * std::sin(phase);
  for (const char* signal : {"x", "y"}) {
    expect_close(derivative(run, signal, "F"), y / F);
    expect_close(derivative(run, signal, "k"), -y / k + by_omega * omega / (2.0 * k));
    expect_close(derivative(run, signal, "m"), -by_omega * omega / (2.0 * (m + M)));
  }
  expect_close(derivative(run, "x", "L"), 1.0);
  expect_close(derivative(run, "y", "L"), 0.0);
  // N = m x″ − F
  const double accel = F / (m + M) * std::cos(phase);
  expect_close(derivative(run, "N", "F"), m * accel / F - 1.0);
}

/// A branch that is left for a root: h = k t − 1, q′ = sqrt(max(h, 0)), q = (2/3)(k t − 1)^(3/2)/k. Before, the root is 0 for
/// good, where its slope is infinite. Times
/// within 1e-13 are one to the linearised equations: of ∫ dh/(2 sqrt(h)) sqrt(1e-13) is not seen.
TEST(Sensitivities, ABranchWithARootIsEntered) {
  const double k = 1.25, stop = 2.0, h = k * stop - 1.0;
  Source source;
  source.parameters = {{"k", k}};
  source.states = {{.name = "h", .start = -1.0}, {.name = "q"}};
  source.equations = {"der(h) = k", "der(q) = sqrt(max(h, 0))"};
  const mti::Trajectory run = differentiated_run(source, {"k", "start(h)"}, accurate(stop));
  ASSERT_EQ(run.events.size(), 1U);
  expect_close(time_derivative(run, 0, "k"), -1.0 / (k * k));
  constexpr double beside_the_singular_point = 1e2;
  expect_close(derivative(run, "q", "k"), stop * std::sqrt(h) / k - 2.0 / 3.0 * std::pow(h, 1.5) / (k * k),
               beside_the_singular_point);
  expect_close(derivative(run, "q", "start(h)"), std::sqrt(h) / k, beside_the_singular_point);
}

/// A pendulum in the plane, of index 3, whose choice of unknowns turns within long steps, at rows of any distance. The angle that begins
/// with asin(y₀) has φ'' = −9.81 cos φ: differences of runs of it with DOP853 at 10⁻¹³, extrapolated, give ∂(vx)/∂y₀. Other derivatives,
/// which it is made of, are as large as 35.
TEST(Sensitivities, OfAMechanismDoNotDependOnItsRows) {
  Source pendulum;
  pendulum.states = {{.name = "x", .start = 1.0}, {.name = "y"}, {.name = "vx"}, {.name = "vy"}};
  pendulum.algebraic = {{"F"}};
  pendulum.equations = {"der(x) = vx", "der(y) = vy", "der(vx) = -F*x", "der(vy) = -F*y - 9.81",
                        "x^2 + y^2 = 1"};
  for (const double interval : {3.0, 0.15, 0.006}) {
    const mti::Trajectory run = differentiated_run(
        pendulum, {"start(y)"}, {.stop = 3.0, .rtol = 1e-8, .atol = 1e-8, .output_interval = interval});
    EXPECT_NEAR(derivative(run, "vx", "start(y)"), -5.55421332, 35.0 * 1e-8) << interval;
  }
}

/// v' = −(a + b v^1.5) sgn v to rest and to stay there: with D = a + b v^1.5 the time is ∫ dv/D from 0 to v₀, the way ∫ v dv/D.
TEST(Sensitivities, DragBesideFriction) {
  const double a = 0.5, b = 0.3;
  const auto integral = [&](const auto& of_v) {  // v = w⁴ leaves no root; Simpson's rule
    constexpr int parts = 2000;
    const auto of_w = [&](double w) { return of_v(std::pow(w, 4)) * 4.0 * std::pow(w, 3); };
    double sum = of_w(0.0) + of_w(1.0);
    for (int k = 1; k < parts; ++k) sum += (k % 2 == 0 ? 2.0 : 4.0) * of_w(static_cast<double>(k) / parts);
    return sum / (3.0 * parts);
  };
  const auto D = [&](double v) { return a + b * std::pow(v, 1.5); };
  Source source;
  source.parameters = {{"a", a}, {"b", b}, {"k", 0.7}};
  source.states = {{.name = "v", .start = 1.0}, {.name = "x"}, {.name = "w", .start = 1.0}};
  source.equations = {"der(x) = v", "der(v) = -a*sign(v) - b*sign(v)*abs(v)^1.5", "der(w) = -k*w"};
  const mti::Trajectory run = differentiated_run(source, {"a", "b", "k", "start(v)"}, accurate(3.0));
  ASSERT_EQ(run.events.size(), 1U);
  expect_close(time_derivative(run, 0, "a"), -integral([&](double v) { return 1.0 / (D(v) * D(v)); }));
  expect_close(derivative(run, "x", "a"), -integral([&](double v) { return v / (D(v) * D(v)); }));
  expect_close(derivative(run, "x", "b"),
               -integral([&](double v) { return std::pow(v, 2.5) / (D(v) * D(v)); }));
  expect_close(derivative(run, "x", "start(v)"), 1.0 / (a + b));
  expect_close(derivative(run, "v", "a"), 0.0);
  expect_close(derivative(run, "w", "k"), -3.0 * std::exp(-3.0 * 0.7));
}

/// x' = −x + s, next(s) = −x/2 every 0.3, x in 10⁻⁶ and s in 10⁶ of their units: ∂s/∂x₀ = −e^(−0.3)/2 in units of one.
TEST(Sensitivities, BehindATickInAnyUnits) {
  for (const double unit : {1.0, 1e6, 1e-6}) {
    Source source;
    source.parameters = {{"a", unit * unit}, {"b", -0.5 / (unit * unit)}};
    source.states = {{.name = "x", .start = unit, .nominal = unit}, {.name = "s", .nominal = 1.0 / unit}};
    source.clocks = {{.name = "c", .period = 0.3}};
    source.equations = {"der(x) = -x + a*s", "next(s) = b*x"};
    const mti::Trajectory run = differentiated_run(source, {"start(x)"}, accurate(0.5));
    EXPECT_NEAR(derivative(run, "s", "start(x)") * unit * unit / (-0.5 * std::exp(-0.3)), 1.0, 1e-8) << unit;
  }
}

/// q' = 1 up to t1 = 0.5 − x0, then the function of 1 + q, beside a position that is held, of index 2: for the root
/// sqrt(1 + q) = sqrt(1.5 − x0) + (0.5 + x0)/2 at t = 1, for the quotient (1 + q)² = (1.5 − x0)² + 2(0.5 + x0).
TEST(Sensitivities, WhereABranchBeginsToDrawAFunctionBesideAHigherIndex) {
  for (const bool higher : {false, true})
    for (const bool root : {true, false}) {
      Source source;
      source.parameters = {{"idle", 1.0}};
      source.states = {{.name = "x"}, {.name = "q"}};
      source.equations = {"der(x) = 1", root ? "der(q) = if x > 0.5 then sqrt(1 + q) else 1"
                                             : "der(q) = if x > 0.5 then 1/(1 + q) else 1"};
      if (higher) {
        source.states.push_back({.name = "a"});
        source.algebraic = {{"l"}};
        source.equations.insert(source.equations.end(), {"a = time", "der(a) = idle*l"});
      }
      const mti::Trajectory run = differentiated_run(source, {"start(x)", "idle"}, accurate(1.0));
      const double s = std::sqrt(1.5) + 0.25, w = std::sqrt(1.5 * 1.5 + 1.0);
      expect_close(derivative(run, "q", "start(x)"),
                   root ? 2.0 * s * (0.5 - 0.5 / std::sqrt(1.5)) : (1.0 - 1.5) / w);
      expect_close(derivative(run, "q", "idle"), 0.0);
    }
}

}  // namespace
}  // namespace closed_forms_test
