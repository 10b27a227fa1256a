#include "solvers/linear_algebra/largest_assignment.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Costs c_ij = max_j log|a_ij| − log|a_ij| ≥ 0 and dual variables u_i + v_j ≤ c_ij, = for matched entries.
class Assignment {
 public:
  Assignment(int size, const std::vector<LogarithmOfEntry>& entries)
      : largest_(at(size), -infinity),
        u_(at(size), 0.0),
        v_(at(size), 0.0),
        rows_(at(size)),
        owner_(at(size), -1),
        column_(at(size), -1) {
    for (const LogarithmOfEntry& entry : entries) {
      rows_[at(entry.row)].push_back({entry.column, entry.logarithm});
      largest_[at(entry.row)] = std::max(largest_[at(entry.row)], entry.logarithm);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (Cost& cost : rows_[i]) cost.value = largest_[i] - cost.value;
  }

  /// Matches one row more, along the path of least cost to a column that is free; false if there is none.
  bool match(int row) {
    distance_.assign(rows_.size(), infinity);
    from_.assign(rows_.size(), -1);
    settled_.clear();
    is_settled_.assign(rows_.size(), 0);
    queue_ = {};
    int free = -1;
    double least = 0.0;
    for (int i = row; free < 0;) {
      for (const Cost& cost : rows_[at(i)]) {
        const auto j = at(cost.column);
        const double through = least + std::max(cost.value - u_[at(i)] - v_[j], 0.0);
        if (is_settled_[j] != 0 || !(through < distance_[j])) continue;
        distance_[j] = through;
        from_[j] = i;
        queue_.emplace(through, cost.column);
      }
      while (!queue_.empty() && is_settled_[at(queue_.top().second)] != 0) queue_.pop();
      if (queue_.empty()) return false;
      const auto [reached, column] = queue_.top();
      queue_.pop();
      least = reached;
      is_settled_[at(column)] = 1;
      if (owner_[at(column)] < 0) {
        free = column;
      } else {
        settled_.push_back(column);
        i = owner_[at(column)];
      }
    }
    u_[at(row)] += least;
    for (const int column : settled_) {
      u_[at(owner_[at(column)])] += least - distance_[at(column)];
      v_[at(column)] -= least - distance_[at(column)];
    }
    exchange(row, free);
    return true;
  }

  [[nodiscard]] AssignmentUnits units() && {
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] -= largest_[i];
    return {std::move(u_), std::move(v_)};
  }

 private:
  struct Cost {
    int column;
    double value;
  };
  using Reached = std::pair<double, int>;

  /// Gives the columns of the path, from its end, to the rows that reached them.
  void exchange(int row, int column) {
    for (int i = -1; i != row;) {
      i = from_[at(column)];
      owner_[at(column)] = i;
      column = std::exchange(column_[at(i)], column);
    }
  }

  std::vector<double> largest_, u_, v_;
  std::vector<std::vector<Cost>> rows_;
  std::vector<int> owner_;   ///< by column: its row
  std::vector<int> column_;  ///< by row
  std::vector<double> distance_;
  std::vector<int> from_, settled_;
  std::vector<char> is_settled_;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue_;
};

}  // namespace

std::optional<AssignmentUnits> largest_assignment(int size, const std::vector<LogarithmOfEntry>& entries) {
  Assignment assignment(size, entries);
  for (int row = 0; row < size; ++row) {
    check_budget();
    if (!assignment.match(row)) return std::nullopt;
  }
  return std::move(assignment).units();
}

}  // namespace mti
