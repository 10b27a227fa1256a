#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/stepping/run.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Diodes that leak a little while they block, and drop a little while they conduct: their voltage, or their
/// current, follows from the states only with an error that is far larger than itself. They must switch at
/// the times of the exact mode-by-mode solution all the same.
namespace mti {
namespace {

using test::event_times;
using test::run;

constexpr double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};

SimulationOptions options_at(double rtol) {
  SimulationOptions options;
  options.rtol = rtol;
  options.atol = 0.01 * rtol;
  return options;
}

void expect_times(const Trajectory& trajectory, const std::vector<double>& exact, double rtol, double T,
                  const std::string& what) {
  const std::vector<double> times = event_times(trajectory);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what << trajectory.outcome.message;
  ASSERT_EQ(times.size(), exact.size()) << what;
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(times[i], exact[i], 10.0 * rtol * T) << what << "event " << i;
  test::expect_well_formed(trajectory);
}

std::string text(double Ron, double Goff, double rtol) {
  return "Ron = " + std::to_string(Ron) + ", log10 Goff = " + std::to_string(std::log10(Goff)) +
         ", log10 rtol = " + std::to_string(std::log10(rtol)) + ": ";
}

constexpr double L = 5e-3, R = 5.0, A = 30.0, frequency = 50.0, w = 2.0 * std::numbers::pi * frequency;

Source half_wave(double Ron, double Goff, double T) {
  Source source;
  source.parameters = {{"L", L}, {"R", R}, {"Ron", Ron}, {"Goff", Goff}};
  source.states = {{"i", 0.0}};
  source.inputs = {{.name = "e", .form = SineSource{A, frequency, 0.0, 0.0}}};
  source.algebraic = {{"s"}};
  source.binaries = {{"z", 1.0}};
  source.equations = {"L*der(i) = e - R*i - s*(z*Ron + 1 - z)", "i = s*(z + (1 - z)*Goff)"};
  source.constraints = {"(1 - 2*z)*s <= 0"};
  source.experiment = {.stop = T};
  return source;
}

/// L i' = A sin wt − R_t i, R_t = R + Ron or R + 1/Goff: a sine and an exponential; the zeros of i, bracketed
/// and bisected.
std::vector<double> zeros_of_half_wave(double Ron, double Goff, double T) {
  std::vector<double> zeros;
  double t_0 = 0.0, i_0 = 0.0;
  constexpr double scan = 1e-5;
  for (bool on = true;; on = !on) {
    const double total = R + (on ? Ron : 1.0 / Goff), size = A / std::hypot(total, w * L),
                 phase = std::atan2(w * L, total);
    const auto i = [&](double t) {
      return size * std::sin(w * t - phase) +
             (i_0 - size * std::sin(w * t_0 - phase)) * std::exp(-total / L * (t - t_0));
    };
    double t = t_0 + 10.0 * scan;
    while (t < T && (i(t) < 0.0) != on) t += scan;
    if (t >= T) return zeros;
    double left = t - scan, right = t;
    for (int bisection = 0; bisection < 60; ++bisection) {
      const double middle = 0.5 * (left + right);
      ((i(middle) < 0.0) == on ? right : left) = middle;
    }
    zeros.push_back(right);
    i_0 = i(right);
    t_0 = right;
  }
}

TEST(LeakingDiodes, AHalfWaveRectifierSwitchesOnTime) {
  constexpr double T = 0.0585;
  for (const double Ron : {1e-3, 1e-9})
    for (const double Goff : {1e-5, 1e-9, 1e-12, 1e-15})
      for (const double rtol : tolerances)
        expect_times(run(half_wave(Ron, Goff, T), options_at(rtol)), zeros_of_half_wave(Ron, Goff, T), rtol,
                     T, text(Ron, Goff, rtol));
}

/// Watched by its current, which is 1e-14 A while it blocks, far below any tolerance.
TEST(LeakingDiodes, AHalfWaveRectifierWatchedByItsLeakageSwitchesOnTime) {
  constexpr double T = 0.0585;
  for (const double Ron : {1e-3, 1e-9})
    for (const double Goff : {1e-5, 1e-9, 1e-12, 1e-15})
      for (const double rtol : tolerances) {
        Source source = half_wave(Ron, Goff, T);
        source.equations = {"L*der(i) = e - R*i - s", "s*(z + (1 - z)*Goff) = i*(z*Ron + 1 - z)"};
        source.constraints = {"(1 - 2*z)*i <= 0"};
        expect_times(run(source, options_at(rtol)), zeros_of_half_wave(Ron, Goff, T), rtol, T,
                     text(Ron, Goff, rtol));
      }
}

/// Reported: 1.2 ms late at rtol 1e-6.
TEST(LeakingDiodes, HalfWaveGoff1em9ConductsFromTheZeroOfItsVoltage) {
  const std::vector<double> times = event_times(run(half_wave(1e-3, 1e-9, 0.03), options_at(1e-6)));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[1], 0.02, 1e-6 * 0.03);
}

constexpr double V = 60.0, E = 20.0, period = 1e-3, duty = 0.4;
constexpr int periods = 20;

/// A buck converter on a source E: the current ends in every period, then switch and diode both block.
Source chopper(double Ron, double Goff) {
  TableSource fire;
  for (int k = 0; k < periods; ++k) {
    fire.time.insert(fire.time.end(), {k * period, (k + duty) * period});
    fire.value.insert(fire.value.end(), {1.0, 0.0});
  }
  Source source;
  source.parameters = {{"L", 2e-3}, {"R", 2.0}, {"V", V}, {"E", E}, {"Ron", Ron}, {"Goff", Goff}};
  source.states = {{"i", 0.0}};
  source.inputs = {{.name = "fire", .form = fire, .binary = true}};
  source.algebraic = {{"p"}, {"ss"}, {"sd"}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"L*der(i) = p - E - R*i", "V - p = ss*(fire*Ron + 1 - fire)", "-p = sd*(z*Ron + 1 - z)",
                      "i = ss*(fire + (1 - fire)*Goff) + sd*(z + (1 - z)*Goff)"};
  source.constraints = {"(1 - 2*z)*sd <= 0"};
  source.experiment = {.stop = periods * period};
  return source;
}

/// p = (G_s V − i)/(G_s + G_d), so i is an exponential in each mode; the diode blocks where p = 0, i = Goff
/// V.
std::vector<double> switching_times_of_chopper(double Ron, double Goff) {
  struct Mode {
    double rate, rest;
  };
  const auto mode = [&](double G_s, double G_d) {
    const double rate = (2.0 + 1.0 / (G_s + G_d)) / 2e-3;
    return Mode{rate, (G_s * V / (G_s + G_d) - E) / 2e-3 / rate};
  };
  const Mode on = mode(1.0 / Ron, Goff), free = mode(Goff, 1.0 / Ron), blocked = mode(Goff, Goff);
  const auto after = [](const Mode& m, double i, double t) {
    return m.rest + (i - m.rest) * std::exp(-m.rate * t);
  };
  std::vector<double> times;
  double i = 0.0;
  for (int k = 0; k < periods; ++k) {
    if (k > 0) times.push_back(k * period);
    i = after(on, i, duty * period);
    times.push_back((k + duty) * period);
    const double conducts = std::log((i - free.rest) / (Goff * V - free.rest)) / free.rate;
    times.push_back((k + duty) * period + conducts);
    i = after(blocked, Goff * V, (1.0 - duty) * period - conducts);
  }
  return times;
}

TEST(LeakingDiodes, AChopperSwitchesOnTime) {
  for (const double Ron : {1e-3, 1e-9})
    for (const double Goff : {1e-5, 1e-9, 1e-12, 1e-15})
      for (const double rtol : tolerances)
        expect_times(run(chopper(Ron, Goff), options_at(rtol)), switching_times_of_chopper(Ron, Goff), rtol,
                     periods * period, text(Ron, Goff, rtol));
}

/// A full bridge from a sine source through `Ls` (0: none) to R and an inductor of `Lr` (0: none).
Source bridge(double Ron, double Goff, double Ls, double Lr, double T) {
  Source source;
  source.parameters = {{"Ron", Ron}, {"Goff", Goff}, {"R", R}, {"Ls", Ls}, {"Lr", Lr}};
  source.inputs = {{.name = "e", .form = SineSource{A, frequency, 0.0, 0.0}}};
  source.algebraic = {{"a"}, {"p"}, {"n"}};
  const char* const ends[] = {"a - p", "-p", "n - a", "n"};
  for (int k = 1; k <= 4; ++k) {
    const std::string s = "s" + std::to_string(k), i = "i" + std::to_string(k), z = "z" + std::to_string(k);
    source.algebraic.push_back({s});
    source.algebraic.push_back({i});
    source.binaries.push_back({z, k == 1 || k == 4 ? 1.0 : 0.0});
    source.equations.push_back(std::string(ends[k - 1]) + " = " + s + "*(" + z + "*Ron + 1 - " + z + ")");
    source.equations.push_back(i + " = " + s + "*(" + z + " + (1 - " + z + ")*Goff)");
    source.constraints.push_back("(1 - 2*" + z + ")*" + s + " <= 0");
  }
  if (Ls > 0.0) {
    source.states.push_back({"is", 0.0});
    source.equations.insert(source.equations.end(), {"Ls*der(is) = e - a", "is = i1 - i3"});
  } else {
    source.equations.emplace_back("a = e");
  }
  if (Lr > 0.0) {
    source.states.push_back({"il", 0.0});
    source.equations.insert(source.equations.end(),
                            {"Lr*der(il) = p - n - R*il", "i1 + i2 = il", "i3 + i4 = il"});
  } else {
    source.equations.insert(source.equations.end(), {"p - n = R*(i1 + i2)", "i1 + i2 = i3 + i4"});
  }
  source.experiment = {.stop = T};
  return source;
}

/// At each of these times z1 and z4 are equal, z2 and z3 the opposite: `positive` at first, then in turn.
/// Nothing is asked for within `margin` of the times of commutation.
void expect_turns(const Trajectory& trajectory, const std::vector<double>& commutations, double margin,
                  const std::string& what) {
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << what << trajectory.outcome.message;
  const std::size_t z1 = trajectory.column("z1"), z2 = trajectory.column("z2"), z3 = trajectory.column("z3"),
                    z4 = trajectory.column("z4");
  for (std::size_t row = 0; row < trajectory.size(); ++row) {
    const double t = trajectory.time(row);
    bool near = t < margin;
    bool positive = true;
    for (const double commutation : commutations) {
      near = near || std::abs(t - commutation) <= margin;
      positive = positive != (t > commutation);
    }
    if (near) continue;
    const double on = positive ? 1.0 : 0.0;
    ASSERT_TRUE(trajectory.value(row, z1) == on && trajectory.value(row, z4) == on &&
                trajectory.value(row, z2) == 1.0 - on && trajectory.value(row, z3) == 1.0 - on)
        << what << "t = " << t;
  }
}

/// The load's current goes on, so the source's sign decides: at its zeros all four conduct for 2·Ron·i/e'.
/// Reported: a pair of diodes that never conducted again, without a word.
TEST(LeakingDiodes, ABridgeOnAnInductiveLoadTurnsAtTheZerosOfItsSource) {
  constexpr double T = 0.0585;
  const std::vector<double> zeros{0.01, 0.02, 0.03, 0.04, 0.05};
  for (const double Ron : {1e-6, 1e-9})
    for (const double Goff : {1e-5, 1e-10, 1e-15})
      for (const double rtol : tolerances)
        expect_turns(run(bridge(Ron, Goff, 0.0, L, T), options_at(rtol)), zeros,
                     10.0 * rtol * T + Ron * (A / R) / (A * w), text(Ron, Goff, rtol));
}

/// Ls i' = e − R i for either sign of i: the rectified current of one loop, whose zeros are those of a sine
/// and an exponential. Ron and what two blocking diodes leak across the source move them by no more than twice the
/// change of Ls/R that they are, to first order.
TEST(LeakingDiodes, ABridgeBehindAnInductorTurnsAtTheZerosOfItsCurrent) {
  constexpr double T = 0.0585, Ls = 1e-4, phase = w * Ls / R;
  std::vector<double> zeros;  // the exponential has died after the first of them: e^(−R/Ls·10 ms) = e^−500
  for (int k = 1; k <= 5; ++k) zeros.push_back((k * std::numbers::pi + std::atan(phase)) / w);
  for (const double Ron : {1e-6, 1e-9})
    for (const double Goff : {1e-5, 1e-10, 1e-15})
      for (const double rtol : tolerances)
        expect_turns(run(bridge(Ron, Goff, Ls, 0.0, T), options_at(rtol)), zeros,
                     10.0 * rtol * T + 2.0 * Ls * (2.0 * Ron / (R * R) + 2.0 * Goff), text(Ron, Goff, rtol));
}

/// A bridge through Rs that charges C beside R. While a pair conducts, u' = ((|e| − u)/Rs − u/R)/C: a sine and an
/// exponential; while none does, u falls by R C. Within 10 rtol T, with steps that grow by no more than tenfold for two
/// digits. Reported: 10⁵ steps of first order, each with a failed error test, at some tolerances.
TEST(LeakingDiodes, ABridgeOnACapacitorIsNotTrappedAtFirstOrder) {
  constexpr double T = 0.0585, Rs = 0.1, C = 1e-3, Ron = 1e-9;
  Source source = bridge(Ron, 1e-15, 0.0, 0.0, T);
  source.parameters.insert(source.parameters.end(), {{"Rs", Rs}, {"C", C}});
  source.states = {{"u", 0.0}};
  for (auto& equation : source.equations)
    if (equation.text == "a = e")
      equation.text = "e - a = Rs*(i1 - i3)";
    else if (equation.text == "p - n = R*(i1 + i2)")
      equation.text = "C*der(u) = i1 + i2 - u/R";
  source.equations.emplace_back("u = p - n");
  // Conduction begins where |e| = u and ends where the current is zero.
  std::vector<double> times;
  const double conductance = 1.0 / Rs + 1.0 / R, rate = conductance / C, drive = A / (Rs * C);
  const double of_sine = drive * rate / (rate * rate + w * w), of_cosine = -drive * w / (rate * rate + w * w);
  double begin = 0.0, u_begin = 0.0;
  const auto root = [](const auto& f, double a, double b) {
    for (int k = 0; k < 200; ++k) {
      const double middle = 0.5 * (a + b);
      (f(middle) > 0.0 ? a : b) = middle;
    }
    return 0.5 * (a + b);
  };
  for (int half = 0; half < 6; ++half) {
    const auto e = [&](double t) { return A * std::abs(std::sin(w * t)); };
    const auto steady = [&](double t) {
      return of_sine * std::sin(w * (t - half * 0.01)) + of_cosine * std::cos(w * (t - half * 0.01));
    };
    const auto u = [&](double t) {
      return steady(t) + (u_begin - steady(begin)) * std::exp(-rate * (t - begin));
    };
    const double peak = half * 0.01 + 0.005;
    const double end = root([&](double t) { return e(t) - u(t); }, peak, half * 0.01 + 0.01);
    times.push_back(end);
    const double u_end = u(end);
    begin = root([&](double t) { return u_end * std::exp(-(t - end) / (R * C)) - e(t); }, half * 0.01 + 0.01,
                 peak + 0.01);
    u_begin = e(begin);
    if (begin < T) times.push_back(begin);
  }
  double steps = 0.0;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    const Trajectory trajectory = run(source, options_at(rtol));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    std::size_t next = 0;
    for (const Event& event : trajectory.events) {
      if (event.kind == EventKind::initial || event.time < 1e-4 || next == times.size()) continue;
      EXPECT_NEAR(event.time, times[next], 10.0 * rtol * T + 2.0 * Ron / (Rs * w))
          << next << ", rtol = " << rtol;
      ++next;
    }
    EXPECT_EQ(next, times.size()) << "rtol = " << rtol;
    const auto taken = static_cast<double>(trajectory.statistics.steps);
    if (steps > 0.0) {
      EXPECT_LE(taken, 10.0 * steps);
    }
    steps = std::max(steps, taken);
  }
}

/// Its current through Rs written into the equations of two nodes, whose difference alone says where the bridge is while its
/// diodes leak. Times: those of the bridge that has it in one of them, at a tight tolerance.
TEST(LeakingDiodes, ABridgeWithItsCurrentInTwoEquationsSwitchesOnTime) {
  constexpr double T = 0.0385;
  for (const double Ron : {1e-3, 1e-9})
    for (const double Goff : {1e-5, 1e-9, 1e-12, 1e-15}) {
      Source source = bridge(Ron, Goff, 0.0, 0.0, T);
      source.parameters.insert(source.parameters.end(), {{"Rs", 0.1}, {"C", 1e-3}});
      source.states = {{"u", 0.0}};
      for (auto& equation : source.equations)
        if (equation.text == "a = e")
          equation.text = "(e - a)/Rs = i1 - i3";
        else if (equation.text == "p - n = R*(i1 + i2)")
          equation.text = "C*der(u) = i1 + i2 - u/R";
      source.equations.emplace_back("u = p - n");
      Source twice = source;
      for (auto& equation : twice.equations)
        if (equation.text == "i1 + i2 = i3 + i4") equation.text = "(e - a)/Rs = i4 - i2";
      std::set<double> exact;  // two diodes at a time
      for (const double t : event_times(run(source, options_at(1e-12))))
        if (t > 1e-4 && (exact.empty() || t > *exact.rbegin() + 1e-4)) exact.insert(t);
      ASSERT_EQ(exact.size(), 7U);
      for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
        SCOPED_TRACE(text(Ron, Goff, rtol));
        const Trajectory trajectory = run(twice, options_at(rtol));
        ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
        std::set<double> open = exact;
        for (const double t : event_times(trajectory)) {
          if (t < 1e-4) continue;
          const auto near = std::ranges::min_element(exact, {}, [&](double e) { return std::abs(e - t); });
          EXPECT_NEAR(t, *near, 10.0 * rtol * T);
          open.erase(*near);
        }
        EXPECT_TRUE(open.empty());
        mti::Run advanced(build(twice), options_at(rtol));
        while (!advanced.ended()) advanced.advance(T);
        EXPECT_EQ(event_times(advanced.finish()), event_times(trajectory));
      }
    }
}

/// Negative control: a state that is not fast is not moved; a run without switches is what it was.
TEST(LeakingDiodes, ASlowStateIsLeftWhereItIs) {
  Source source;
  source.states = {{"x", 1.0}};
  source.equations = {"der(x) = -1000*x"};
  source.experiment = {.stop = 1e-3};
  const Trajectory trajectory = run(source, options_at(1e-6));
  EXPECT_EQ(trajectory.value(0, trajectory.column("x")), 1.0);
  EXPECT_NEAR(test::last(trajectory, "x"), std::exp(-1.0), 1e-5);
}

}  // namespace
}  // namespace mti
