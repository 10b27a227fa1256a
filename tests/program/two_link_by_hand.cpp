#include "tests/program/two_link_by_hand.hpp"

#include <cmath>

namespace mti::test {
namespace {

constexpr double longest_step = 2e-4;

using State = TwoLinkByHand::State;

State plus(const State& w, double h, const State& slope) {
  State result = w;
  for (std::size_t i = 0; i < w.size(); ++i) result[i] += h * slope[i];
  return result;
}

}  // namespace

TwoLinkByHand::Forces TwoLinkByHand::solve(const State& w, double rod, double rope) const {
  const double dx = w[2] - w[0], dy = w[3] - w[1];
  const double own = w[0] * w[0] + w[1] * w[1], mixed = w[0] * dx + w[1] * dy, other = dx * dx + dy * dy;
  const double a11 = -own / m1, a12 = mixed / m1, a22 = -other / m1 - other / m2;
  const double determinant = a11 * a22 - a12 * a12;
  return {(rod * a22 - a12 * rope) / determinant, (a11 * rope - a12 * rod) / determinant};
}

TwoLinkByHand::Forces TwoLinkByHand::forces(const State& w, bool taut) const {
  const double du = w[6] - w[4], dv = w[7] - w[5];
  const double rod = g * w[1] - w[4] * w[4] - w[5] * w[5];
  if (taut) return solve(w, rod, -du * du - dv * dv);
  return {-m1 * rod / (w[0] * w[0] + w[1] * w[1]), 0.0};
}

TwoLinkByHand::State TwoLinkByHand::slope(const State& w, bool taut) const {
  const auto [rod, rope] = forces(w, taut);
  const double dx = w[2] - w[0], dy = w[3] - w[1];
  return {w[4],
          w[5],
          w[6],
          w[7],
          (-rod * w[0] + rope * dx) / m1,
          (-rod * w[1] + rope * dy) / m1 - g,
          -rope * dx / m2,
          -rope * dy / m2 - g};
}

TwoLinkByHand::State TwoLinkByHand::step(const State& w, double h, bool taut) const {
  const State k1 = slope(w, taut), k2 = slope(plus(w, h / 2, k1), taut), k3 = slope(plus(w, h / 2, k2), taut),
              k4 = slope(plus(w, h, k3), taut);
  return plus(plus(plus(plus(w, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
}

TwoLinkByHand::State TwoLinkByHand::after(const State& w, double t, bool taut) const {
  const int steps = 1 + static_cast<int>(t / longest_step);
  State result = w;
  for (int i = 0; i < steps; ++i) result = step(result, t / steps, taut);
  return result;
}

double TwoLinkByHand::beyond(const State& w) const {
  return (w[2] - w[0]) * (w[2] - w[0]) + (w[3] - w[1]) * (w[3] - w[1]) - L2 * L2;
}

double TwoLinkByHand::time_until_taut(const State& w) const {
  double low = 0.0, high = longest_step;
  State from = w;
  for (State next = step(from, longest_step, false); beyond(next) < 0.0;
       next = step(from, longest_step, false)) {
    from = next;
    low = high;
    high += longest_step;
  }
  const double begin = low;
  while (low < 0.5 * (low + high) && 0.5 * (low + high) < high)
    (beyond(step(from, 0.5 * (low + high) - begin, false)) > 0.0 ? high : low) = 0.5 * (low + high);
  return high;
}

TwoLinkByHand::Forces TwoLinkByHand::impulses(const State& w) const {
  const double dx = w[2] - w[0], dy = w[3] - w[1];
  return solve(w, -w[0] * w[4] - w[1] * w[5], -dx * (w[6] - w[4]) - dy * (w[7] - w[5]));
}

TwoLinkByHand::State TwoLinkByHand::after_impulses(const State& w) const {
  const auto [rod, rope] = impulses(w);
  const double dx = w[2] - w[0], dy = w[3] - w[1];
  State result = w;
  result[4] += (-rod * w[0] + rope * dx) / m1;
  result[5] += (-rod * w[1] + rope * dy) / m1;
  result[6] -= rope * dx / m2;
  result[7] -= rope * dy / m2;
  return result;
}

double TwoLinkByHand::energy(const State& w) const {
  return 0.5 * m1 * (w[4] * w[4] + w[5] * w[5]) + 0.5 * m2 * (w[6] * w[6] + w[7] * w[7]) +
         g * (m1 * w[1] + m2 * w[3]);
}

}  // namespace mti::test
