#include "solvers/block_factor.hpp"

#include <algorithm>
#include <cmath>

namespace mti {
namespace {

constexpr int largest_dense_block = 80;
/// Pivots below this part of the largest count as zero: some thousand roundings of an equilibrated matrix.
constexpr double rank_threshold = 1e-12;

double reciprocal_or_one(double size) { return size > 0.0 && std::isfinite(size) ? 1.0 / size : 1.0; }

}  // namespace

BlockFactor::BlockFactor(int size, const std::vector<Eigen::Triplet<double>>& entries) : size_(size) {
  Eigen::SparseMatrix<double> A(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  equilibrate(A);
  if (singular_) return;
  if (size <= largest_dense_block)
    factorise_dense(A);
  else
    factorise_sparse(A);
}

/// Rows and columns in turn, each by the root of its largest entry, until all are about 1 [Ruiz,
/// RAL-TR-2001-034]: then units of equations and unknowns do not decide about the rank.
void BlockFactor::equilibrate(Eigen::SparseMatrix<double>& A) {
  constexpr int most_passes = 12;
  constexpr double close_to_one = 2.0;
  row_scale_ = column_scale_ = Eigen::VectorXd::Ones(size_);
  for (int pass = 0; pass < most_passes; ++pass) {
    Eigen::VectorXd row_size = Eigen::VectorXd::Zero(size_), column_size = Eigen::VectorXd::Zero(size_);
    for (int k = 0; k < size_; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(A, k); entry; ++entry) {
        if (!std::isfinite(entry.value())) singular_ = true;
        row_size[entry.row()] = std::max(row_size[entry.row()], std::abs(entry.value()));
        column_size[k] = std::max(column_size[k], std::abs(entry.value()));
      }
    if (singular_) return;
    const auto is_close = [&](double largest) {
      return largest == 0.0 || (largest <= close_to_one && largest >= 1.0 / close_to_one);
    };
    if (std::all_of(row_size.begin(), row_size.end(), is_close) &&
        std::all_of(column_size.begin(), column_size.end(), is_close))
      return;
    const auto root = [](double largest) { return reciprocal_or_one(std::sqrt(largest)); };
    const Eigen::VectorXd rows = row_size.unaryExpr(root), columns = column_size.unaryExpr(root);
    for (int k = 0; k < size_; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(A, k); entry; ++entry)
        entry.valueRef() *= rows[entry.row()] * columns[k];
    row_scale_ = row_scale_.cwiseProduct(rows);
    column_scale_ = column_scale_.cwiseProduct(columns);
  }
}

void BlockFactor::factorise_dense(const Eigen::MatrixXd& scaled) {
  dense_ = std::make_shared<Eigen::FullPivLU<Eigen::MatrixXd>>(size_, size_);
  dense_->setThreshold(rank_threshold);
  dense_->compute(scaled);
  singular_ = dense_->rank() < size_;
  if (!singular_) inverse_magnitude_ = dense_->inverse().cwiseAbs();
}

void BlockFactor::factorise_sparse(const Eigen::SparseMatrix<double>& scaled) {
  sparse_ = std::make_shared<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
  sparse_->compute(scaled);
  singular_ = sparse_->info() != Eigen::Success;
  if (singular_) return;
  // SparseLU accepts tiny pivots; a solution far larger than its right-hand side gives them away.
  const Eigen::VectorXd probe = sparse_->solve(Eigen::VectorXd::Ones(size_));
  singular_ = !probe.allFinite() || probe.lpNorm<Eigen::Infinity>() > 1.0 / rank_threshold;
}

Eigen::VectorXd BlockFactor::solve_scaled(const Eigen::VectorXd& b) const {
  if (sparse_) return sparse_->solve(b);
  return dense_->solve(b);
}

Eigen::VectorXd BlockFactor::solve(const Eigen::VectorXd& b) const {
  if (slope_ != 0.0) return b / slope_;
  return solve_scaled(b.cwiseProduct(row_scale_)).cwiseProduct(column_scale_);
}

Eigen::VectorXd BlockFactor::magnify(const Eigen::VectorXd& e) const {
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
