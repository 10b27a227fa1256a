#include "tests/program/tank_variation.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti::test {
namespace {

// w = (x1, x2, x3, 1, ambient: ramp, sine, cosine, inlet: ramp, sine, cosine)
constexpr Eigen::Index one = 3, ambient = 4, inlet = 7, size = 10;
constexpr double scan_step = 0.25;  // s; the tanks' time constants are more than a hundred times as long

void enter(const Drive& drive, double t, Eigen::Index at, Eigen::VectorXd& w) {
  w[at] = drive.constant + drive.slope * t;
  w[at + 1] = drive.amplitude * std::sin(drive.omega * t + drive.phase);
  w[at + 2] = drive.amplitude * std::cos(drive.omega * t + drive.phase);
}

void add_flow(const Drive& drive, Eigen::Index at, Eigen::MatrixXd& M) {
  M(at, one) = drive.slope;
  M(at + 1, at + 2) = drive.omega;
  M(at + 2, at + 1) = -drive.omega;
}

}  // namespace

ExactMode ExactTanks::mode(const TankPiece& piece, int open) const {
  ExactMode mode{Eigen::MatrixXd::Zero(size, size), {}};
  const int number_open = (open & 1) + (open >> 1 & 1) + (open >> 2 & 1);
  for (int k = 0; k < 3; ++k) {
    const bool is_open = (open >> k & 1) != 0;
    const double flow = piece.pump && is_open ? c * fv / std::max(1, number_open) : 0.0;
    for (int j = 0; j < 3; ++j) mode.M(k, j) = (j == k ? -(a1 + 2.0 * a2) - flow : a1) / (c * m);
    for (const Eigen::Index part : {0, 1}) {
      mode.M(k, ambient + part) = a2 / (c * m);
      mode.M(k, inlet + part) = flow / (c * m);
    }
    Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(size);
    s[k] = is_open ? 1.0 : -1.0;
    s[one] = is_open ? -piece.high[at(k)] : piece.low[at(k)];
    mode.exits.push_back({s, open ^ (1 << k)});
  }
  add_flow(piece.ambient, ambient, mode.M);
  add_flow(piece.inlet, inlet, mode.M);
  return mode;
}

ExactTanks::Result ExactTanks::run(double stop) const {
  Result result{{}, x, valves};
  Eigen::VectorXd w = Eigen::VectorXd::Zero(size);
  for (std::size_t k = 0; k < 3; ++k) w[static_cast<Eigen::Index>(k)] = x[k];
  w[one] = 1.0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const TankPiece& piece = pieces[i];
    enter(piece.ambient, piece.begin, ambient, w);
    enter(piece.inlet, piece.begin, inlet, w);
    const double end = i + 1 < pieces.size() ? pieces[i + 1].begin : stop;
    const auto system = [&](int open) { return mode(piece, open); };
    const std::vector<ExactSwitch> found = follow(system, piece.begin, end, scan_step, w, result.valves);
    result.switches.insert(result.switches.end(), found.begin(), found.end());
  }
  for (std::size_t k = 0; k < 3; ++k) result.x[k] = w[static_cast<Eigen::Index>(k)];
  return result;
}

}  // namespace mti::test
