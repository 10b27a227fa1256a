#include "solvers/sensitivities/variational_equations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// In roundings of the time.
constexpr double shortest_step = 16.0;
constexpr std::size_t stages = 5;
/// 0 and the roots of P_5(2c − 1) − P_4(2c − 1).
constexpr std::array<double, stages + 1> nodes = {0.0,
                                                  0.05710419611451768219312,
                                                  0.27684301363812382768005,
                                                  0.58359043236891682005670,
                                                  0.86024013565621944784791,
                                                  1.0};

/// d_ij = ℓ_j'(c_i) of the polynomials of Lagrange.
MatrixXd differentiation() {
  const std::size_t n = nodes.size();
  MatrixXd d = MatrixXd::Zero(static_cast<Index>(n), static_cast<Index>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t m = 0; m < n; ++m) {
        if (m == j) continue;
        double product = 1.0 / (nodes[j] - nodes[m]);
        for (std::size_t k = 0; k < n; ++k)
          if (k != j && k != m) product *= (nodes[i] - nodes[k]) / (nodes[j] - nodes[k]);
        sum += product;
      }
      d(static_cast<Index>(i), static_cast<Index>(j)) = sum;
    }
  return d;
}

const MatrixXd& slopes() {
  static const MatrixXd d = differentiation();
  return d;
}

}  // namespace

void VariationalEquations::begin() {
  // Lengths of steps are those of the segment before, to begin with.
  trusted_until_ = noisy_until_ = -std::numeric_limits<double>::infinity();
  kept_.clear();
  has_constant_ = false;
}

std::shared_ptr<const VariationalEquations::Factor> VariationalEquations::factorise(
    const LinearisedMode& mode, double h) {
  const int size = mode.size();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < stages; ++i) {
    const LinearPoint& point = mode.is_constant() ? constant_ : points_[i];
    const int first = static_cast<int>(i) * size;
    for (const Eigen::Triplet<double>& entry : point.A)
      entries.emplace_back(first + entry.row(), first + entry.col(), entry.value());
    for (const Eigen::Triplet<double>& entry : point.E)
      for (std::size_t j = 0; j < stages; ++j)
        entries.emplace_back(
            first + entry.row(), static_cast<int>(j) * size + entry.col(),
            entry.value() * slopes()(static_cast<Index>(i + 1), static_cast<Index>(j + 1)) / h);
  }
  const int whole = static_cast<int>(stages) * size;
  auto factor = std::make_shared<Factor>();
  factor->h = h;
  factor->scale = Eigen::VectorXd::Zero(whole);
  for (const Eigen::Triplet<double>& entry : entries)
    factor->scale[entry.row()] = std::max(factor->scale[entry.row()], std::abs(entry.value()));
  for (double& row : factor->scale) row = row > 0.0 ? 1.0 / row : 1.0;
  constexpr int small = 150;
  if (whole <= small) {
    MatrixXd M = MatrixXd::Zero(whole, whole);
    for (const Eigen::Triplet<double>& entry : entries)
      M(entry.row(), entry.col()) += factor->scale[entry.row()] * entry.value();
    factor->dense = std::make_shared<Eigen::PartialPivLU<MatrixXd>>(M);
  } else {
    Eigen::SparseMatrix<double> M(whole, whole);
    M.setFromTriplets(entries.begin(), entries.end());
    M = factor->scale.asDiagonal() * M;
    M.makeCompressed();
    factor->sparse = std::make_shared<Eigen::SparseLU<Eigen::SparseMatrix<double>>>(M);
    if (factor->sparse->info() != Eigen::Success) return nullptr;
  }
  return factor;
}

bool VariationalEquations::step(LinearisedMode& mode, const MotionAt& motion, double t, double h,
                                const MatrixXd& from, MatrixXd& to) {
  check_budget();
  const Index size = mode.size();
  points_.resize(stages);
  w_.resize(at(size));
  wp_.resize(at(size));
  for (std::size_t i = 0; i < stages; ++i) {
    const double node = t + nodes[i + 1] * h;
    motion(mode.unknowns(), node, w_, wp_);
    if (!mode.is_constant()) {
      mode.evaluate(node, w_, wp_, points_[i]);
    } else {
      if (!has_constant_) mode.evaluate(node, w_, wp_, constant_);
      has_constant_ = true;
      mode.evaluate_known(node, w_, wp_, points_[i]);
    }
  }
  std::shared_ptr<const Factor> factor;
  const auto known = std::ranges::find_if(kept_, [&](const auto& kept) { return kept->h == h; });
  if (known != kept_.end()) {
    factor = *known;
  } else {
    factor = factorise(mode, h);
    if (!factor) return false;
    constexpr std::size_t most_kept = 8;
    if (mode.is_constant()) {
      if (kept_.size() == most_kept) kept_.erase(kept_.begin());
      kept_.push_back(factor);
    }
  }
  MatrixXd right(static_cast<Index>(stages) * size, from.cols());
  for (std::size_t i = 0; i < stages; ++i) {
    auto part = right.middleRows(static_cast<Index>(i) * size, size);
    part = -points_[i].B;
    const double slope = slopes()(static_cast<Index>(i + 1), 0) / h;
    for (const Eigen::Triplet<double>& entry : mode.is_constant() ? constant_.E : points_[i].E)
      part.row(entry.row()) -= (entry.value() * slope) * from.row(entry.col());
  }
  right = factor->scale.asDiagonal() * right;
  const MatrixXd W =
      factor->dense ? MatrixXd(factor->dense->solve(right)) : MatrixXd(factor->sparse->solve(right));
  to = W.bottomRows(size);
  stages_ = W;
  return to.allFinite();
}

/// In units of what is allowed.
VariationalEquations::Error VariationalEquations::error(const LinearisedMode& mode, const MatrixXd& from,
                                                        const MatrixXd& coarse, const MatrixXd& fine,
                                                        bool noisy) const {
  constexpr double caution = 0.05;
  // Two halves err by this part of what they differ by from the whole, and less where the motion is smooth.
  constexpr double part_of_halves = 1.0 / 32.0;
  Error result;
  const std::vector<SegmentUnknowns::Slot>& slots = mode.unknowns().slots();
  const auto is_tested = [&](std::size_t slot) {
    const int row = slots[slot].row;
    return slots[slot].order == 0 && row < floor_.rows() && floor_(row, 0) >= 0.0;
  };
  // By parameter: rounding of the largest derivative, in units of the floor.
  constexpr double roundings = 64.0;
  Eigen::RowVectorXd noise = Eigen::RowVectorXd::Zero(fine.cols());
  for (std::size_t slot = 0; noisy && slot < slots.size(); ++slot)
    for (Index p = 0; is_tested(slot) && p < fine.cols(); ++p)
      if (const double floor = floor_(slots[slot].row, p); floor > 0.0)
        noise[p] = std::max(
            noise[p], roundings * machine_epsilon * std::abs(fine(static_cast<Index>(slot), p)) / floor);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (!is_tested(slot)) continue;
    const int row = slots[slot].row;
    const auto i = static_cast<Index>(slot);
    for (Index p = 0; p < fine.cols(); ++p) {
      const bool integrated = mode.differential()[slot] != 0;
      const double size = integrated ? std::max(std::abs(from(i, p)), std::abs(fine(i, p)))
                                     : fine.col(p).cwiseAbs().maxCoeff();
      const double allowed = (integrated ? caution : 1.0) * (rtol_ * size + floor_(row, p)) +
                             (integrated ? noise[p] * floor_(row, p) : 0.0) +
                             roundings * machine_epsilon * size;
      double& largest = integrated ? result.integrated : result.others;
      largest = std::max(largest, part_of_halves * std::abs(coarse(i, p) - fine(i, p)) / allowed);
    }
  }
  return result;
}

bool VariationalEquations::advance(LinearisedMode& mode, const MotionAt& motion, double t0, double t1,
                                   MatrixXd& w_p) {
  if (mode.size() == 0) return true;
  constexpr double order = 7.0, safety = 0.8, most_growth = 6.0, trusted_part = 0.4;
  double t = t0;
  MatrixXd coarse, middle, fine;
  while (t < t1) {
    const double rest = t1 - t;
    double h = std::min(length_, rest);
    if (rest < 1.2 * h) h = rest;
    // Where unknowns are chosen, the choice may become ill-conditioned within any step.
    const bool trusts = !mode.system().plan->differentiated();
    if (trusts && t < trusted_until_ && h <= trusted_part * length_) {
      if (!step(mode, motion, t, h, w_p, fine)) return false;
      w_p = fine;
      t = h == rest ? t1 : t + h;
      continue;
    }
    if (!step(mode, motion, t, h, w_p, coarse)) return false;
    const double tried = h;
    for (;;) {
      if (!step(mode, motion, t, 0.5 * h, w_p, middle)) return false;
      if (!step(mode, motion, t + 0.5 * h, 0.5 * h, middle, fine)) return false;
      const Error found = error(mode, w_p, coarse, fine, t < noisy_until_);
      const double off = std::max(found.integrated, t < noisy_until_ ? 0.0 : found.others);
      if (off <= 1.0) {
        const double growth = std::min(most_growth, safety * std::pow(std::max(off, 1e-12), -1.0 / order));
        // A step that the end has cut short says nothing against longer ones.
        length_ = h < length_ && std::isfinite(length_) ? std::max(length_, growth * h) : growth * h;
        t = h == rest ? t1 : t + h;
        trusted_until_ = t + length_;
        w_p = fine;
        break;
      }
      coarse = middle;
      h *= 0.5;
      length_ = h;
      if (h > shortest_step * machine_epsilon * std::max(std::abs(t), std::abs(t1))) continue;
      if (t < noisy_until_) return false;
      // What is not integrated has the noise of the motion itself, which no step makes less.
      noisy_until_ = t + tried;
      h = length_ = tried;
      if (!step(mode, motion, t, h, w_p, coarse)) return false;
    }
  }
  return true;
}

VariationalEquations::Piece VariationalEquations::piece(double t, double h, const MatrixXd& from) const {
  Piece result{t, h, MatrixXd(from.rows() + stages_.rows(), from.cols())};
  result.values << from, stages_;
  return result;
}

MatrixXd VariationalEquations::value_of(const Piece& piece, double t) {
  const Index size = piece.values.rows() / static_cast<Index>(nodes.size());
  const double place = (t - piece.begin) / piece.length;
  MatrixXd sum = MatrixXd::Zero(size, piece.values.cols());
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    double weight = 1.0;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (k != j) weight *= (place - nodes[k]) / (nodes[j] - nodes[k]);
    sum += weight * piece.values.middleRows(static_cast<Index>(j) * size, size);
  }
  return sum;
}

MatrixXd VariationalEquations::at_time(double t) const {
  return value_of(t < second_.begin ? first_ : second_, t);
}

bool VariationalEquations::go_on(LinearisedMode& mode, const MotionAt& motion, double& t, double reach,
                                 MatrixXd& w_p) {
  if (mode.size() == 0) {
    t = reach;
    return true;
  }
  constexpr double order = 6.0, safety = 0.8, most_growth = 4.0;
  const double rest = reach - t;
  double h = std::min(readable_length_, rest);
  if (rest < 1.2 * h) h = rest;
  const bool whole = h == rest;
  MatrixXd coarse, middle, fine;
  if (!step(mode, motion, t, h, w_p, coarse)) return false;
  Piece all = piece(t, h, w_p);
  const double tried = h;
  for (bool halved = false;; halved = true) {
    if (!step(mode, motion, t, 0.5 * h, w_p, middle)) return false;
    Piece half = piece(t, 0.5 * h, w_p);
    if (!step(mode, motion, t + 0.5 * h, 0.5 * h, middle, fine)) return false;
    Error found = error(mode, w_p, coarse, fine, t < noisy_until_);
    // Errors of rows do not add up: half of rtol is enough.
    constexpr double rows_may_err = 0.1;
    const Error between = error(mode, w_p, value_of(all, t + 0.5 * h), middle, t < noisy_until_);
    found.integrated = std::max(found.integrated, rows_may_err * between.integrated);
    found.others = std::max(found.others, rows_may_err * between.others);
    const double off = std::max(found.integrated, t < noisy_until_ ? 0.0 : found.others);
    if (off <= 1.0) {
      const double growth = std::min(most_growth, safety * std::pow(std::max(off, 1e-12), -1.0 / order));
      readable_length_ = whole && !halved && std::isfinite(readable_length_)
                             ? std::max(readable_length_, growth * h)
                             : growth * h;
      first_ = std::move(half);
      second_ = piece(t + 0.5 * h, 0.5 * h, middle);
      t = whole && !halved ? reach : t + h;
      w_p = fine;
      return true;
    }
    coarse = middle;
    all = std::move(half);
    h *= 0.5;
    if (h > shortest_step * machine_epsilon * std::max(std::abs(t), std::abs(reach))) continue;
    if (t < noisy_until_) return false;
    noisy_until_ = t + tried;
    h = tried;
    if (!step(mode, motion, t, h, w_p, coarse)) return false;
    all = piece(t, h, w_p);
  }
}

}  // namespace mti
