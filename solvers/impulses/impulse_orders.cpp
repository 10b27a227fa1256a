#include "solvers/impulses/impulse_orders.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

constexpr int most_classes = 12;
constexpr double tolerance = 1e-9;

/// Signals that two-term rows tie to one order.
///
/// A row of two terms of one signal each, a·u + b·v, has its largest order attained twice only if u and v
/// have the same order. Most rows of a network are like that, so that few classes are left to choose orders
/// for.
class Classes {
 public:
  explicit Classes(const OrderProblem& problem) : parent_(at(problem.signals)) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const auto& row : problem.rows)
      if (row.size() == 2 && row[0].size() == 1 && row[1].size() == 1)
        parent_[at(find(row[0][0]))] = find(row[1][0]);
    for (int signal = 0; signal < problem.signals; ++signal)
      if (find(signal) == signal) number_.push_back(signal);
  }

  [[nodiscard]] int count() const { return static_cast<int>(number_.size()); }
  [[nodiscard]] int of(int signal) const {
    const int root = find(signal);
    return static_cast<int>(std::lower_bound(number_.begin(), number_.end(), root) - number_.begin());
  }

 private:
  [[nodiscard]] int find(int signal) const {
    while (parent_[at(signal)] != signal) signal = parent_[at(signal)];
    return signal;
  }

  std::vector<int> parent_, number_;
};

/// min |A x − b| over x ≥ 0 [Lawson, Hanson, Solving Least Squares Problems, ch. 23].
///
/// Entries of x are freed from 0 one by one, always the one along which the residual falls fastest. If the
/// least squares of the free ones leave the domain, x goes as far towards them as it may, and what arrives at
/// 0 is fixed there again.
Eigen::VectorXd solve_without_negatives(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(A.cols());
  std::vector<Eigen::Index> free;
  const auto solve_free = [&] {
    Eigen::MatrixXd part(A.rows(), static_cast<Eigen::Index>(free.size()));
    for (std::size_t j = 0; j < free.size(); ++j) part.col(static_cast<Eigen::Index>(j)) = A.col(free[j]);
    return Eigen::VectorXd(part.completeOrthogonalDecomposition().solve(b));
  };
  const long most_steps = 10 * A.cols() + 10;
  for (long step = 0; step < most_steps; ++step) {
    const Eigen::VectorXd slope = A.transpose() * (b - A * x);
    Eigen::Index next = -1;
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      if (std::find(free.begin(), free.end(), j) == free.end() && slope[j] > tolerance &&
          (next < 0 || slope[j] > slope[next]))
        next = j;
    if (next < 0) break;
    free.push_back(next);
    for (long inner = 0; inner < most_steps; ++inner) {
      const Eigen::VectorXd z = solve_free();
      double part = 1.0;
      for (std::size_t j = 0; j < free.size(); ++j)
        if (const double to = z[static_cast<Eigen::Index>(j)]; to <= 0.0)
          part = std::min(part, x[free[j]] > 0.0 ? x[free[j]] / (x[free[j]] - to) : 0.0);
      for (std::size_t j = 0; j < free.size(); ++j)
        x[free[j]] += part * (z[static_cast<Eigen::Index>(j)] - x[free[j]]);
      if (part >= 1.0) break;
      std::erase_if(free, [&](Eigen::Index j) {
        if (x[j] > tolerance) return false;
        x[j] = 0.0;
        return true;
      });
    }
  }
  return x;
}

class OrderSearch {
 public:
  explicit OrderSearch(const OrderProblem& problem) : problem_(problem), classes_(problem) {}

  std::vector<std::vector<double>> run() {
    if (classes_.count() > most_classes) return {};
    for (const auto& row : problem_.rows) {
      std::vector<Eigen::VectorXd> exponents;
      for (const OrderProblem::Term& term : row) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(classes_.count());
        for (const int signal : term) sum[classes_.of(signal)] += 1.0;
        exponents.push_back(sum);
      }
      rows_.push_back(std::move(exponents));
    }
    choose(0);
    if (choices_ > most_choices_of_orders) return {};
    return std::move(found_);
  }

 private:
  /// Row by row: which two terms balance, or none, where all are of order 0.
  void choose(std::size_t row) {
    if (++choices_ > most_choices_of_orders) return;
    if (row == rows_.size()) {
      solve();
      return;
    }
    // None of them grows: all signals of the row have order 0.
    const std::size_t before = equalities_.size();
    for (const Eigen::VectorXd& term : rows_[row])
      for (Eigen::Index j = 0; j < term.size(); ++j)
        if (term[j] > 0.0) equalities_.emplace_back(Eigen::VectorXd::Unit(term.size(), j));
    choose(row + 1);
    equalities_.resize(before);
    // Two terms of one sum. That no other term exceeds them is looked at when all rows have chosen.
    for (std::size_t a = 0; a < rows_[row].size(); ++a)
      for (std::size_t b = a + 1; b < rows_[row].size(); ++b) {
        const Eigen::VectorXd difference = rows_[row][a] - rows_[row][b];
        equalities_.push_back(difference);
        choose(row + 1);
        equalities_.pop_back();
        if (choices_ > most_choices_of_orders) return;
      }
  }

  /// The equalities of all rows leave orders open up to a common factor, or more. The scale is set by a slope
  /// that jumps, of order 1: one after the other is tried. Of what is still open, non-negative least squares
  /// take some solution; those that are no orders (holds) are dropped.
  void solve() {
    for (int signal = 0; signal < problem_.signals; ++signal) {
      if (problem_.is_slope[at(signal)] == 0) continue;
      check_budget();
      const auto size = static_cast<Eigen::Index>(equalities_.size());
      Eigen::MatrixXd A(size + 1, classes_.count());
      for (Eigen::Index i = 0; i < size; ++i) A.row(i) = equalities_[at(i)];
      A.row(size).setZero();
      A(size, classes_.of(signal)) = 1.0;
      const Eigen::VectorXd right = Eigen::VectorXd::Unit(size + 1, size);
      const Eigen::VectorXd orders = solve_without_negatives(A, right);
      if ((A * orders - right).cwiseAbs().maxCoeff() < tolerance && holds(orders)) keep(orders);
    }
  }

  /// What defines orders (OrderProblem): not negative, of slopes at most 1, and in every row that grows at
  /// least two terms of the largest order.
  [[nodiscard]] bool holds(const Eigen::VectorXd& orders) const {
    if (orders.minCoeff() < -tolerance) return false;
    for (int signal = 0; signal < problem_.signals; ++signal)
      if (problem_.is_slope[at(signal)] != 0 && orders[classes_.of(signal)] > 1.0 + tolerance) return false;
    return std::all_of(rows_.begin(), rows_.end(), [&](const std::vector<Eigen::VectorXd>& row) {
      double largest = 0.0;
      for (const Eigen::VectorXd& term : row) largest = std::max(largest, term.dot(orders));
      return largest < tolerance || std::count_if(row.begin(), row.end(), [&](const Eigen::VectorXd& term) {
                                      return term.dot(orders) > largest - tolerance;
                                    }) >= 2;
    });
  }

  /// Other choices of terms may lead to the same orders.
  void keep(const Eigen::VectorXd& orders) {
    std::vector<double> of_signals;
    for (int signal = 0; signal < problem_.signals; ++signal) {
      const double order = orders[classes_.of(signal)];
      of_signals.push_back(order < tolerance ? 0.0 : order);
    }
    const auto same = [&](const std::vector<double>& other) {
      for (std::size_t i = 0; i < other.size(); ++i)
        if (std::abs(other[i] - of_signals[i]) > tolerance) return false;
      return true;
    };
    if (std::none_of(found_.begin(), found_.end(), same)) found_.push_back(std::move(of_signals));
  }

  const OrderProblem& problem_;
  Classes classes_;
  std::vector<std::vector<Eigen::VectorXd>> rows_;
  std::vector<Eigen::VectorXd> equalities_;
  std::vector<std::vector<double>> found_;
  long choices_ = 0;
};

}  // namespace

std::vector<std::vector<double>> find_orders(const OrderProblem& problem) {
  return OrderSearch(problem).run();
}

}  // namespace mti
