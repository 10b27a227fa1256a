#include "solvers/laws/balance_at_rest.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "solvers/blocks/newton.hpp"

namespace mti {

bool StepsCease::operator()(double relative) {
  constexpr double is_rounding = 1e-15, is_small = 1e-10;
  const bool rests = relative < is_rounding || (relative < is_small && smallest_ && relative >= *smallest_);
  smallest_ = smallest_ ? std::min(*smallest_, relative) : relative;
  return rests;
}

bool BalanceAtRest::operator()(Eigen::VectorXd step, const Eigen::VectorXd& w) {
  for (Eigen::Index j = 0; j < step.size(); ++j)
    if (is_weight_[at(static_cast<int>(j))] != 0 && std::abs(step[j]) <= noise_[j]) step[j] = 0.0;
  return steps_cease_(relative_size(step, w, floor_));
}

}  // namespace mti
