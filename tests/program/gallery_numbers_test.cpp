// The numbers in the READMEs of examples/ beside closed forms: here, models whose motion between events is
// elementary. gallery_flows_test.cpp has those that need a matrix exponential.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/places.hpp"
#include "tests/program/gallery.hpp"

namespace mti::test {
namespace gallery_numbers_test {

constexpr double pi = std::numbers::pi;

/// Of a run at rtol = 1e-8, for a quantity of this size: local errors of some hundred steps.
double accuracy(double size) { return 300.0 * 1e-8 * size; }

double time_of(const SimulationRun& run, std::size_t event) { return run.events.at(event).at("time"); }

double jump_of(const SimulationRun& run, std::size_t event, const char* signal, int side) {
  return run.events.at(event).at("jumps").at(signal).at(side);
}

double weight_of(const SimulationRun& run, std::size_t event, const char* signal) {
  return run.events.at(event).at("impulses").at(signal).at("weight");
}

/// tau·T' = o − T + rise·z with o = 5 + 4 sin ωt: T is the forced motion and e^(−t/tau) of what differs from it.
TEST(Gallery, Thermostat) {
  const double tau = 10.0, omega = 2.0 * pi / 24.0, gain = 4.0 / (1.0 + tau * tau * omega * omega);
  const auto forced = [&](double t, bool on) {
    return 5.0 + (on ? 30.0 : 0.0) + gain * (std::sin(omega * t) - tau * omega * std::cos(omega * t));
  };
  std::vector<double> times;
  double begin = 0.0, from = 18.0;
  bool on = true;
  const auto T = [&](double t) {
    return forced(t, on) + (from - forced(begin, on)) * std::exp(-(t - begin) / tau);
  };
  for (;;) {
    const double limit = on ? 21.0 : 19.0;
    const double next = first_sign_change([&](double t) { return T(t) - limit; }, begin + 1e-6, 0.01);
    if (next > 24.0) break;
    times.push_back(next);
    from = limit;
    begin = next;
    on = !on;
  }
  const SimulationRun run = run_of_example("thermostat");
  ASSERT_EQ(run.events.size(), times.size() + 1);  // and the start
  ASSERT_EQ(times.size(), 16U);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(time_of(run, k + 1), times[k], accuracy(24.0));
  expect_quantities(
      "thermostat",
      {{"heating goes off for the first time", "h", times[0], time_of(run, 1), 6, accuracy(24.0)},
       {"heating goes on again", "h", times[1], time_of(run, 2), 6, accuracy(24.0)},
       {"last switch of the day", "h", times.back(), time_of(run, times.size()), 6, accuracy(24.0)},
       {"temperature at midnight", "°C", T(24.0), run.value(run.at(24.0), "T"), 6, accuracy(20.0)}});
}

/// Impacts at t₁ = √(2h/g), then after flights of 2e^k t₁: a geometric series.
TEST(Gallery, BouncingBall) {
  const double g = 9.81, e = 0.7, first = std::sqrt(2.0 / g);
  const auto impact = [&](int n) { return first * (1.0 + 2.0 * e * (1.0 - std::pow(e, n - 1)) / (1.0 - e)); };
  const SimulationRun run = run_of_example("bouncing_ball");
  ASSERT_GT(run.events.size(), 10U);
  EXPECT_EQ(run.events.back().at("kind"), "zeno");
  const double limit = first * (1.0 + e) / (1.0 - e);
  expect_quantities(
      "bouncing_ball",
      {{"first impact", "s", impact(1), time_of(run, 0), 7, accuracy(1.0)},
       {"velocity before it", "m/s", -g * first, jump_of(run, 0, "v", 0), 7, accuracy(5.0)},
       {"velocity behind it", "m/s", e * g * first, jump_of(run, 0, "v", 1), 7, accuracy(5.0)},
       {"momentum that the floor gives", "N s", 2.0 * (1.0 + e) * g * first, weight_of(run, 0, "F"), 6,
        accuracy(20.0)},
       {"tenth impact", "s", impact(10), time_of(run, 9), 6, accuracy(3.0)},
       {"limit of the impacts", "s", limit, time_of(run, run.events.size() - 1), 6, accuracy(3.0)},
       {"ratio of two flights", "1", e, run.summary.at("accumulations").at(0).at("ratio"), 6, accuracy(10.0)},
       {"force at rest", "N", 2.0 * g, run.value(run.at(3.0), "F"), 4, accuracy(20.0)}});
}

/// C·uC' = (u − uC)/R − uC/load while the diode conducts, C·uC' = −uC/load while it blocks.
TEST(Gallery, Rectifier) {
  const double R = 0.5, C = 2e-3, load = 20.0, amplitude = 10.0, omega = 2.0 * pi * 50.0;
  const double k = 1.0 / (R * C) + 1.0 / (load * C);
  const auto u = [&](double t) { return amplitude * std::sin(omega * t); };
  const auto forced = [&](double t) {
    return amplitude / (R * C * (k * k + omega * omega)) *
           (k * std::sin(omega * t) - omega * std::cos(omega * t));
  };
  double begin = 0.0, from = 0.0;
  const auto conducting = [&](double t) {
    return forced(t) + (from - forced(begin)) * std::exp(-k * (t - begin));
  };
  const auto blocking = [&](double t) { return from * std::exp(-(t - begin) / (load * C)); };
  const double off = sign_change([&](double t) { return u(t) - conducting(t); }, 0.002, 0.01);
  from = conducting(off), begin = off;
  const double on = sign_change([&](double t) { return u(t) - blocking(t); }, 0.02, 0.025);
  from = blocking(on), begin = on;
  const double off_again = sign_change([&](double t) { return u(t) - conducting(t); }, 0.0235, 0.03);
  from = conducting(off_again), begin = off_again;
  const SimulationRun run = run_of_example("rectifier");
  ASSERT_EQ(run.events.size(), 4U);
  expect_quantities("rectifier",
                    {{"diode blocks", "ms", 1e3 * off, 1e3 * time_of(run, 1), 6, accuracy(40.0)},
                     {"diode conducts again", "ms", 1e3 * on, 1e3 * time_of(run, 2), 6, accuracy(40.0)},
                     {"diode blocks again", "ms", 1e3 * off_again, 1e3 * time_of(run, 3), 6, accuracy(40.0)},
                     {"capacitor's voltage at 40 ms", "V", blocking(0.04), run.value(run.at(0.04), "uC"), 6,
                      accuracy(10.0)}});
  // Negative control: the diode does not block at the peak of the source.
  EXPECT_GT(std::abs(time_of(run, 1) - 0.005), 1e-3);
}

/// x grows by the integral of draw·(rho·(1 + cos 2πt) − 1); it leaves a limit where that rate is zero.
TEST(Gallery, WaterTank) {
  const double rho = 0.8, draw = 6.667;
  const auto rate = [&](double t) { return draw * (rho * (1.0 + std::cos(2.0 * pi * t)) - 1.0); };
  const auto integral = [&](double t) {
    return draw * ((rho - 1.0) * t + rho * std::sin(2.0 * pi * t) / (2.0 * pi));
  };
  const auto reaches = [&](double change, double after, double left, double right) {
    return sign_change([&](double t) { return integral(t) - integral(after) - change; }, left, right);
  };
  const double balance = std::acos(1.0 / rho - 1.0) / (2.0 * pi);
  const double full = reaches(0.5, 0.0, 0.0, balance), empty = reaches(-1.0, balance, balance, 0.6);
  const double full_again = reaches(1.0, 1.0 - balance, 1.0 - balance, 1.0 + balance);
  const SimulationRun run = run_of_example("water_tank");
  ASSERT_EQ(run.events.size(), 12U);
  expect_quantities("water_tank",
                    {{"tank is full", "h", full, time_of(run, 0), 7, accuracy(3.0)},
                     {"overflow ends", "h", balance, time_of(run, 1), 7, accuracy(3.0)},
                     {"tank is empty", "h", empty, time_of(run, 2), 7, accuracy(3.0)},
                     {"refill ends", "h", 1.0 - balance, time_of(run, 3), 7, accuracy(3.0)},
                     {"tank is full again", "h", full_again, time_of(run, 4), 7, accuracy(3.0)},
                     {"overflow from then on", "m³/h", rate(full_again),
                      run.value(run.at(time_of(run, 4)), "overflow"), 6, accuracy(50.0)},
                     {"period", "h", 1.0, time_of(run, 8) - time_of(run, 4), 7, accuracy(3.0)}});
}

/// Free shafts slow down by themselves; engaged they turn with the speed that keeps their momentum.
TEST(Gallery, Clutch) {
  const double j1 = 1.0, j2 = 2.0, k1 = 0.01, k2 = 0.0125;
  const double w1 = std::exp(-k1 / j1 * 5.0), w2 = 1.5 * std::exp(-k2 / j2 * 5.0);
  const double common = (j1 * w1 + j2 * w2) / (j1 + j2), slope = -(k1 + k2) / (j1 + j2);
  const double released = common * std::exp(2.0 * slope);
  const SimulationRun run = run_of_example("clutch");
  ASSERT_EQ(run.events.size(), 2U);
  const double found1 = jump_of(run, 0, "w1", 1), found2 = jump_of(run, 0, "w2", 1);
  EXPECT_NEAR(found1, found2, 1e-14) << "engaged shafts have one speed";
  // Conserved to rounding, whatever the tolerance: the balance of momentum is among the rows.
  EXPECT_NEAR(j1 * found1 + j2 * found2, j1 * jump_of(run, 0, "w1", 0) + j2 * jump_of(run, 0, "w2", 0),
              1e-14);
  expect_quantities(
      "clutch",
      {{"speed w₁ before", "rad/s", w1, jump_of(run, 0, "w1", 0), 7, accuracy(1.0)},
       {"speed w₂ before", "rad/s", w2, jump_of(run, 0, "w2", 0), 7, accuracy(1.0)},
       {"common speed behind", "rad/s", common, found1, 7, accuracy(1.0)},
       {"momentum that f₁ transfers", "N m s", j1 * (common - w1), weight_of(run, 0, "f1"), 7, accuracy(1.0)},
       {"momentum before", "N m s", j1 * w1 + j2 * w2,
        j1 * jump_of(run, 0, "w1", 0) + j2 * jump_of(run, 0, "w2", 0), 7, accuracy(4.0)},
       {"momentum behind", "N m s", j1 * w1 + j2 * w2, j1 * found1 + j2 * found2, 7, accuracy(4.0)},
       {"torque f₁ just behind", "N m", common * (k1 + j1 * slope), run.value(run.at(5.0), "f1"), 8,
        accuracy(1.0)},
       {"speed w₁ at 14 s", "rad/s", released * std::exp(-7.0 * k1 / j1), run.value(run.at(14.0), "w1"), 7,
        accuracy(1.0)},
       {"speed w₂ at 14 s", "rad/s", released * std::exp(-7.0 * k2 / j2), run.value(run.at(14.0), "w2"), 7,
        accuracy(1.0)}});
}

/// The ball falls from (0.6, 0.2) and is caught at (0.6, −0.8); then it is a pendulum, whose period is an elliptic
/// integral of its energy.
TEST(Gallery, CupAndBall) {
  const double g = 9.81, x = 0.6, y = -0.8, caught = std::sqrt(2.0 / g);
  const double radial = -g * caught * y;  // velocity (0, −g·t) along the rope
  const double vx = -radial * x, vy = -g * caught - radial * y;
  const double square = vx * vx + vy * vy, energy = 0.5 * square + g * y;
  const double top = energy / g;  // the height at which it stands still
  const double period = 4.0 * std::comp_ellint_1(std::sqrt(0.5 * (1.0 + top))) / std::sqrt(g);
  const SimulationRun run = run_of_example("cup_and_ball");
  ASSERT_EQ(run.events.size(), 1U);
  // The lowest point is passed where x changes its sign; x is straight there, its curvature is −λ·x.
  std::vector<double> passed;
  for (std::size_t k = 1; k < run.rows.size(); ++k) {
    const auto &left = run.rows[k - 1], &right = run.rows[k];
    const double a = run.value(left, "x"), b = run.value(right, "x");
    if (a * b < 0.0) passed.push_back(left.time + (right.time - left.time) * a / (a - b));
  }
  ASSERT_GE(passed.size(), 3U);
  const auto& end = run.at(3.0);
  const auto at_end = [&](const char* name) { return run.value(end, name); };
  expect_quantities(
      "cup_and_ball",
      {{"rope is taut", "s", caught, time_of(run, 0), 7, accuracy(1.0)},
       {"velocity v_x behind", "m/s", vx, jump_of(run, 0, "vx", 1), 6, accuracy(5.0)},
       {"velocity v_y behind", "m/s", vy, jump_of(run, 0, "vy", 1), 6, accuracy(5.0)},
       {"impulse of λ", "1/s", radial, weight_of(run, 0, "lambda"), 6, accuracy(5.0)},
       {"λ just behind", "1/s²", square - g * y, run.value(run.at(time_of(run, 0)), "lambda"), 5,
        accuracy(50.0)},
       {"energy at 3 s, per mass", "m²/s²", energy,
        0.5 * (at_end("vx") * at_end("vx") + at_end("vy") * at_end("vy")) + g * at_end("y"), 5,
        accuracy(50.0)},
       // Straight lines between rows: x''' ≈ −λ·vx ≈ 70 m/s³, rows 0.01 s apart, up to h³/60 · 70/v.
       {"period of the pendulum", "s", period, passed[2] - passed[0], 5, 2e-5}});
  EXPECT_NEAR(std::hypot(at_end("x"), at_end("y")), 1.0, 1e-9) << "the rope keeps its length";
}

/// On the surface x₁ = 0 the relay's output is −x₂ and (x₂, x₃) have the double eigenvalue 1.
TEST(Gallery, RelaySliding) {
  const double x2 = -0.001, x3 = -0.02;
  const auto sliding = [&](double t) { return std::exp(t) * (x2 + t * (x2 + x3)); };
  const double leaves = sign_change([&](double t) { return sliding(t) + 1.0; }, 0.0, 5.0);
  const SimulationRun run = run_of_example("relay_sliding");
  // The rest of the run: exact crossings of the matrix exponential, 40 digits.
  const nlohmann::json exact =
      read_json(source_dir() / "tests/cases/reference/piiroinen_kuznetsov_relay_feedback.json").at("events");
  ASSERT_EQ(run.events.size(), exact.size() + 1);  // and the start
  std::vector<double> errors;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    EXPECT_EQ(run.events[k + 1].at("kind"), exact[k].at("kind"));
    errors.push_back(std::abs(time_of(run, k + 1) - exact[k].at("time").get<double>()));
  }
  EXPECT_LE(*std::max_element(errors.begin(), errors.end()), accuracy(10.0));
  const auto exact_time = [&](std::size_t k) { return exact.at(k).at("time").get<double>(); };
  expect_quantities(
      "relay_sliding",
      {{"equivalent control u at 2 s", "1", -sliding(2.0), run.value(run.at(2.0), "u"), 7, accuracy(1.0)},
       {"x₂ at 2 s", "1", sliding(2.0), run.value(run.at(2.0), "x2"), 7, accuracy(1.0)},
       {"motion leaves the surface", "s", leaves, time_of(run, 1), 7, accuracy(10.0)},
       {"slides again", "s", exact_time(1), time_of(run, 2), 7, accuracy(10.0)},
       {"third slide ends", "s", exact_time(6), time_of(run, 7), 7, accuracy(10.0)},
       {"slide of 2.2 ms begins", "s", exact_time(7), time_of(run, 8), 7, accuracy(10.0)},
       {"slide of 2.2 ms ends", "s", exact_time(8), time_of(run, 9), 7, accuracy(10.0)}});
}

}  // namespace gallery_numbers_test
}  // namespace mti::test
