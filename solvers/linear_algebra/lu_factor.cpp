#include "solvers/linear_algebra/lu_factor.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/rounding.hpp"

namespace mti {
namespace {

constexpr int largest_dense_block = 80;
/// Pivots below this part of the largest count as zero: some thousand roundings of an equilibrated matrix.

double reciprocal_or_one(double size) { return size > 0.0 && std::isfinite(size) ? 1.0 / size : 1.0; }

}  // namespace

LuFactor::LuFactor(int size, const std::vector<Eigen::Triplet<double>>& entries) : size_(size) {
  Eigen::SparseMatrix<double> A(size, size), summands(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  std::vector<Eigen::Triplet<double>> sizes;
  sizes.reserve(entries.size());
  for (const auto& entry : entries) sizes.emplace_back(entry.row(), entry.col(), std::abs(entry.value()));
  summands.setFromTriplets(sizes.begin(), sizes.end());
  equilibrate(A, summands);
  if (singular_) return;
  if (size <= largest_dense_block)
    factorise_dense(A);
  else
    factorise_sparse(A);
}

/// Rows and columns times powers that minimise Σ (log |r_i a_ij c_j|)² over the entries [Curtis, Reid, J.
/// Inst. Maths Applics 10 (1972) 118-124], then rows and columns to a largest entry of 1: whatever the units
/// of equations and unknowns, the same matrix comes out.
void LuFactor::equilibrate(Eigen::SparseMatrix<double>& A, const Eigen::SparseMatrix<double>& summands) {
  Eigen::VectorXd row_size = Eigen::VectorXd::Zero(size_), column_size = Eigen::VectorXd::Zero(size_);
  const auto for_entries = [&](auto use) {
    for (int k = 0; k < size_; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(A, k); entry; ++entry) use(entry);
  };
  const auto measure = [&] {
    row_size.setZero();
    column_size.setZero();
    for_entries([&](auto& entry) {
      singular_ = singular_ || !std::isfinite(entry.value());
      row_size[entry.row()] = std::max(row_size[entry.row()], std::abs(entry.value()));
      column_size[entry.col()] = std::max(column_size[entry.col()], std::abs(entry.value()));
    });
  };
  row_scale_ = column_scale_ = Eigen::VectorXd::Ones(size_);
  measure();
  if (singular_) return;

  struct Entry {
    int row, column;
    double logarithm;
  };
  std::vector<Entry> entries;
  // What is left of a sum that cancels says nothing about units. Beside other entries of its row and column
  // an entry may be as small as units make it.
  constexpr double rounding = 1e-15;
  const double* size_of_sum = summands.valuePtr();  // the same pattern in the same order
  for_entries([&](auto& entry) {
    const double value = std::abs(entry.value());
    if (value > rounding * *size_of_sum++)
      entries.push_back({static_cast<int>(entry.row()), static_cast<int>(entry.col()), std::log2(value)});
  });
  Eigen::VectorXd r = Eigen::VectorXd::Zero(size_), c = r, sum(size_), count(size_);
  constexpr int most_passes = 60;
  constexpr double settled = 0.05;
  for (int pass = 0; pass < most_passes; ++pass) {
    double change = 0.0;
    const auto turn = [&](Eigen::VectorXd& own, const Eigen::VectorXd& other, int Entry::*place,
                          int Entry::*crossing) {
      sum.setZero();
      count.setZero();
      for (const Entry& entry : entries) {
        sum[entry.*place] -= entry.logarithm + other[entry.*crossing];
        count[entry.*place] += 1.0;
      }
      for (int i = 0; i < size_; ++i) {
        const double mean = count[i] > 0.0 ? sum[i] / count[i] : 0.0;
        change = std::max(change, std::abs(mean - own[i]));
        own[i] = mean;
      }
    };
    turn(r, c, &Entry::row, &Entry::column);
    turn(c, r, &Entry::column, &Entry::row);
    if (change < settled) break;
  }
  const auto apply = [&](const Eigen::VectorXd& rows, const Eigen::VectorXd& columns) {
    for_entries([&](auto& entry) { entry.valueRef() *= rows[entry.row()] * columns[entry.col()]; });
    row_scale_ = row_scale_.cwiseProduct(rows);
    column_scale_ = column_scale_.cwiseProduct(columns);
  };
  const auto power = [](double exponent) { return std::exp2(std::round(exponent)); };
  apply(r.unaryExpr(power), c.unaryExpr(power));
  measure();
  if (singular_) return;
  apply(row_size.unaryExpr(&reciprocal_or_one), Eigen::VectorXd::Ones(size_));
  measure();
  apply(Eigen::VectorXd::Ones(size_), column_size.unaryExpr(&reciprocal_or_one));
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
