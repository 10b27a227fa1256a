#include "solvers/flow/exact_state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti {
namespace {

constexpr double several_roundings = 4.0 * machine_epsilon;

std::vector<int> rows_of_states(const SeriesProgram& program) {
  std::vector<int> rows;
  for (const SeriesProgram::State& state : program.states())
    rows.push_back(program.slots()[at(state.value)].row);
  return rows;
}

}  // namespace

ExactState::ExactState(const FlowMode& mode, double t, std::vector<InputPiece> pieces,
                       std::vector<Coordinate> coordinates)
    : mode_(&mode),
      revision_(mode.revision()),
      t_(t),
      pieces_(std::move(pieces)),
      rows_(rows_of_states(mode.affine().program())),
      coordinates_(std::move(coordinates)) {
  const auto states = static_cast<Eigen::Index>(rows_.size());
  std::vector<double> w(at(mode.affine().size()), 0.0);
  for (const Coordinate& coordinate : coordinates_) {
    w[x_.size()] = coordinate.omega;
    x_.emplace_back(coordinate.omega);
  }
  mode.affine().enter_inputs(t, pieces_, w);
  of_coordinates_.setIdentity(states, states);
  own_error_.setZero(states);
  own_rounding_.setZero(states);
  const std::vector<Quadruple> exact(w.begin(), w.end());
  for (std::size_t j = 0; j < mode.fast().size(); ++j) {
    const FlowMode::Relaxed relaxed = mode.relaxed(j, exact);
    const int state = mode.fast()[j];
    x_[at(state)] += relaxed.x;
    own_error_[state] = relaxed.error;
    own_rounding_[state] = relaxed.rounding;
    of_coordinates_.row(state) += relaxed.weights.head(states);
  }
}

ExactState::ExactState(double t, std::vector<int> rows, std::vector<Coordinate> coordinates)
    : t_(t), rows_(std::move(rows)), coordinates_(std::move(coordinates)) {
  const auto states = static_cast<Eigen::Index>(rows_.size());
  for (const Coordinate& coordinate : coordinates_) x_.emplace_back(coordinate.omega);
  of_coordinates_.setIdentity(states, states);
  own_error_.setZero(states);
  own_rounding_.setZero(states);
}

std::vector<double> ExactState::states(const FlowMode& mode) const {
  std::vector<double> found;
  for (const int row : rows_of_states(mode.affine().program())) {
    const auto old = std::ranges::find(rows_, row);
    if (old == rows_.end()) return {};
    found.push_back(static_cast<double>(x_[at(old - rows_.begin())]));
  }
  return found;
}

bool ExactState::is_at(double t, std::span<const double> v, const Accuracy& accuracy) const {
  constexpr double several = 4.0;
  if (t != t_) return false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double x = v[at(rows_[i])];
    if (!(std::abs(static_cast<double>(x_[i]) - x) <= several * accuracy.of(rows_[i], x))) return false;
  }
  return true;
}

std::vector<ExactState::Coordinate> ExactState::distances(const FlowMode& mode,
                                                          const std::vector<InputPiece>& pieces) const {
  const std::vector<int> rows = rows_of_states(mode.affine().program());
  std::vector<Eigen::Index> old;  // by state of the mode
  for (const int row : rows) old.push_back(std::ranges::find(rows_, row) - rows_.begin());
  std::vector<double> before(at(mode.affine().size()), 0.0), after = before;
  mode.affine().enter_inputs(t_, pieces_.empty() ? pieces : pieces_, before);
  mode.affine().enter_inputs(t_, pieces, after);
  std::vector<Quadruple> w;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (i < old.size()) {
      w.push_back(x_[at(old[i])]);
      continue;
    }
    // Pieces that join are the same there but for rounding.
    const bool joins =
        std::abs(after[i] - before[i]) <= several_roundings * (std::abs(after[i]) + std::abs(before[i]));
    w.emplace_back(joins ? before[i] : after[i]);
  }
  const bool is_same = mode_ == &mode && revision_ == mode.revision();
  std::vector<Coordinate> found;
  for (std::size_t j = 0; j < mode.fast().size(); ++j) {
    const FlowMode::Relaxed relaxed = mode.relaxed(j, w);
    const Eigen::Index state = old[at(mode.fast()[j])];
    Eigen::RowVectorXd c = of_coordinates_.row(state);
    for (std::size_t i = 0; i < old.size(); ++i)
      c -= relaxed.weights[static_cast<Eigen::Index>(i)] * of_coordinates_.row(old[i]);
    Coordinate& distance = found.emplace_back();
    distance.omega = static_cast<double>(x_[at(state)] - relaxed.x);
    distance.rounding =
        several_roundings * std::abs(distance.omega) + own_rounding_[state] + relaxed.rounding;
    if (!is_same) distance.rounding += own_error_[state] + relaxed.error;
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      const double weight = std::abs(c[static_cast<Eigen::Index>(k)]);
      distance.error += weight * coordinates_[k].error;
      distance.rounding += weight * coordinates_[k].rounding;
    }
  }
  return found;
}

}  // namespace mti
