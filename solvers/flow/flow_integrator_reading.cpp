// What is read from the last step of an exact flow.
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/flow/flow_integrator.hpp"

namespace mti {

void FlowIntegrator::interpolate(double t, int k, const SegmentUnknowns& unknowns,
                                 std::span<double> result) const {
  const SeriesProgram& program = mode_->affine().program();
  const Eigen::VectorXd basis = ChebyshevGrid::basis((t - begin_) / length_, k) / std::pow(length_, k);
  const std::vector<SegmentUnknowns::Slot>& listed = unknowns.slots();
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const int slot = program.place(listed[i].row);
    result[i] = slot >= 0 ? coefficients_.row(slot).dot(basis) : k == 0 ? constants_[at(listed[i].row)] : 0.0;
  }
}

double FlowIntegrator::constraint_bound(std::size_t index) const {
  const Eigen::VectorXd& weights = mode_->constraint(index);
  if (weights.size() == 0) return std::numeric_limits<double>::infinity();
  Eigen::RowVectorXd c;
  if (const int row = mode_->row_of_constraint(index); row >= 0) {
    c = coefficients_.row(row);
  } else {
    c = weights.head(weights.size() - 1).transpose() * coefficients_.topRows(weights.size() - 1);
    c[0] += weights[weights.size() - 1];
  }
  return c[0] + c.tail(c.size() - 1).cwiseAbs().sum();
}

double FlowIntegrator::error(int row, double value, double t) const {
  const int slot = mode_->affine().program().place(row);
  if (!mode_->is_split() || !vouches_ || slot < 0 ||
      mode_->affine().program().slots()[at(slot)].kind == SeriesProgram::Slot::Kind::slope)
    return std::numeric_limits<double>::infinity();
  return error_in(slot, value, t);
}

/// Of s in a row of C, where the mode is split and the last step has been made.
double FlowIntegrator::error_in(Eigen::Index row, double value, double t) const {
  Eigen::VectorXd fast = state_error_;
  decay(t - begin_, fast);
  double error = accuracy_.rtol * std::abs(value) + slow_error_[row] + floor_[row] + 2.0 * best_.off[row];
  for (const int state : mode_->fast()) error += C_magnitude_(row, state) * fast[state];
  return error;
}

std::optional<FlowIntegrator::OwnSignal> FlowIntegrator::constraint(std::size_t index, double t,
                                                                    int k) const {
  const int row = vouches_ ? mode_->row_of_constraint(index) : -1;
  if (row < 0) return std::nullopt;
  const double value =
      coefficients_.row(row).dot(ChebyshevGrid::basis((t - begin_) / length_, k)) / std::pow(length_, k);
  return OwnSignal{value, floor_[row], error_in(row, value, t)};
}

void FlowIntegrator::leave(double t) {
  arrived_.reset();
  if (mode_ == nullptr || !vouches_ || !(begin_ <= t && t <= end_)) return;
  const Eigen::VectorXd basis = ChebyshevGrid::basis((t - begin_) / length_, 0);
  Eigen::VectorXd fast = state_error_;
  if (mode_->is_split()) decay(t - begin_, fast);
  std::vector<ExactState::Coordinate> coordinates;
  for (int i = 0; i < mode_->affine().states(); ++i) {
    const int row = mode_->row_of(i);
    coordinates.push_back({coefficients_.row(row).dot(basis), 2.0 * best_.off[row], floor_[row]});
  }
  for (const int state : mode_->fast()) coordinates[at(state)].error += fast[state];
  arrived_.emplace(*mode_, t, pieces_, std::move(coordinates));
}

double FlowIntegrator::floor(int row) const {
  const int slot = mode_->affine().program().place(row);
  return slot >= 0 ? floor_[slot] : 0.0;
}

}  // namespace mti
