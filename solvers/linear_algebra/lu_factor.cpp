#include "solvers/linear_algebra/lu_factor.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "mti/common/rounding.hpp"

namespace mti {
namespace {

constexpr int largest_dense_block = 80;

/// Numbers with signs that follow no pattern of a model and sizes in [0.5, 1): no sum of a few of them cancels. The same
/// ones in every run (xorshift, Marsaglia, J. Stat. Software 8 (2003) 14).
class Patternless {
 public:
  explicit Patternless(std::uint64_t seed) : state_(seed) {}

  double operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    const double size = 0.5 + std::ldexp(static_cast<double>(state_ >> 12), -53);
    return (state_ & 2048U) != 0 ? size : -size;
  }

 private:
  std::uint64_t state_;
};

constexpr std::uint64_t first_seed = 0x9E3779B97F4A7C15, seed_step = 0xD1B54A32D192ED03;

Eigen::VectorXd patternless(Eigen::Index size, std::uint64_t which) {
  Patternless next(first_seed + which * seed_step);
  Eigen::VectorXd numbers(size);
  for (double& number : numbers) number = next();
  return numbers;
}

using SparseFactor = Eigen::SparseLU<Eigen::SparseMatrix<double>>;

constexpr std::uint64_t probes = 3;

/// Whether no right-hand side b that is tried, |b| ≤ 1, has |B⁻¹ b| > limit: 1, and some without pattern. Where the
/// singular value σ of the singular vectors u and v is the smallest by far, B⁻¹ b is (uᵀb / σ) v. To u, 1 may be
/// orthogonal by the signs of rows; that |uᵀb| ≤ t has a probability of about t for each of the others.
bool inverse_within(double limit, const SparseFactor& B) {
  const auto within = [&](const Eigen::VectorXd& b) {
    const Eigen::VectorXd w = B.solve(b);
    return w.allFinite() && w.lpNorm<Eigen::Infinity>() <= limit;
  };
  if (!within(Eigen::VectorXd::Ones(B.cols()))) return false;
  for (std::uint64_t which = 0; which < probes; ++which)
    if (!within(patternless(B.cols(), which))) return false;
  return true;
}

}  // namespace

LuFactor::LuFactor(int size, const std::vector<Eigen::Triplet<double>>& entries) : size_(size) {
  if (size == 1) {
    double slope = 0.0;
    for (const auto& entry : entries) slope += entry.value();
    singular_ = slope == 0.0 || !std::isfinite(slope);
    if (!singular_) slope_ = slope;
    return;
  }
  factorise(Equilibration(size, entries));
  if (singular_) factorise(Equilibration(size, entries, Equilibration::Units::largest_term));
}

void LuFactor::factorise(Equilibration equilibrated) {
  const auto matrix = std::make_shared<Matrix>();
  matrix_ = matrix;
  singular_ = !equilibrated.finite;
  matrix->row_scale = std::move(equilibrated.row_scale);
  matrix->column_scale = std::move(equilibrated.column_scale);
  if (singular_) return;
  if (size_ <= largest_dense_block)
    factorise_dense(equilibrated.B, *matrix);
  else
    factorise_sparse(equilibrated.B, *matrix);
}

/// Row pivots take a fraction of the time of full ones, and tell as much where the inverse is far from where rank is lost.
bool LuFactor::is_clearly_regular(const Eigen::MatrixXd& scaled, Matrix& matrix) const {
  constexpr int smallest = 16;  // below, full pivots cost as little
  constexpr double far = 1e-4;
  if (size_ < smallest) return false;
  matrix.regular = std::make_unique<Eigen::PartialPivLU<Eigen::MatrixXd>>(scaled);
  matrix.inverse_magnitude = matrix.regular->inverse().cwiseAbs();
  const double largest = matrix.inverse_magnitude.maxCoeff();
  if (std::isfinite(largest) && largest <= far / rank_tolerance) return true;
  matrix.regular.reset();
  return false;
}

void LuFactor::factorise_dense(const Eigen::MatrixXd& scaled, Matrix& matrix) {
  if (is_clearly_regular(scaled, matrix)) return;
  matrix.dense = std::make_unique<Eigen::FullPivLU<Eigen::MatrixXd>>(size_, size_);
  matrix.dense->setThreshold(rank_tolerance);
  matrix.dense->compute(scaled);
  singular_ = matrix.dense->rank() < size_;
  if (!singular_) matrix.inverse_magnitude = matrix.dense->inverse().cwiseAbs();
}

void LuFactor::factorise_sparse(const Eigen::SparseMatrix<double>& scaled, Matrix& matrix) {
  matrix.sparse = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
  matrix.sparse->compute(scaled);
  singular_ = matrix.sparse->info() != Eigen::Success;
  if (singular_) return;
  // SparseLU accepts tiny pivots; a solution far larger than its right-hand side gives them away.
  singular_ = !inverse_within(1.0 / rank_tolerance, *matrix.sparse);
}

Eigen::VectorXd LuFactor::solve(const Eigen::VectorXd& b) const {
  if (slope_ != 0.0) return b / slope_;
  const Eigen::VectorXd scaled = b.cwiseProduct(matrix_->row_scale);
  const Eigen::VectorXd w = matrix_->sparse    ? Eigen::VectorXd(matrix_->sparse->solve(scaled))
                            : matrix_->regular ? Eigen::VectorXd(matrix_->regular->solve(scaled))
                                               : Eigen::VectorXd(matrix_->dense->solve(scaled));
  return w.cwiseProduct(matrix_->column_scale);
}

Eigen::VectorXd LuFactor::solve_transposed(const Eigen::VectorXd& b) const {
  if (slope_ != 0.0) return b / slope_;
  const Eigen::VectorXd scaled = b.cwiseProduct(matrix_->column_scale);
  const Eigen::VectorXd w = matrix_->sparse    ? Eigen::VectorXd(matrix_->sparse->transpose().solve(scaled))
                            : matrix_->regular ? Eigen::VectorXd(matrix_->regular->transpose().solve(scaled))
                                               : Eigen::VectorXd(matrix_->dense->transpose().solve(scaled));
  return w.cwiseProduct(matrix_->row_scale);
}

Eigen::VectorXd LuFactor::magnify(const Eigen::VectorXd& e) const {
  if (slope_ != 0.0) return e / std::abs(slope_);
  const Eigen::VectorXd scaled = e.cwiseProduct(matrix_->row_scale);
  const auto& sparse = matrix_->sparse;
  if (!sparse) return (matrix_->inverse_magnitude * scaled).cwiseProduct(matrix_->column_scale);
  Eigen::VectorXd bound = sparse->solve(scaled).cwiseAbs();
  for (std::uint64_t which = 0; which < probes; ++which)
    bound = bound.cwiseMax(sparse->solve(scaled.cwiseProduct(patternless(size_, which))).cwiseAbs());
  return 2.0 * bound.cwiseProduct(matrix_->column_scale);
}

}  // namespace mti
