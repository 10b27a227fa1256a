#pragma once

#include <array>

/// A body on a rod and a second one on a rope below it, by their accelerations: the forces of rod and rope
/// follow from a linear system at every stage of a Runge–Kutta step. No constraint is ever solved for.
namespace mti::test {

struct TwoLinkByHand {
  double g = 9.81, m1 = 2.0, m2 = 1.0, L2 = 0.8;

  /// x1, y1, x2, y2, vx1, vy1, vx2, vy2
  using State = std::array<double, 8>;
  struct Forces {
    double rod, rope;
  };

  [[nodiscard]] Forces forces(const State& w, bool taut) const;
  [[nodiscard]] State after(const State& w, double t, bool taut) const;
  /// How much longer the distance is than the rope, squared.
  [[nodiscard]] double beyond(const State& w) const;
  [[nodiscard]] double time_until_taut(const State& w) const;
  /// Impulses that leave no velocity along the rod and the rope, and what they make of w.
  [[nodiscard]] Forces impulses(const State& w) const;
  [[nodiscard]] State after_impulses(const State& w) const;
  [[nodiscard]] double energy(const State& w) const;

 private:
  [[nodiscard]] State slope(const State& w, bool taut) const;
  [[nodiscard]] State step(const State& w, double h, bool taut) const;
  /// Forces that give the two lengths the second derivatives (or velocities) `rod`, `rope`.
  [[nodiscard]] Forces solve(const State& w, double rod, double rope) const;
};

}  // namespace mti::test
