#include "tests/program/rope_by_hand.hpp"

#include <cmath>

namespace mti::test {

Ball RopeByHand::flight(const Ball& ball, double t) const {
  return {ball.x + ball.vx * t, ball.y + ball.vy * t - 0.5 * g * t * t, ball.vx, ball.vy - g * t};
}

double RopeByHand::reaches_end(const Ball& ball) const {
  const auto beyond = [&](double t) {
    const Ball there = flight(ball, t);
    return there.x * there.x + there.y * there.y - 1.0;
  };
  const double step = 1e-4;
  double low = step;
  // A ball that leaves the end of the rope is inside after the first step.
  while (beyond(low + step) <= 0.0) low += step;
  double high = low + step;
  while (low < 0.5 * (low + high) && 0.5 * (low + high) < high)
    (beyond(0.5 * (low + high)) > 0.0 ? high : low) = 0.5 * (low + high);
  return high;
}

Ball RopeByHand::swing(const Ball& ball, double t) const {
  double angle = std::atan2(ball.x, -ball.y), rate = ball.vx * std::cos(angle) + ball.vy * std::sin(angle);
  const int steps = 1 + static_cast<int>(std::ceil(std::abs(t) / 2.5e-4));
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const auto slope = [&](double a) { return -g * std::sin(a); };
    const double a1 = rate, r1 = slope(angle), a2 = rate + h / 2 * r1, r2 = slope(angle + h / 2 * a1),
                 a3 = rate + h / 2 * r2, r3 = slope(angle + h / 2 * a2), a4 = rate + h * r3,
                 r4 = slope(angle + h * a3);
    angle += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    rate += h / 6 * (r1 + 2 * r2 + 2 * r3 + r4);
  }
  return {std::sin(angle), -std::cos(angle), rate * std::cos(angle), rate * std::sin(angle)};
}

double RopeByHand::lambda(const Ball& ball) const {
  return ball.vx * ball.vx + ball.vy * ball.vy - g * ball.y;
}

double RopeByHand::energy(const Ball& ball) const {
  return 0.5 * (ball.vx * ball.vx + ball.vy * ball.vy) + g * ball.y;
}

Ball RopeByHand::after_impact(const Ball& ball, double restitution) {
  const double radial = (ball.vx * ball.x + ball.vy * ball.y) / (ball.x * ball.x + ball.y * ball.y);
  const double change = (1.0 + restitution) * radial;
  return {ball.x, ball.y, ball.vx - change * ball.x, ball.vy - change * ball.y};
}

}  // namespace mti::test
