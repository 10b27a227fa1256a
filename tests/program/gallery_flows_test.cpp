// The numbers in the READMEs of examples/ whose models are linear in every mode: the oracle is the exact flow, a
// matrix exponential, with crossings located on it by bisection.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tests/program/exact_affine.hpp"
#include "tests/program/gallery.hpp"

namespace mti::test {
namespace gallery_flows_test {

double accuracy(double size) { return 300.0 * 1e-8 * size; }

double time_of(const SimulationRun& run, std::size_t event) { return run.events.at(event).at("time"); }

/// c·m·T_i' = −3a·T_i + a·(T_before + T_after) − c·f·(T_i − 80) where the valve is open; w = (T₁, T₂, T₃, 1),
/// valve i is bit i of the mode.
ExactMode ring_mode(int open) {
  const double c = 4200.0, m = 5.0, a = 125.0, f = 0.09;
  ExactMode mode;
  mode.M = Eigen::MatrixXd::Zero(4, 4);
  for (int i = 0; i < 3; ++i) {
    const bool is_open = ((open >> i) & 1) != 0;
    for (int j = 0; j < 3; ++j) mode.M(i, j) = (i == j ? -3.0 * a : a) / (c * m);
    if (is_open) {
      mode.M(i, i) -= f / m;
      mode.M(i, 3) = 80.0 * f / m;
    }
    const double middle = 35.0 + 5.0 * (i + 1) / 3.0;
    Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(4);
    s[i] = is_open ? 1.0 : -1.0;
    s[3] = is_open ? -middle - 5.0 : middle - 5.0;
    mode.exits.push_back({s, open ^ (1 << i)});
  }
  return mode;
}

TEST(Gallery, TankRing) {
  // Before the first switch the mean M decays with a/(c·m), the differences T_i − M with four times that.
  const double rate = 125.0 / (4200.0 * 5.0), mean = 112.0 / 3.0, low = 35.0 + 5.0 / 3.0 - 5.0;
  Eigen::VectorXd w(4);
  w << 32.0 + 8.0 / 3.0, 32.0 + 16.0 / 3.0, 40.0, 1.0;
  const double first = sign_change(
      [&](double t) { return mean * std::exp(-rate * t) + (w[0] - mean) * std::exp(-4.0 * rate * t) - low; },
      0.0, 30.0);
  int mode = 0;
  const std::vector<ExactSwitch> exact = follow(ring_mode, 0.0, 500.0, 0.05, w, mode);
  EXPECT_NEAR(exact.at(0).time, first, 1e-9) << "the two oracles";
  const SimulationRun run = run_of_example("tank_ring");
  ASSERT_EQ(run.events.size(), exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k)
    EXPECT_NEAR(time_of(run, k), exact[k].time, accuracy(500.0)) << k;
  const auto switch_at = [&](const std::string& name, std::size_t k) {
    return Quantity{name, "s", exact[k].time, time_of(run, k), 6, accuracy(500.0)};
  };
  expect_quantities("tank_ring", {switch_at("first switch", 0),
                                  switch_at("second switch", 1),
                                  switch_at("tenth switch", 9),
                                  switch_at("last switch", exact.size() - 1),
                                  {"temperature of tank 1 at 500 s", "°C", w[0],
                                   run.value(run.at(500.0), "tank1.T"), 6, accuracy(40.0)}});
}

/// The room: w = (T, T_wall, co2, sin, cos, 1); the mode is fan + 2·(0 throttled, 1 shut, 2 full).
ExactMode room_mode(int mode, double set_point, double people) {
  const double C_air = 6e5, C_wall = 6e6, G_in = 200.0, G_out = 40.0, day = 86400.0;
  const bool fan = mode % 2 == 1;
  const int valve = mode / 2;
  const double flow = 0.01 + (fan ? 0.25 : 0.0), loss = 1200.0 * (0.01 + (fan ? 0.3 * 0.25 : 0.0));
  const double omega = 2.0 * std::numbers::pi / day;
  enum { T, wall, co2, sine, cosine, one };
  ExactMode result;
  Eigen::MatrixXd& M = result.M;
  M = Eigen::MatrixXd::Zero(6, 6);
  M(T, T) = -(G_in + loss) / C_air;
  M(T, wall) = G_in / C_air;
  M(T, sine) = 4.0 * loss / C_air;
  M(T, one) = (2.0 * loss + 80.0 * people) / C_air;
  if (valve == 0) {
    M(T, T) -= 4000.0 / C_air;
    M(T, one) += 4000.0 * set_point / C_air;
  } else if (valve == 2) {
    M(T, one) += 4000.0 / C_air;
  }
  M(wall, T) = G_in / C_wall;
  M(wall, wall) = -(G_in + G_out) / C_wall;
  M(wall, sine) = 4.0 * G_out / C_wall;
  M(wall, one) = 2.0 * G_out / C_wall;
  M(co2, co2) = -flow / 150.0;
  M(co2, one) = (5.5 * people + 420.0 * flow) / 150.0;
  M(sine, cosine) = omega;
  M(cosine, sine) = -omega;
  const auto row = [](int signal, double factor, double constant) {
    Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(6);
    s[signal] = factor;
    s[one] = constant;
    return s;
  };
  result.exits.push_back({fan ? row(co2, -1.0, 700.0) : row(co2, 1.0, -1000.0), mode ^ 1});
  const int throttled = mode % 2, shut = throttled + 2, full = throttled + 4;
  if (valve == 0) {
    result.exits.push_back({row(T, 1.0, -set_point), shut});
    result.exits.push_back({row(T, -1.0, set_point - 1.0), full});
  } else if (valve == 1) {
    result.exits.push_back({row(T, -1.0, set_point), throttled});
  } else {
    result.exits.push_back({row(T, 1.0, 1.0 - set_point), throttled});
  }
  return result;
}

TEST(Gallery, HvacRoom) {
  const double hour = 3600.0, phase = -std::numbers::pi / 2.0 - 2.0 * std::numbers::pi * 5.0 / 24.0;
  struct Part {
    double begin, set_point, people;
  };
  const std::array<Part, 8> day{{{0, 17, 0},
                                 {6 * hour, 21, 0},
                                 {8 * hour, 21, 8},
                                 {12 * hour, 21, 0},
                                 {13 * hour, 21, 8},
                                 {17 * hour, 21, 0},
                                 {18 * hour, 17, 0},
                                 {24 * hour, 17, 0}}};
  Eigen::VectorXd w(6);
  w << 16.85, 15.0, 420.0, std::sin(phase), std::cos(phase), 1.0;
  int mode = 0;
  std::vector<ExactSwitch> exact;
  std::vector<double> warm;
  for (std::size_t k = 0; k + 1 < day.size(); ++k) {
    const auto modes = [&](int m) { return room_mode(m, day[k].set_point, day[k].people); };
    for (const ExactSwitch& change : follow(modes, day[k].begin, day[k + 1].begin, 10.0, w, mode))
      exact.push_back(change);
    warm.push_back(w[0]);
  }
  const SimulationRun run = run_of_example("hvac_room");
  ASSERT_EQ(run.events.size(), exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k)
    EXPECT_NEAR(time_of(run, k), exact[k].time, accuracy(24.0 * hour)) << k;
  const auto fan_starts = static_cast<double>(std::count_if(
      exact.begin(), exact.end(), [](const ExactSwitch& s) { return s.after % 2 > s.before % 2; }));
  double starts_found = 0.0;
  for (const Switch& change : switches(run, {"fan"})) starts_found += change.changed.at("fan");
  const auto at = [&](const std::string& name, std::size_t k) {
    return Quantity{name, "h", exact[k].time / hour, time_of(run, k) / hour, 7, accuracy(24.0)};
  };
  const auto& end = run.at(24 * hour);
  expect_quantities(
      "hvac_room", {at("radiator opens fully", 0),
                    at("radiator is throttled again", 1),
                    at("fan starts", 2),
                    at("fan stops", 3),
                    {"starts of the fan", "1", fan_starts, starts_found, 0, 0.0},
                    at("radiator opens in the evening", exact.size() - 1),
                    {"air at 18 h", "°C", warm[5], run.value(run.at(18 * hour), "T"), 6, accuracy(20.0)},
                    {"air at midnight", "°C", w[0], run.value(end, "T"), 6, accuracy(20.0)},
                    {"wall at midnight", "°C", w[1], run.value(end, "T_wall"), 6, accuracy(20.0)},
                    {"carbon dioxide at midnight", "ppm", w[2], run.value(end, "co2"), 4, accuracy(1000.0)}});
}

/// One period of the converter from the reset of the ramp: the exact map of (v, i), and how long it is off.
struct Converter {
  double E;
  double v = 12.0, i = 0.55, off = 0.0;

  void flow(double source, double t) {
    const double L = 0.02, C = 47e-6, R = 22.0, alpha = 0.5 / (R * C);
    const double omega = std::sqrt(1.0 / (L * C) - alpha * alpha), decay = std::exp(-alpha * t);
    const double x = v - source, slope = (i - v / R) / C, cosine = std::cos(omega * t),
                 sine = std::sin(omega * t);
    const double rate =
        decay * (slope * cosine - (alpha * slope + (alpha * alpha + omega * omega) * x) / omega * sine);
    v = source + decay * (x * cosine + (slope + alpha * x) / omega * sine);
    i = C * rate + v / R;
  }

  /// Off while the control voltage is above the ramp, on while it is below: in a transient more than once.
  void period() {
    constexpr int steps = 256;
    const double T = 400e-6;
    bool on = 8.4 * (v - 11.3) < 3.8;
    double t = 0.0;
    for (int step = 1; step <= steps; ++step) {
      const double end = T * step / steps;
      const auto gap = [&](double h) {
        Converter later = *this;
        later.flow(on ? E : 0.0, h);
        return (on ? -1.0 : 1.0) * (3.8 + 4.4 * (t + h) / T - 8.4 * (later.v - 11.3));
      };
      if (gap(end - t) > 0.0) {
        const double h = sign_change(gap, 0.0, end - t);
        flow(on ? E : 0.0, h);
        t += h;
        off = t;
        on = !on;
      }
      flow(on ? E : 0.0, end - t);
      t = end;
    }
  }
  void periods(int count) {
    for (int k = 0; k < count; ++k) period();
  }
};

TEST(Gallery, BuckConverter) {
  const double T = 400e-6;
  Converter exact{24.0}, limit{24.0};
  exact.periods(50);
  limit.periods(1000);
  const SimulationRun run = run_of_example("buck_converter");
  const auto resets_of = [](const SimulationRun& some) {
    std::vector<const SimulationRun::Row*> rows;
    for (const nlohmann::json& event : some.events)
      if (event.at("kind") == "law") rows.push_back(&some.at(event.at("time")));
    return rows;
  };
  const auto resets = resets_of(run);
  ASSERT_EQ(resets.size(), 50U);
  for (std::size_t k = 0; k < resets.size(); ++k)
    EXPECT_NEAR(resets[k]->time, static_cast<double>(k + 1) * T, 1e-12) << "the ramp is exact";
  const double switched = time_of(run, run.events.size() - 2) - resets[48]->time;
  std::vector<Quantity> quantities = {
      {"v after 50 periods, E = 24", "V", exact.v, run.value(*resets[49], "v"), 7, accuracy(12.0)},
      {"i after 50 periods, E = 24", "A", exact.i, run.value(*resets[49], "i"), 7, accuracy(1.0)},
      {"switch is off, of a period, E = 24", "µs", 1e6 * exact.off, 1e6 * switched, 3, 1e6 * accuracy(T)},
      // Multipliers of the limit cycle are about 0.83: 0.83^50 of the first distance, 0.02 V, is left.
      {"v of the limit cycle, E = 24", "V", limit.v, run.value(*resets[49], "v"), 4, 1e-5}};

  Converter four{31.3}, cycle{31.3};
  four.periods(496);
  cycle.periods(8'000);
  const SimulationRun other = run_of_example("buck_converter", {"--set", "E=31.3", "--stop", "0.2"});
  const auto others = resets_of(other);
  ASSERT_EQ(others.size(), 500U);
  for (std::size_t k = 496; k < 500; ++k) {
    four.period();
    cycle.period();
    const double found = other.value(*others[k], "v");
    quantities.push_back(
        {"v after " + std::to_string(k + 1) + " periods, E = 31.3", "V", four.v, found, 5, accuracy(12.0)});
    EXPECT_NEAR(found, cycle.v, 1e-4) << "nearly the limit cycle";
  }
  // Of period four and of no less: what is half a cycle apart differs.
  EXPECT_GT(std::abs(other.value(*others[497], "v") - other.value(*others[499], "v")), 1e-2);
  for (const SimulationRun* one : {&run, &other})
    EXPECT_TRUE(std::all_of(one->rows.begin(), one->rows.end(), [&](const auto& row) {
      return one->value(row, "i") > 0.0;
    })) << "the model has no mode without current";
  expect_quantities("buck_converter", quantities);
}

}  // namespace gallery_flows_test
}  // namespace mti::test
