#include "solvers/linear_algebra/repeated_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mti/common/rounding.hpp"

namespace mti {

bool RepeatedLu::factorise(int size, const Entries& entries) {
  size_ = size;
  if (is_large()) {
    large_ = LuFactor(size, entries);
    return !large_.singular();
  }
  using Units = Equilibration::Units;
  if (!known_units_ && !find_units(entries, Units::least_squares)) return false;
  if (!decompose(entries) && !(find_units(entries, Units::largest_term) && decompose(entries))) return false;
  compress();
  return true;
}

bool RepeatedLu::find_units(const Entries& entries, Equilibration::Units units) {
  const Equilibration found(size_, entries, units);
  known_units_ = found.finite;
  if (!found.finite) return false;
  row_unit_.assign(found.row_scale.begin(), found.row_scale.end());
  column_unit_.assign(found.column_scale.begin(), found.column_scale.end());
  return true;
}

bool RepeatedLu::decompose(const Entries& entries) {
  matrix_.assign(at(size_) * at(size_), 0.0);
  for (const Eigen::Triplet<double>& e : entries) entry(e.row(), e.col()) += e.value();
  return normalise() && eliminate();
}

/// In units of rows and columns; then rows and at last columns have a largest entry of 1. False if one has none, or an
/// entry that is no number.
bool RepeatedLu::normalise() {
  row_scale_ = row_unit_;
  column_scale_ = column_unit_;
  for (int row = 0; row < size_; ++row) {
    double largest = 0.0;
    for (int column = 0; column < size_; ++column) {
      double& value = entry(row, column);
      value *= row_unit_[at(row)] * column_unit_[at(column)];
      if (!std::isfinite(value)) return false;
      largest = std::max(largest, std::abs(value));
    }
    if (!(largest > 0.0)) return false;
    row_scale_[at(row)] /= largest;
    for (int column = 0; column < size_; ++column) entry(row, column) /= largest;
  }
  for (int column = 0; column < size_; ++column) {
    double largest = 0.0;
    for (int row = 0; row < size_; ++row) largest = std::max(largest, std::abs(entry(row, column)));
    if (!(largest > 0.0)) return false;
    column_scale_[at(column)] /= largest;
    for (int row = 0; row < size_; ++row) entry(row, column) /= largest;
  }
  return true;
}

/// P A Q = L U with the largest entry of what is left as the pivot.
bool RepeatedLu::eliminate() {
  row_order_.resize(at(size_));
  column_order_.resize(at(size_));
  permuted_.resize(at(size_));
  std::iota(row_order_.begin(), row_order_.end(), 0);
  std::iota(column_order_.begin(), column_order_.end(), 0);
  double largest_pivot = 0.0;
  for (int step = 0; step < size_; ++step) {
    int pivot_row = step, pivot_column = step;
    double pivot = 0.0;
    for (int row = step; row < size_; ++row)
      for (int column = step; column < size_; ++column)
        if (const double value = std::abs(entry(row, column)); value > pivot) {
          pivot = value;
          pivot_row = row;
          pivot_column = column;
        }
    largest_pivot = std::max(largest_pivot, pivot);
    if (!(pivot > rank_tolerance * largest_pivot)) return false;
    if (pivot_row != step) {
      std::swap_ranges(&entry(step, 0), &entry(step, 0) + size_, &entry(pivot_row, 0));
      std::swap(row_order_[at(step)], row_order_[at(pivot_row)]);
    }
    if (pivot_column != step) {
      for (int row = 0; row < size_; ++row) std::swap(entry(row, step), entry(row, pivot_column));
      std::swap(column_order_[at(step)], column_order_[at(pivot_column)]);
    }
    const double* const top = &entry(step, 0);
    for (int row = step + 1; row < size_; ++row) {
      double* const own = &entry(row, 0);
      if (own[step] == 0.0) continue;
      const double factor = own[step] /= top[step];
      for (int column = step + 1; column < size_; ++column) own[column] -= factor * top[column];
    }
  }
  return true;
}

void RepeatedLu::compress() {
  entries_.clear();
  starts_.clear();
  for (int row = 0; row < size_; ++row) {
    const double* const own = &entry(row, 0);
    starts_.push_back(static_cast<int>(entries_.size()));
    for (int column = 0; column < row; ++column)
      if (own[column] != 0.0) entries_.push_back({column, own[column]});
    starts_.push_back(static_cast<int>(entries_.size()));
    for (int column = row + 1; column < size_; ++column)
      if (own[column] != 0.0) entries_.push_back({column, own[column]});
  }
  starts_.push_back(static_cast<int>(entries_.size()));
}

void RepeatedLu::solve(std::span<double> b) const {
  if (is_large()) {
    Eigen::Map<Eigen::VectorXd> mapped(b.data(), static_cast<Eigen::Index>(b.size()));
    mapped = large_.solve(mapped);
    return;
  }
  const auto size = at(size_);
  double* const permuted = permuted_.data();
  const Entry* const first = entries_.data();
  const int* const starts = starts_.data();
  const auto without = [&](double sum, int begin, int end) {
    for (const Entry* e = first + begin; e != first + end; ++e) sum -= e->value * permuted[e->column];
    return sum;
  };
  for (std::size_t i = 0; i < size; ++i) {
    const auto row = at(row_order_[i]);
    permuted[i] = without(b[row] * row_scale_[row], starts[2 * i], starts[2 * i + 1]);
  }
  for (std::size_t i = size; i-- > 0;)
    permuted[i] = without(permuted[i], starts[2 * i + 1], starts[2 * i + 2]) / matrix_[i * size + i];
  for (std::size_t i = 0; i < size; ++i) {
    const auto column = at(column_order_[i]);
    b[column] = permuted[i] * column_scale_[column];
  }
}

}  // namespace mti
