#include "tests/program/relay_by_hand.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mti::test {
namespace {

using Vector = Eigen::VectorXd;

/// One step of Dormand and Prince with its dense output (Hairer, Nørsett, Wanner, Solving Ordinary
/// Differential Equations I, II.5 and II.6) of ẋ = F x.
struct Step {
  Step(const Eigen::MatrixXd& F, const Vector& x, double h) {
    constexpr std::array<std::array<double, 6>, 6> a{{
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    }};
    constexpr std::array<double, 7> e{71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    constexpr std::array<double, 7> d{-12715105075.0 / 11282082432,  0.0,
                                      87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                      701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                      69997945.0 / 29380423};
    std::array<Vector, 7> k;
    k[0] = F * x;
    Vector end = x;
    for (std::size_t stage = 0; stage < a.size(); ++stage) {
      end = x;
      for (std::size_t i = 0; i <= stage; ++i) end += h * a[stage][i] * k[i];
      k[stage + 1] = F * end;
    }
    error = Vector::Zero(x.size());
    dense[4] = error;
    for (std::size_t i = 0; i < k.size(); ++i) {
      error += h * e[i] * k[i];
      dense[4] += h * d[i] * k[i];
    }
    dense[0] = x;
    dense[1] = end - x;
    dense[2] = h * k[0] - dense[1];
    dense[3] = dense[1] - h * k[6] - dense[2];
  }

  /// x at the fraction θ of the step.
  [[nodiscard]] Vector at(double theta) const {
    const double rest = 1.0 - theta;
    return dense[0] + theta * (dense[1] + rest * (dense[2] + theta * (dense[3] + rest * dense[4])));
  }

  std::array<Vector, 5> dense;
  Vector error;
};

/// The relay as part of the linear system: with a last state that is 1, ẋ = F x on each side.
class Run {
 public:
  Run(const RelaySystem& system, const Vector& x, int side, double rtol, double atol)
      : system_(system), rtol_(rtol), atol_(atol), side_(side), n_(x.size()), x_(n_ + 1) {
    x_ << x, 1.0;
    enter(side);
  }

  RelayRun follow(const std::vector<double>& sample_times) {
    auto sample = sample_times.begin();
    while (sample != sample_times.end()) {
      const double h = std::min(h_, sample_times.back() - t_);
      const Step step(F_, x_, h);
      const double size = error_size(step);
      const double factor = std::clamp(0.9 * std::pow(size, -0.2), 0.2, 5.0);
      if (size > 1.0) {
        h_ = h * factor;
        continue;
      }
      const double theta = first_boundary(step);
      const double reached = theta < 1.0 ? t_ + theta * h : std::min(t_ + h, sample_times.back());
      for (; sample != sample_times.end() && *sample <= reached + 1e-14 * sample_times.back(); ++sample)
        run_.samples.push_back(step.at((*sample - t_) / h).head(n_));
      x_ = step.at(theta);
      t_ = reached;
      h_ = h * factor;
      if (theta < 1.0) change();
    }
    return std::move(run_);
  }

 private:
  void enter(int side) {
    side_ = side;
    inside_ = false;
    const Eigen::RowVectorXd cA = system_.c * system_.A;
    equivalent_ = cA / system_.c.dot(system_.b);
    F_ = Eigen::MatrixXd::Zero(n_ + 1, n_ + 1);
    F_.topLeftCorner(n_, n_) = system_.A;
    if (side == 0)
      F_.topLeftCorner(n_, n_) -= system_.b * equivalent_;
    else
      F_.topRightCorner(n_, 1) = -side * system_.b;
    h_ = 1e-3 * std::pow(rtol_, 0.2);
  }

  /// Below zero where the run may stay on its side.
  [[nodiscard]] double boundary(const Vector& x) const {
    return side_ == 0 ? std::abs(equivalent_.dot(x.head(n_))) - 1.0 : -side_ * system_.c.dot(x.head(n_));
  }

  [[nodiscard]] double error_size(const Step& step) const {
    const Vector end = step.at(1.0);
    double size = 1e-10;
    for (Eigen::Index i = 0; i < n_; ++i)
      size = std::max(size, std::abs(step.error[i]) / (rtol_ * std::abs(end[i]) + atol_));
    return size;
  }

  /// Fraction of the step at which the boundary is met; 1 if it is not. A run that begins on it has to be
  /// inside first.
  double first_boundary(const Step& step) {
    constexpr int pieces = 16;
    for (int piece = 1; piece <= pieces; ++piece) {
      double high = static_cast<double>(piece) / pieces, low = high - 1.0 / pieces;
      const double g = boundary(step.at(high));
      if (g >= 0.0 && inside_) {
        for (int halving = 0; halving < 60; ++halving)
          (boundary(step.at(0.5 * (low + high))) >= 0.0 ? high : low) = 0.5 * (low + high);
        return std::min(high, std::nextafter(1.0, 0.0));
      }
      inside_ = inside_ || g < 0.0;
    }
    return 1.0;
  }

  void change() {
    const int before = side_;
    if (before == 0) {
      enter(equivalent_.dot(x_.head(n_)) > 0.0 ? 1 : -1);
    } else {
      x_.head(n_) -= system_.c.transpose() * (system_.c.dot(x_.head(n_)) / system_.c.squaredNorm());
      const double u = system_.c.dot(system_.A * x_.head(n_)) / system_.c.dot(system_.b);
      enter(std::abs(u) <= 1.0 && system_.c.dot(system_.b) > 0.0 ? 0 : -before);
    }
    run_.changes.push_back({t_, before, side_});
  }

  const RelaySystem& system_;
  double rtol_, atol_;
  int side_;
  Eigen::Index n_;
  bool inside_ = false;
  Vector x_;
  Eigen::MatrixXd F_;
  Eigen::RowVectorXd equivalent_;
  double t_ = 0.0, h_ = 0.0;
  RelayRun run_;
};

}  // namespace

RelayRun run_by_hand(const RelaySystem& system, Vector x, int side, const std::vector<double>& sample_times,
                     double rtol, double atol) {
  return Run(system, x, side, rtol, atol).follow(sample_times);
}

}  // namespace mti::test
