#include "solvers/linear_algebra/equilibration.hpp"

#include <algorithm>
#include <optional>

#include "solvers/linear_algebra/binary_scales.hpp"
#include "solvers/linear_algebra/largest_assignment.hpp"

namespace mti {
namespace {

/// Exponents ρ, γ that minimise Σ (log₂|a_ij| + ρ_i + γ_j)²: rows and columns in turn take the mean of what
/// their entries leave, until no mean moves by more than a small part of a power of 2.
struct Exponents {
  Exponents(Eigen::Index size, const std::vector<LogarithmOfEntry>& entries)
      : rows(Eigen::VectorXd::Zero(size)), columns(rows), sum_(size), count_(size) {
    constexpr int most_passes = 60;
    constexpr double rest = 0.05;
    for (int pass = 0; pass < most_passes; ++pass) {
      change_ = 0.0;
      turn(entries, rows, columns, &LogarithmOfEntry::row, &LogarithmOfEntry::column);
      turn(entries, columns, rows, &LogarithmOfEntry::column, &LogarithmOfEntry::row);
      settled = change_ < rest;
      if (settled) break;
    }
  }

  Eigen::VectorXd rows, columns;
  bool settled = false;

 private:
  void turn(const std::vector<LogarithmOfEntry>& entries, Eigen::VectorXd& own, const Eigen::VectorXd& other,
            int LogarithmOfEntry::*place, int LogarithmOfEntry::*crossing) {
    sum_.setZero();
    count_.setZero();
    for (const LogarithmOfEntry& entry : entries) {
      sum_[entry.*place] -= entry.logarithm + other[entry.*crossing];
      count_[entry.*place] += 1.0;
    }
    for (Eigen::Index i = 0; i < own.size(); ++i) {
      const double mean = count_[i] > 0.0 ? sum_[i] / count_[i] : 0.0;
      change_ = std::max(change_, std::abs(mean - own[i]));
      own[i] = mean;
    }
  }

  Eigen::VectorXd sum_, count_;
  double change_ = 0.0;
};

}  // namespace

template <class Use>
void Equilibration::for_entries(Use use) {
  for (Eigen::Index k = 0; k < B.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(B, k); entry; ++entry) use(entry);
}

void Equilibration::measure() {
  row_size_.setZero();
  column_size_.setZero();
  for_entries([&](auto& entry) {
    finite = finite && std::isfinite(entry.value());
    row_size_[entry.row()] = std::max(row_size_[entry.row()], std::abs(entry.value()));
    column_size_[entry.col()] = std::max(column_size_[entry.col()], std::abs(entry.value()));
  });
}

void Equilibration::scale(const Eigen::VectorXd& rows, const Eigen::VectorXd& columns) {
  for_entries([&](auto& entry) { entry.valueRef() *= rows[entry.row()] * columns[entry.col()]; });
  row_scale = row_scale.cwiseProduct(rows);
  column_scale = column_scale.cwiseProduct(columns);
}

Equilibration::Equilibration(int size, const std::vector<Eigen::Triplet<double>>& entries, Units units)
    : B(size, size),
      row_scale(Eigen::VectorXd::Ones(size)),
      column_scale(row_scale),
      row_size_(size),
      column_size_(size) {
  B.setFromTriplets(entries.begin(), entries.end());
  measure();
  if (!finite) return;

  std::vector<Eigen::Triplet<double>> sizes;
  sizes.reserve(entries.size());
  for (const auto& entry : entries) sizes.emplace_back(entry.row(), entry.col(), std::abs(entry.value()));
  Eigen::SparseMatrix<double> summands(size, size);
  summands.setFromTriplets(sizes.begin(), sizes.end());
  // What is left of a sum that cancels says nothing about units. Beside other entries of its row and column
  // an entry may be as small as units make it. Where it may come to be 1, more is taken for a remainder.
  const double rounding = units == Units::largest_term ? 1e-13 : 1e-15;
  const double* size_of_sum = summands.valuePtr();  // the same pattern in the same order
  std::vector<LogarithmOfEntry> logarithms;
  std::vector<SparseEntry> counted;
  for_entries([&](auto& entry) {
    const double value = std::abs(entry.value());
    if (!(value > rounding * *size_of_sum++)) return;
    const int row = static_cast<int>(entry.row()), column = static_cast<int>(entry.col());
    logarithms.push_back({row, column, std::log2(value)});
    counted.push_back({row, column, value});
  });
  const auto power = [](double exponent) { return std::exp2(std::round(exponent)); };
  if (units == Units::largest_term) {
    const std::optional<AssignmentUnits> found = largest_assignment(size, logarithms);
    finite = found.has_value();
    if (!finite) return;
    const Eigen::Map<const Eigen::VectorXd> rows(found->rows.data(), size),
        columns(found->columns.data(), size);
    scale(rows.unaryExpr(power), columns.unaryExpr(power));
  } else {
    Exponents exponents(size, logarithms);
    if (!exponents.settled) {
      // Means pass along a chain by one entry a turn: too slow where units change along it.
      const BinaryScales scales = binary_scales(size, size, counted);
      exponents.rows = Eigen::Map<const Eigen::VectorXi>(scales.rows.data(), size).cast<double>();
      exponents.columns = Eigen::Map<const Eigen::VectorXi>(scales.columns.data(), size).cast<double>();
    }
    scale(exponents.rows.unaryExpr(power), exponents.columns.unaryExpr(power));
  }
  measure();
  if (!finite) return;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(size);
  scale(row_size_.unaryExpr(&reciprocal_or_one), ones);
  measure();
  scale(ones, column_size_.unaryExpr(&reciprocal_or_one));
}

}  // namespace mti
