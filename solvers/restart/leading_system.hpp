#pragma once

#include <Eigen/Core>

#include <span>
#include <unordered_map>
#include <vector>

#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/restart/restart.hpp"

namespace mti {

/// Orders that differ by no more are the same.
inline constexpr double same_order = 1e-9;
/// A slope of this order is one whose state jumps.
[[nodiscard]] inline bool is_of_order_one(double order) { return order > 1.0 - same_order; }

/// Blocks of stage −1 that are balanced together. Their unknowns (rows of S) are counted from 0.
struct ImpulseGroup {
  ImpulseGroup(const RestartPlace& place, std::span<const SolutionBlock* const> blocks);

  [[nodiscard]] bool is_slope(int j) const;

  const RestartPlace& place;
  std::vector<int> unknowns;
  std::vector<char> is_value;           ///< by unknown: of order 0, no weight
  std::unordered_map<int, int> number;  ///< of an unknown by its row of S
  std::vector<int> dirac_rows;          ///< equations whose Dirac part has to vanish
  std::vector<int> value_rows;          ///< equations that hold at x⁺
  bool of_first_order = true;           ///< nothing in it is differentiated once more
};

/// coefficient · Π of unknowns of a group.
struct Monomial {
  double coefficient = 0.0;
  std::vector<int> unknowns;

  /// The sum of the orders of its unknowns.
  [[nodiscard]] double order(const std::vector<double>& orders) const;
};

/// What is left of the Dirac rows of a group as h → 0, for orders o of its unknowns: of every row the
/// monomials whose orders add up to the largest sum,
///
///     Σ coefficient · Π ŵ = 0,     w = h^(−o) ŵ
///
/// and with them the value rows at x⁺ = x⁻ + Δx, where only slopes of order 1 jump. A row without a term of
/// positive order says nothing about what grows. Open are the unknowns of positive order and the values.
class LeadingSystem {
 public:
  LeadingSystem(const ImpulseGroup& group, const std::vector<std::vector<Monomial>>& dirac_rows,
                const std::vector<double>& orders);

  [[nodiscard]] const std::vector<int>& open() const noexcept { return open_; }
  [[nodiscard]] bool is_square() const { return open_.size() == rows_.size() + group_.value_rows.size(); }
  /// Newton's method from w, which has an entry for each unknown. False if it fails.
  [[nodiscard]] bool solve(Eigen::VectorXd& w) const;
  /// Whether unknown j is not zero in w, that is, contributes to some row.
  [[nodiscard]] bool holds(const Eigen::VectorXd& w, int j) const;

 private:
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(open_.size()); }
  [[nodiscard]] Eigen::VectorXd residual(const Eigen::VectorXd& w) const;
  [[nodiscard]] LuFactor factorise(const Eigen::VectorXd& w) const;
  [[nodiscard]] std::vector<double> right_limit(const Eigen::VectorXd& w) const;

  const ImpulseGroup& group_;
  const std::vector<double>& orders_;
  std::vector<std::vector<Monomial>> rows_;
  std::vector<int> open_;
  std::vector<Eigen::Index> column_;  ///< by unknown: its place among the open ones, or −1
};

}  // namespace mti
