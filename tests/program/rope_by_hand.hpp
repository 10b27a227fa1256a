#pragma once

#include <array>

/// A ball under gravity on a rope of length 1, by closed forms and a fixed step: free flight is a parabola,
/// the taut rope a pendulum in its angle. Independent of any constraint.
namespace mti::test {

struct Ball {
  double x, y, vx, vy;
};

struct RopeByHand {
  double g = 9.81;

  [[nodiscard]] Ball flight(const Ball& ball, double t) const;
  /// The first t > 0 at which the ball in free flight is at the end of the rope.
  [[nodiscard]] double reaches_end(const Ball& ball) const;
  /// Along the taut rope for t, by Runge–Kutta of fourth order in the angle.
  [[nodiscard]] Ball swing(const Ball& ball, double t) const;
  /// The rope's force per mass and length, λ, while taut.
  [[nodiscard]] double lambda(const Ball& ball) const;
  [[nodiscard]] double energy(const Ball& ball) const;
  /// The velocity along the rope is multiplied by −restitution; 0: it is taken away.
  [[nodiscard]] static Ball after_impact(const Ball& ball, double restitution = 0.0);
};

}  // namespace mti::test
