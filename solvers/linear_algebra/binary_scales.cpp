#include "solvers/linear_algebra/binary_scales.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

using Eigen::VectorXd;

/// Rows and columns as the vertices of one graph, rows first, entries as its edges.
class Scaling {
 public:
  Scaling(int rows, int columns, const std::vector<SparseEntry>& entries)
      : rows_(rows), entries_(entries), exponents_(at(rows + columns), 0) {}

  BinaryScales run() {
    enter_forest();
    minimise();
    enter_largest(&SparseEntry::row, 0);
    enter_largest(&SparseEntry::column, rows_);
    const auto first_column = exponents_.begin() + rows_;
    return {{exponents_.begin(), first_column}, {first_column, exponents_.end()}};
  }

 private:
  [[nodiscard]] std::size_t row_of(const SparseEntry& entry) const { return at(entry.row); }
  [[nodiscard]] std::size_t column_of(const SparseEntry& entry) const { return at(rows_ + entry.column); }
  /// ⌊log₂⌋ of the entry as it is scaled now.
  [[nodiscard]] int exponent(const SparseEntry& entry) const {
    return std::ilogb(entry.value) + exponents_[row_of(entry)] + exponents_[column_of(entry)];
  }

  void enter_forest() {
    std::vector<std::vector<std::size_t>> edges(exponents_.size());
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      edges[row_of(entries_[k])].push_back(k);
      edges[column_of(entries_[k])].push_back(k);
    }
    std::vector<char> reached(exponents_.size(), 0);
    std::vector<std::size_t> waiting;
    for (std::size_t root = 0; root < exponents_.size(); ++root) {
      if (reached[root] != 0) continue;
      reached[root] = 1;
      waiting.assign(1, root);
      for (std::size_t next = 0; next < waiting.size(); ++next)
        for (const std::size_t k : edges[waiting[next]]) {
          const std::size_t row = row_of(entries_[k]), column = column_of(entries_[k]);
          const std::size_t other = waiting[next] == row ? column : row;
          if (reached[other] != 0) continue;
          reached[other] = 1;
          exponents_[other] -= exponent(entries_[k]);
          waiting.push_back(other);
        }
    }
  }

  /// Conjugate gradients for the normal equations, with the number of entries of each row and column for a
  /// preconditioner.
  void minimise() {
    const auto size = static_cast<Eigen::Index>(exponents_.size());
    VectorXd count = VectorXd::Zero(size), left = VectorXd::Zero(size), found = VectorXd::Zero(size);
    for (const SparseEntry& entry : entries_) {
      const auto [row, column] = places(entry);
      // Of the fraction and of the exponent apart: the same number whatever the units.
      const double logarithm = std::log2(std::abs(std::scalbn(entry.value, -std::ilogb(entry.value)))) +
                               static_cast<double>(exponent(entry));
      count[row] += 1.0;
      count[column] += 1.0;
      left[row] -= logarithm;
      left[column] -= logarithm;
    }
    count = count.cwiseMax(1.0);
    constexpr double settled = 0.01;  // of a power of 2
    constexpr Eigen::Index most_passes = 1000;
    VectorXd preconditioned = left.cwiseQuotient(count), direction = preconditioned;
    double size_left = left.dot(preconditioned);
    for (Eigen::Index pass = 0; pass < std::min(size, most_passes); ++pass) {
      check_budget();
      if (preconditioned.size() == 0 || preconditioned.cwiseAbs().maxCoeff() <= settled) break;
      VectorXd image = VectorXd::Zero(size);
      for (const SparseEntry& entry : entries_) {
        const auto [row, column] = places(entry);
        const double sum = direction[row] + direction[column];
        image[row] += sum;
        image[column] += sum;
      }
      const double curvature = direction.dot(image);
      if (!(curvature > 0.0)) break;
      found += size_left / curvature * direction;
      left -= size_left / curvature * image;
      preconditioned = left.cwiseQuotient(count);
      const double next = left.dot(preconditioned);
      direction = preconditioned + next / size_left * direction;
      size_left = next;
    }
    for (Eigen::Index i = 0; i < size; ++i) exponents_[at(i)] += static_cast<int>(std::lround(found[i]));
  }

  [[nodiscard]] std::pair<Eigen::Index, Eigen::Index> places(const SparseEntry& entry) const {
    return {entry.row, rows_ + entry.column};
  }

  /// Largest entries in [1, 2), of rows or of columns.
  void enter_largest(int SparseEntry::*place, int first) {
    constexpr int none = std::numeric_limits<int>::min();
    std::vector<int> largest(exponents_.size(), none);
    for (const SparseEntry& entry : entries_) {
      int& of_place = largest[at(first + entry.*place)];
      of_place = std::max(of_place, exponent(entry));
    }
    for (std::size_t k = 0; k < exponents_.size(); ++k)
      if (largest[k] != none) exponents_[k] -= largest[k];
  }

  int rows_;
  const std::vector<SparseEntry>& entries_;
  std::vector<int> exponents_;
};

}  // namespace

BinaryScales binary_scales(int rows, int columns, const std::vector<SparseEntry>& entries) {
  return Scaling(rows, columns, entries).run();
}

}  // namespace mti
