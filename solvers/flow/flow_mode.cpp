#include "solvers/flow/flow_mode.hpp"

#include "mti/common/at.hpp"

namespace mti {

std::unique_ptr<FlowMode> FlowMode::of(const Model& model, const ModeSystem& system,
                                       const SeriesProgram& program, double duration) {
  std::optional<AffineMode> affine = AffineMode::of(model, system, program);
  if (!affine) return nullptr;
  return std::unique_ptr<FlowMode>(new FlowMode(*std::move(affine), duration));
}

bool FlowMode::begin_segment(std::span<const double> v) {
  weigh_constraints(v);
  std::vector<double> constants = affine_.constants(v);
  if (ladder_ && constants == constants_) return true;
  ladder_.reset();
  levels_.clear();
  constants_ = std::move(constants);
  auto fine = affine_.matrices<long double>(v);
  auto coarse = affine_.matrices<double>(v);
  if (!fine || !coarse) return false;
  C_ = fine->C.cast<double>();
  ladder_.emplace(fine->M, coarse->M, affine_.states(), duration_);
  if (!ladder_->is_usable()) ladder_.reset();
  return ladder_.has_value();
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
