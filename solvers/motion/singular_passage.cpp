#include "solvers/motion/singular_passage.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/plan/system_jacobian.hpp"

namespace mti {
namespace {

/// The determinants of larger blocks are not asked for.
constexpr std::size_t largest_watched = 200;

/// −1, 0 or 1; rows, then columns are scaled to a largest entry of 1.
int sign_of_determinant(const SolutionBlock& block, const RowMap& f, int states, std::span<const double> v) {
  const auto size = static_cast<Eigen::Index>(block.equations.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size, size);
  for (const Eigen::Triplet<double>& entry : SystemJacobian(block, states).entries(f, v))
    J(entry.row(), entry.col()) += entry.value();
  if (!J.allFinite()) return 0;
  for (Eigen::Index i = 0; i < size; ++i)
    if (const double largest = J.row(i).cwiseAbs().maxCoeff(); largest > 0.0) J.row(i) /= largest;
  for (Eigen::Index j = 0; j < size; ++j)
    if (const double largest = J.col(j).cwiseAbs().maxCoeff(); largest > 0.0) J.col(j) /= largest;
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(J);
  int sign = static_cast<int>(lu.permutationP().determinant());
  for (Eigen::Index i = 0; i < size; ++i) {
    const double pivot = lu.matrixLU()(i, i);
    sign *= pivot > 0.0 ? 1 : pivot < 0.0 ? -1 : 0;
  }
  return sign;
}

}  // namespace

void SingularPassage::begin(const std::shared_ptr<const ModeSystem>& system, std::span<const double> v) {
  if (system == system_) return;
  system_ = system;
  before_[0].clear();
  before_[1].assign(v.begin(), v.end());
}

void SingularPassage::note(std::span<const double> v) {
  std::swap(before_[0], before_[1]);
  before_[1].assign(v.begin(), v.end());
}

std::optional<SingularPassage::Pole> SingularPassage::in_step(
    double begin, double end, const std::function<std::span<const double>(double t)>& v) {
  if (!system_ || !system_->plan || !system_->mode.slides.empty()) return std::nullopt;
  const std::span<const double> last = v(end);
  std::optional<Pole> pole;
  const SolutionBlock* passed = nullptr;
  if (!before_[0].empty())
    for (const SolutionBlock& block : system_->plan->blocks) {
      const auto row = std::ranges::find_if(block.unknowns, [&](int unknown) {
        const double first = before_[0][at(unknown)], second = before_[1][at(unknown)];
        return second * last[at(unknown)] < 0.0 && std::abs(second) > std::abs(first);
      });
      if (row == block.unknowns.end() || block.equations.size() > largest_watched) continue;
      const int sign = sign_of_determinant(block, system_->f, states_, before_[0]);
      if (sign * sign_of_determinant(block, system_->f, states_, last) >= 0) continue;
      passed = &block;
      pole = Pole{end, *row};
      break;
    }
  note(last);
  if (!pole) return std::nullopt;
  const int sign = sign_of_determinant(*passed, system_->f, states_, before_[1]);
  for (;;) {
    const double middle = 0.5 * (begin + pole->t);
    if (middle <= begin || middle >= pole->t) return pole;
    (sign_of_determinant(*passed, system_->f, states_, v(middle)) == sign ? pole->t : begin) = middle;
  }
}

}  // namespace mti
