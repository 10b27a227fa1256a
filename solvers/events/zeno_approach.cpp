#include "solvers/events/zeno_approach.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// So many numbers are kept at most, and of small models so many events.
constexpr std::size_t most_numbers = 1'000'000, most_approach_events = 128, fewest_events = 17;

}  // namespace

Approach::Approach(const Signature& signature)
    : n_(signature.n()),
      state_row_(signature.state_row(0)),
      most_(std::clamp(most_numbers / at(2 * n_ + 1), fewest_events, most_approach_events)) {}

void Approach::note(double time, std::span<const double> v) {
  const auto part = [&](int first) { return std::vector<double>(v.begin() + first, v.begin() + first + n_); };
  events_.push_back({time, part(state_row_), part(0)});
  if (events_.size() > most_) events_.pop_front();
}

Approach::Point Approach::at_limit(double time, std::size_t period) const {
  const std::size_t last = events_.size() - 1;
  const Event& now = events_[last];
  const std::size_t events = last / period * period;  // whole periods
  const Event& before = events_[last - events];
  const std::size_t turn = std::min(period, last);
  const double d = now.time - events_[last - turn].time, left = time - now.time;
  Point point{now.x, std::vector<double>(now.x.size(), 0.0)};
  for (std::size_t i = 0; i < now.x.size(); ++i) {
    if (now.time > before.time) point.x[i] += left * (now.x[i] - before.x[i]) / (now.time - before.time);
    double& uncertainty = point.uncertainty[i];
    for (std::size_t k = 0; k <= turn; ++k) {
      const Event& event = events_[last - k];
      uncertainty = std::max(uncertainty,
                             std::abs(event.x[i] - point.x[i]) + std::abs(event.rate[i]) * std::min(d, left));
    }
  }
  return point;
}

void put_on_surfaces(const RowMap& g, std::span<const int> rows, const Signature& signature,
                     std::span<const double> weights, std::span<double> v) {
  constexpr int rounds = 3;  // multilinear in x: a step of Newton's is exact but for products of states
  const int n = signature.n(), first = signature.state_row(0);
  const int algebraic = signature.algebraic_row(0), binaries = signature.binary_row(0);
  for (int round = 0; round < rounds; ++round) {
    std::vector<Eigen::VectorXd> gradients;
    std::vector<double> values;
    for (const int row : rows) {
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
      bool of_states = true;
      g.gradient(row, v, [&](int signal, double slope) {
        if (signal >= first && signal < first + n)
          gradient[signal - first] += slope;
        else if (slope != 0.0 && (signal < first || (signal >= algebraic && signal < binaries)))
          of_states = false;
      });
      if (!of_states || gradient.isZero(0.0)) continue;
      gradients.push_back(std::move(gradient));
      values.push_back(g.value(row, v));
    }
    if (gradients.empty()) return;
    const auto count = static_cast<Eigen::Index>(gradients.size());
    Eigen::MatrixXd J(count, n);
    Eigen::VectorXd residual(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      J.row(i) = gradients[at(i)];
      residual[i] = values[at(i)];
    }
    Eigen::VectorXd scale(n);
    for (int i = 0; i < n; ++i) scale[i] = weights[at(i)];
    const Eigen::MatrixXd scaled = J * scale.asDiagonal();
    const Eigen::VectorXd move =
        scale.asDiagonal() * scaled.completeOrthogonalDecomposition().solve(-residual).eval();
    for (int i = 0; i < n; ++i) v[at(first + i)] += move[i];
  }
}

}  // namespace mti
