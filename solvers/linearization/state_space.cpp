#include "solvers/linearization/state_space.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/linearization/leading.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
using SparseRow = std::vector<std::pair<int, double>>;
using RowCompressed = Leading::Rows;

/// Rows of the solution, as they are found.
class Elimination {
 public:
  Elimination(const Linearization& linearization, const Leading& leading, long most_entries)
      : linearization_(linearization),
        leading_(leading),
        most_entries_(most_entries),
        solution_(at(leading.matrix.cols())),
        sum_(at(leading.right.cols()), 0.0),
        touched_(at(leading.right.cols()), 0),
        place_(at(leading.matrix.cols()), -1) {}

  void solve(const Block& block) {
    std::vector<SparseRow> right;
    for (std::size_t k = 0; k < block.columns.size(); ++k)
      place_[at(block.columns[k].value())] = static_cast<int>(k);
    for (const PatternRow row : block.rows) right.push_back(right_side(row.value()));
    if (block.rows.size() == 1)
      divide(block, std::move(right[0]));
    else
      solve_coupled(block, right);
    for (const PatternColumn column : block.columns) place_[at(column.value())] = -1;
  }

  [[nodiscard]] const SparseRow& operator[](int unknown) const { return solution_[at(unknown)]; }

 private:
  /// A row's right side less what is known of its unknowns.
  SparseRow right_side(int row) {
    std::vector<int> columns;
    const auto add = [&](int column, double value) {
      if (touched_[at(column)] == 0) {
        touched_[at(column)] = 1;
        columns.push_back(column);
      }
      sum_[at(column)] += value;
    };
    for (RowCompressed::InnerIterator entry(leading_.right, row); entry; ++entry)
      add(static_cast<int>(entry.col()), entry.value());
    for (RowCompressed::InnerIterator entry(leading_.matrix, row); entry; ++entry)
      if (place_[at(entry.col())] < 0)
        for (const auto& [column, value] : solution_[at(entry.col())]) add(column, -entry.value() * value);
    std::sort(columns.begin(), columns.end());
    SparseRow result;
    for (const int column : columns) {
      if (sum_[at(column)] != 0.0) result.emplace_back(column, sum_[at(column)]);
      sum_[at(column)] = 0.0;
      touched_[at(column)] = 0;
    }
    return result;
  }

  void enter(int unknown, SparseRow row) {
    count(static_cast<long>(row.size()));
    solution_[at(unknown)] = std::move(row);
  }

  void count(long more) {
    entries_ += more;
    if (entries_ > most_entries_)
      throw InvalidModel("too-dense", "",
                         "the state-space form has more than " + std::to_string(most_entries_) +
                             " entries; the descriptor form E, A, B, C, D stays sparse");
  }

  void divide(const Block& block, SparseRow row) {
    const double pivot = leading_.matrix.coeff(block.rows[0].value(), block.columns[0].value());
    for (auto& [column, value] : row) value /= pivot;
    enter(block.columns[0].value(), std::move(row));
  }

  void solve_coupled(const Block& block, const std::vector<SparseRow>& right) {
    const auto size = static_cast<int>(block.rows.size());
    std::vector<int> columns;
    for (const SparseRow& row : right)
      for (const auto& [column, value] : row) columns.push_back(column);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    count(static_cast<long>(size) * static_cast<long>(columns.size()));
    Triplets entries;
    for (int i = 0; i < size; ++i)
      for (RowCompressed::InnerIterator entry(leading_.matrix, block.rows[at(i)].value()); entry; ++entry)
        if (const int k = place_[at(entry.col())]; k >= 0) entries.emplace_back(i, k, entry.value());
    const LuFactor factor(size, entries);
    if (factor.singular()) fail_singular(linearization_, block);
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(columns.size()));
    for (int i = 0; i < size; ++i)
      for (const auto& [column, value] : right[at(i)]) {
        const auto found = std::lower_bound(columns.begin(), columns.end(), column);
        result(i, found - columns.begin()) = value;
      }
    for (Eigen::Index c = 0; c < result.cols(); ++c) {
      result.col(c) = factor.solve(result.col(c));
      if (!result.col(c).allFinite()) fail_singular(linearization_, block);
    }
    entries_ -= static_cast<long>(size) * static_cast<long>(columns.size());
    for (int k = 0; k < size; ++k) {
      SparseRow row;
      for (std::size_t c = 0; c < columns.size(); ++c)
        if (const double value = result(k, static_cast<Eigen::Index>(c)); value != 0.0)
          row.emplace_back(columns[c], value);
      enter(block.columns[at(k)].value(), std::move(row));
    }
  }

  const Linearization& linearization_;
  const Leading& leading_;
  long most_entries_, entries_ = 0;
  std::vector<SparseRow> solution_;  ///< by unknown
  std::vector<double> sum_;
  std::vector<char> touched_;
  std::vector<int> place_;  ///< of unknowns in the block that is solved
};

/// The columns of listed rows of the solution from `first` on, `count` of them.
SparseColumns part(const Elimination& solution, const std::vector<int>& unknowns, int first, int count) {
  Triplets entries;
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    for (const auto& [column, value] : solution[unknowns[i]])
      if (column >= first && column < first + count)
        entries.emplace_back(static_cast<int>(i), column - first, value);
  SparseColumns matrix(static_cast<int>(unknowns.size()), count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

StateSpaceForm state_space(const Linearization& linearization, long most_entries) {
  const Linearization& l = linearization;
  const Leading leading(l);
  Elimination solution(l, leading, most_entries);
  for (const Block& block : leading.blocks) solution.solve(block);
  StateSpaceForm result;
  std::vector<int> states, outputs;
  for (int i = 0; i < l.states; ++i) states.push_back(i);
  for (int k = 0; k < l.C.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(l.C, k); entry; ++entry) outputs.push_back(k);
  const auto inputs = static_cast<int>(l.B.cols());
  result.A = part(solution, states, 0, l.states);
  result.B = part(solution, states, l.states, inputs);
  result.C = part(solution, outputs, 0, l.states);
  result.D = part(solution, outputs, l.states, inputs);
  result.states.assign(l.unknowns.begin(), l.unknowns.begin() + l.states);
  result.inputs = l.inputs;
  result.outputs = l.outputs;
  return result;
}

}  // namespace mti
