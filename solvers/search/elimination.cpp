#include "solvers/search/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The elimination is dense; larger systems are left as they are.
constexpr std::size_t most_equations = 200;
/// An entry below this part of what was added up in it has cancelled.
constexpr double cancelled = 1e-11;
/// A row, its pivot 1, that was made of larger numbers is not used.
constexpr double largest_growth = 1e6;

/// An interval value ± radius with what rounding of the value is relative to.
struct Entry {
  double value = 0.0, radius = 0.0, size = 0.0;

  void subtract(double factor, const Entry& other) {
    value -= factor * other.value;
    radius += std::abs(factor) * other.radius;
    size += std::abs(factor) * other.size;
    if (std::abs(value) <= cancelled * size) value = 0.0;
  }
};

using Row = std::vector<Entry>;

/// Only unknown signals with exact coefficients, and products of binaries.
bool is_affine(const ProblemRow& row) {
  return row.equation && std::ranges::all_of(row.products, [](const ProblemRow::Product& product) {
           if (product.unknowns.empty()) return true;
           const ProblemRow::Term& term = product.terms.front();
           return product.unknowns.size() == 1 && product.terms.size() == 1 && term.binaries.empty() &&
                  term.coefficient.lo == term.coefficient.hi;
         });
}

/// The affine equations of a problem as a matrix: a column for each unknown signal, then one for each product
/// of binaries.
class Equations {
 public:
  explicit Equations(const ConstraintProblem& problem)
      : unknowns_(at(problem.unknowns)), first_(problem.binaries) {
    for (const ProblemRow& row : problem.rows) {
      if (!is_affine(row) || row.products.back().unknowns.empty()) continue;
      Row entries(unknowns_ + products_.size());
      for (const ProblemRow::Product& product : row.products)
        for (const ProblemRow::Term& term : product.terms) {
          const std::size_t column =
              product.unknowns.empty() ? column_of(term.binaries) : at(product.unknowns.front() - first_);
          entries.resize(std::max(entries.size(), column + 1));
          const double value = 0.5 * (term.coefficient.lo + term.coefficient.hi);
          entries[column] = {value, 0.5 * (term.coefficient.hi - term.coefficient.lo), std::abs(value)};
        }
      rows_.push_back(std::move(entries));
    }
    for (Row& row : rows_) row.resize(unknowns_ + products_.size());
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  void eliminate() {
    std::vector<int> occurrences(unknowns_, 0);
    for (const Row& row : rows_)
      for (std::size_t j = 0; j < unknowns_; ++j) occurrences[j] += static_cast<int>(row[j].value != 0.0);
    std::vector<std::size_t> order(unknowns_);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return occurrences[a] > occurrences[b]; });
    changed_.assign(rows_.size(), 0);
    solved_.assign(rows_.size(), 0);
    for (const std::size_t column : order) {
      std::size_t pivot = rows_.size();
      double best = 0.0;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (solved_[i] != 0) continue;
        double largest = 0.0;
        for (std::size_t j = 0; j < unknowns_; ++j) largest = std::max(largest, std::abs(rows_[i][j].value));
        const double relative = largest > 0.0 ? std::abs(rows_[i][column].value) / largest : 0.0;
        if (relative > best) {
          best = relative;
          pivot = i;
        }
      }
      if (pivot == rows_.size()) continue;
      solved_[pivot] = 1;
      for (Entry& entry : rows_[pivot])
        if (&entry != &rows_[pivot][column]) entry = divided(entry, rows_[pivot][column].value);
      rows_[pivot][column] = {1.0, 0.0, 1.0};
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double factor = rows_[i][column].value;
        if (i == pivot || factor == 0.0) continue;
        changed_[i] = 1;
        for (std::size_t j = 0; j < rows_[i].size(); ++j)
          if (rows_[pivot][j].size != 0.0) rows_[i][j].subtract(factor, rows_[pivot][j]);
        rows_[i][column] = {};
      }
    }
  }

  /// The rows that say something new.
  void append_to(std::vector<ProblemRow>& rows) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool exact =
          std::ranges::all_of(rows_[i], [](const Entry& e) { return e.size <= largest_growth; });
      if (changed_[i] == 0 || solved_[i] == 0 || !exact) continue;
      ProblemRow row;
      row.derived = true;
      std::vector<ProblemRow::Term> terms;
      for (const auto& [binaries, column] : products_) {
        const Entry& entry = rows_[i][column];
        const double radius = entry.radius + cancelled * entry.size;
        if (entry.size > 0.0) terms.push_back({{entry.value - radius, entry.value + radius}, binaries});
      }
      if (!terms.empty()) row.products.push_back({{}, std::move(terms)});
      for (std::size_t j = 0; j < unknowns_; ++j)
        if (rows_[i][j].value != 0.0)
          row.products.push_back(
              {{first_ + static_cast<int>(j)}, {{Interval::point(rows_[i][j].value), {}}}});
      row.index_uses();
      rows.push_back(std::move(row));
    }
  }

 private:
  static Entry divided(const Entry& entry, double by) {
    return {entry.value / by, entry.radius / std::abs(by), entry.size / std::abs(by)};
  }

  std::size_t column_of(const std::vector<int>& binaries) {
    return products_.try_emplace(binaries, unknowns_ + products_.size()).first->second;
  }

  std::size_t unknowns_;
  int first_;
  std::map<std::vector<int>, std::size_t> products_;  ///< of binaries, and their columns
  std::vector<Row> rows_;
  std::vector<char> changed_, solved_;
};

}  // namespace

void add_solved_equations(ConstraintProblem& problem) {
  const auto affine = [](const ProblemRow& row) {
    return is_affine(row) && !row.products.back().unknowns.empty();
  };
  const auto count = std::ranges::count_if(problem.rows, affine);
  if (count < 2 || at(count) > most_equations) return;
  Equations equations(problem);
  equations.eliminate();
  equations.append_to(problem.rows);
}

}  // namespace mti
