#pragma once

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

/// bridge_with_capacitor by implicit Euler: of all 2⁶ patterns of diodes the one nearest to the last whose currents and voltages
/// have their signs. It shares no code with the library.
namespace mti::test {

class BridgeBySteps {
 public:
  explicit BridgeBySteps(double leak) : leak_(leak) { std::iota(patterns_.begin(), patterns_.end(), 0U); }

  /// The capacitor's voltage at t = 0.04 by steps of h and h/2, without their error of order h.
  [[nodiscard]] double extrapolated(double h) const { return 2.0 * voltage(h / 2) - voltage(h); }

 private:
  using Row = Eigen::Matrix<double, 1, 11>;
  using Matrix = Eigen::Matrix<double, 11, 11>;
  using Vector = Eigen::Matrix<double, 11, 1>;
  /// Unknowns: two of the line currents, currents of the diodes, both rails, and the capacitor.
  enum Place { ia = 0, ib = 1, diode = 2, positive = 8, negative = 9, capacitor = 10 };
  static constexpr double L = 3.4e-3, C = 4e-4, R = 60.0, stop = 0.04;

  static Row line_current(int phase) {
    Row row = Row::Zero();
    if (phase < 2)
      row[phase] = 1.0;
    else
      row[ia] = row[ib] = -1.0;
    return row;
  }

  /// What a diode blocks, as row·w + constant.
  struct Blocked {
    Row row;
    double constant;
  };
  static Blocked blocked(int d, double h, double t, const Vector& before) {
    const int phase = d / 2;
    const double shift =
        std::array{0.0, -1.0, 1.0}[static_cast<std::size_t>(phase)] * 2.0 * std::numbers::pi / 3.0;
    const Row i = line_current(phase);
    const double source = 380.0 * std::sin(100.0 * std::numbers::pi * t + shift) + L / h * i.dot(before);
    Blocked v{L / h * i, -source};  // rail − line, the line being source − L/h·i
    if (d % 2 == 0) {
      v.row[positive] += 1.0;
      return v;
    }
    v = {-v.row, source};
    v.row[negative] -= 1.0;
    return v;
  }

  [[nodiscard]] bool step(unsigned pattern, double h, double t, const Vector& before, Vector& w) const {
    Matrix A = Matrix::Zero();
    Vector b = Vector::Zero();
    for (int phase = 0; phase < 3; ++phase) {
      A.row(phase) = line_current(phase);
      A(phase, diode + 2 * phase) -= 1.0;
      A(phase, diode + 2 * phase + 1) += 1.0;
    }
    for (int d = 0; d < 6; ++d) {
      const Blocked v = blocked(d, h, t, before);
      const bool conducts = (pattern >> static_cast<unsigned>(d) & 1U) != 0;
      A.row(3 + d) = conducts ? v.row : Row(leak_ * v.row);
      b[3 + d] = -(conducts ? 1.0 : leak_) * v.constant;
      if (!conducts) A(3 + d, diode + d) += 1.0;
    }
    A(9, positive) = 1.0;
    A(9, negative) = A(9, capacitor) = -1.0;
    A(10, capacitor) = C / h + 1.0 / R;
    b[10] = C / h * before[capacitor];
    for (const int upper : {0, 2, 4}) A(10, diode + upper) = -1.0;
    const Eigen::FullPivLU<Matrix> lu(A);
    if (!lu.isInvertible()) return false;
    w = lu.solve(b);
    for (int d = 0; d < 6; ++d) {
      const Blocked v = blocked(d, h, t, before);
      const double voltage = v.row.dot(w) + v.constant;
      if (w[diode + d] + leak_ * voltage < -1e-9 || voltage < -1e-6) return false;
    }
    return true;
  }

  [[nodiscard]] double voltage(double h) const {
    Vector before = Vector::Zero();
    before[capacitor] = 560.0;
    unsigned pattern = 0;
    for (long k = 1; k <= std::lround(stop / h); ++k) {
      Vector w;
      auto nearest = patterns_;
      std::ranges::stable_sort(nearest, {}, [&](unsigned other) { return std::popcount(other ^ pattern); });
      const auto found = std::ranges::find_if(
          nearest, [&](unsigned other) { return step(other, h, static_cast<double>(k) * h, before, w); });
      if (found == nearest.end()) throw std::runtime_error("no pattern of diodes");
      pattern = *found;
      before = w;
    }
    return before[capacitor];
  }

  double leak_;
  std::array<unsigned, 64> patterns_{};
};

}  // namespace mti::test
