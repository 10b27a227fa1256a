#include "solvers/flow/flow_mode.hpp"

#include <cmath>
#include <limits>

#include "mti/common/rounding.hpp"
#include "solvers/flow/balance.hpp"
#include "solvers/flow/fast_states.hpp"
#include "solvers/flow/slow_manifold.hpp"

namespace mti {

std::unique_ptr<FlowMode> FlowMode::of(const Model& model, const ModeSystem& system,
                                       const std::shared_ptr<const SeriesProgram>& program, double duration) {
  std::optional<AffineMode> affine = AffineMode::of(model, system, program);
  if (!affine) return nullptr;
  return std::unique_ptr<FlowMode>(new FlowMode(*std::move(affine), duration));
}

bool FlowMode::begin_segment(std::span<const double> v, double least_rate, double at_once) {
  weigh_constraints(v);
  std::vector<double> constants = affine_.constants(v);
  if (ladder_ && constants == constants_) {
    split_on_suspicion(least_rate, at_once);
    return true;
  }
  ladder_.reset();
  levels_.clear();
  constants_ = std::move(constants);
  auto fine = affine_.matrices<long double>(v);
  auto coarse = affine_.matrices<double>(v);
  if (!fine || !coarse) return false;
  v_.assign(v.begin(), v.end());
  M_ = coarse->M;
  const Eigen::VectorXd D = balance(M_.cwiseAbs(), affine_.states()).head(affine_.states());
  const auto of_states = M_.topLeftCorner(D.size(), D.size()).cwiseAbs();
  size_of_M_ = (of_states * D).cwiseQuotient(D).lpNorm<Eigen::Infinity>();
  C_ = fine->C.cast<double>();
  C_error_.resize(0, 0);
  fast_.clear();
  relaxes_at_once_ = cannot_split_ = false;
  list_rows();
  tried_rate_ = std::numeric_limits<double>::infinity();
  split_on_suspicion(least_rate, at_once);
  if (is_split()) return true;
  ladder_.emplace(fine->M, coarse->M, affine_.states(), duration_);
  if (!ladder_->is_usable()) ladder_.reset();
  return ladder_.has_value();
}

void FlowMode::list_rows() {
  ++revision_;
  rows_.clear();
  for (const SeriesProgram::State& state : affine_.program().states()) rows_.push_back(state.value);
  const int slots = static_cast<int>(affine_.program().slots().size());
  for (std::size_t j = 0; j < fast_.size(); ++j) rows_[at(fast_[j])] = slots + static_cast<int>(j);
  constraint_rows_.assign(affine_.constraints().size(), -1);
  if (!is_split()) return;
  int row = slots + static_cast<int>(fast_.size());
  for (const int constraint : affine_.affine_constraints()) constraint_rows_[at(constraint)] = row++;
}

bool FlowMode::split() {
  if (is_split()) return false;
  constexpr double narrow_gap = 10.0;
  cannot_split_ = split_beyond(0.0, narrow_gap) == 0.0;
  return is_split();
}

/// Only what is clearly apart; the search for the manifold gains log10(gap) digits with every iteration.
void FlowMode::split_on_suspicion(double least_rate, double at_once) {
  constexpr double wide_gap = 1000.0;
  constexpr std::size_t most_slots_searched = 300;  // above this the search is too much
  if (is_split() || cannot_split_ || !(least_rate < tried_rate_)) return;
  if (affine_.program().watched().empty() || affine_.program().slots().size() > most_slots_searched) return;
  tried_rate_ = least_rate;
  relaxes_at_once_ = split_beyond(least_rate, wide_gap) >= at_once;
}

double FlowMode::split_beyond(double least_rate, double least_gap) {
  FastStates fast = fast_states(M_, affine_.states(), least_rate, least_gap, 1.0 / duration_);
  if (fast.states.empty()) return 0.0;
  const std::optional<SlowManifold> made = SlowManifold::of(affine_, v_, fast.states);
  if (!made) return 0.0;
  FlowLadder ladder(made->M, made->coarse_M, affine_.states(), duration_);
  if (!ladder.is_usable()) return 0.0;
  ladder_ = std::move(ladder);
  levels_.clear();
  C_ = made->C.cast<double>();
  C_error_ = made->C_error;
  Q_ = made->Q;
  Q_error_ = made->Q_error;
  fast_ = std::move(fast.states);
  list_rows();
  return fast.rate;
}

void FlowMode::enter_coordinates(std::span<double> w, Eigen::VectorXd& rounding) const {
  for (std::size_t j = 0; j < fast_.size(); ++j) {
    const auto row = static_cast<Eigen::Index>(j);
    long double d = w[at(fast_[j])], size = std::abs(d);
    for (Eigen::Index i = 0; i < Q_.cols(); ++i) {
      if (Q_(row, i) == 0) continue;  // of fast states above all
      const long double part = static_cast<long double>(Q_(row, i)) * w[at(i)];
      d -= part;
      size += std::abs(part);
    }
    w[at(fast_[j])] = static_cast<double>(d);
    rounding[fast_[j]] += machine_epsilon * static_cast<double>(size);
  }
}

void FlowMode::enter_errors(Eigen::VectorXd& errors) const {
  for (std::size_t j = 0; j < fast_.size(); ++j)
    for (Eigen::Index i = 0; i < Q_.cols(); ++i)
      errors[fast_[j]] += std::abs(static_cast<double>(Q_(static_cast<Eigen::Index>(j), i))) * errors[i];
}

FlowMode::Relaxed FlowMode::relaxed(std::size_t index, const std::vector<Quadruple>& w) const {
  const auto row = static_cast<Eigen::Index>(index);
  const auto unit = 4.0 * static_cast<double>(std::numeric_limits<Quadruple>::epsilon());
  Relaxed found{0, 0.0, 0.0, Q_.row(row).cast<double>()};
  for (Eigen::Index i = 0; i < Q_.cols(); ++i) {
    if (Q_(row, i) == 0) continue;
    found.x += Q_(row, i) * w[at(i)];
    const double size = std::abs(static_cast<double>(w[at(i)]));
    found.error += Q_error_(row, i) * size;
    found.rounding += unit * std::abs(found.weights[i]) * size;
  }
  return found;
}

void FlowMode::decay(int level, Eigen::VectorXd& errors) {
  const FlowLadder::Rung& rung = ladder_->rung(level);
  std::vector<double> left;
  for (const int i : fast_) {
    double& sum = left.emplace_back();
    for (const int k : fast_) sum += std::abs((i == k ? 1.0 : 0.0) + rung.F(i, k)) * errors[k];
  }
  for (std::size_t j = 0; j < fast_.size(); ++j) errors[fast_[j]] = left[j];
}

void FlowMode::contract(int level, Eigen::VectorXd& errors) {
  const Eigen::Index states = affine_.states();
  Eigen::MatrixXd passed = ladder_->rung(level).F.topLeftCorner(states, states);
  passed.diagonal().array() += 1.0;
  const Eigen::VectorXd before = errors.head(states), left = passed.cwiseAbs() * before;
  errors.head(states) = before.cwiseMin(left);
  for (const int i : fast_) errors[i] = left[i];
}

void FlowMode::remember_level(std::size_t step, int level) {
  constexpr std::size_t most_steps = 64;
  if (step < levels_.size())
    levels_[step] = level;
  else if (step == levels_.size() && step < most_steps)
    levels_.push_back(level);
}

void FlowMode::weigh_constraints(std::span<const double> v) {
  const auto slots = static_cast<Eigen::Index>(affine_.program().slots().size());
  constraints_.clear();
  for (const AffineMode::AffineRow& row : affine_.constraints()) {
    Eigen::VectorXd& weights = constraints_.emplace_back();
    if (!row.is_affine) continue;
    weights.setZero(slots + 1);
    for (const AffineMode::AffineRow::Part& part : row.parts) {
      const auto weight = AffineMode::weight<double>(part, v);
      if (part.slot >= 0) weights[part.slot] += weight * part.b;
      weights[slots] += part.slot < 0 ? weight : weight * part.a;
    }
  }
}

}  // namespace mti
