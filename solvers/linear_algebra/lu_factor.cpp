#include "solvers/linear_algebra/lu_factor.hpp"

#include <utility>

#include "mti/common/rounding.hpp"

namespace mti {
namespace {

constexpr int largest_dense_block = 80;

}  // namespace

LuFactor::LuFactor(int size, const std::vector<Eigen::Triplet<double>>& entries) : size_(size) {
  factorise(Equilibration(size, entries));
  if (singular_) factorise(Equilibration(size, entries, Equilibration::Units::largest_term));
}

void LuFactor::factorise(Equilibration equilibrated) {
  singular_ = !equilibrated.finite;
  row_scale_ = std::move(equilibrated.row_scale);
  column_scale_ = std::move(equilibrated.column_scale);
  if (singular_) return;
  if (size_ <= largest_dense_block)
    factorise_dense(equilibrated.B);
  else
    factorise_sparse(equilibrated.B);
}

void LuFactor::factorise_dense(const Eigen::MatrixXd& scaled) {
  dense_ = std::make_shared<Eigen::FullPivLU<Eigen::MatrixXd>>(size_, size_);
  dense_->setThreshold(rank_tolerance);
  dense_->compute(scaled);
  singular_ = dense_->rank() < size_;
  if (!singular_) inverse_magnitude_ = dense_->inverse().cwiseAbs();
}

void LuFactor::factorise_sparse(const Eigen::SparseMatrix<double>& scaled) {
  sparse_ = std::make_shared<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
  sparse_->compute(scaled);
  singular_ = sparse_->info() != Eigen::Success;
  if (singular_) return;
  // SparseLU accepts tiny pivots; a solution far larger than its right-hand side gives them away.
  const Eigen::VectorXd probe = sparse_->solve(Eigen::VectorXd::Ones(size_));
  singular_ = !probe.allFinite() || probe.lpNorm<Eigen::Infinity>() > 1.0 / rank_tolerance;
}

Eigen::VectorXd LuFactor::solve_scaled(const Eigen::VectorXd& b) const {
  if (sparse_) return sparse_->solve(b);
  return dense_->solve(b);
}

Eigen::VectorXd LuFactor::solve(const Eigen::VectorXd& b) const {
  if (slope_ != 0.0) return b / slope_;
  return solve_scaled(b.cwiseProduct(row_scale_)).cwiseProduct(column_scale_);
}

Eigen::VectorXd LuFactor::magnify(const Eigen::VectorXd& e) const {
  if (slope_ != 0.0) return e / std::abs(slope_);
  const Eigen::VectorXd scaled = e.cwiseProduct(row_scale_);
  if (!sparse_) return (inverse_magnitude_ * scaled).cwiseProduct(column_scale_);
  Eigen::VectorXd bound = Eigen::VectorXd::Zero(size_);
  for (const int period : {1, 2, 3}) {
    Eigen::VectorXd signs = scaled;
    for (int i = 0; i < size_; ++i)
      if (period > 1 && i % period == 0) signs[i] = -signs[i];
    bound = bound.cwiseMax(sparse_->solve(signs).cwiseAbs());
  }
  return 2.0 * bound.cwiseProduct(column_scale_);
}

}  // namespace mti
