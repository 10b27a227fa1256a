#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/program/exact_affine.hpp"

namespace mti::test {

/// An input u(t) = constant + slope·t + amplitude·sin(ω·t + phase).
struct Drive {
  double constant = 0.0, slope = 0.0, amplitude = 0.0, omega = 0.0, phase = 0.0;
};

/// What holds from `begin` on: the inputs of the three tanks and their limits.
struct TankPiece {
  double begin = 0.0;
  Drive ambient = {}, inlet = {.constant = 80.0};
  std::array<double, 3> low = {30.0, 25.0, 35.0}, high = {40.0, 35.0, 45.0};
  bool pump = true;  ///< the inlet flows
};

/// The three tanks (10)–(19) as an exact hybrid system; bit k of `valves` is valve k + 1.
///
/// c m ẋ_k = −(α1 + 2 α2) x_k + α1 Σ_{j≠k} x_j + α2 u1 − c fv (x_k − u2) valve_k / max(1, open valves).
/// A closed valve opens when x_k falls to its lower limit, an open one closes at the upper limit, and stays
/// so even where x_k goes on beyond the limit: both rows of the valve vanish or hold then.
struct ExactTanks {
  double c = 4200.0, m = 5.0, a1 = 125.0, a2 = 125.0, fv = 0.09;
  std::array<double, 3> x = {37.0, 30.0, 40.0};
  int valves = 0;
  std::vector<TankPiece> pieces = {TankPiece{}};

  struct Result {
    std::vector<ExactSwitch> switches;
    std::array<double, 3> x;
    int valves;
  };
  [[nodiscard]] Result run(double stop) const;
  [[nodiscard]] ExactMode mode(const TankPiece& piece, int open) const;
};

}  // namespace mti::test
