#pragma once

#include <Eigen/SparseCore>
#include <functional>

#include <span>
#include <utility>
#include <vector>

#include "mti/common/rounding.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {

/// Relative error of the terms of a row as they are evaluated.
inline constexpr double start_rounding = 64.0 * machine_epsilon;

/// The equations of a start in one mode, in Taylor coefficients about it:
///
///     (f_i)_k = 0    k = 0 … c_i,        h_j(v) = 0,        (x_s)_0 = start of s where it is fixed
///
/// for (x_s)_k and (y_j)_k up to the order at which the mode's plan solves for them (docs/restarts.md, "Structure of a
/// mode"): Σ (c_i + 1) rows of f for Σ (d_j + 1) unknowns, so that as many rows of h as free starts are left to say are
/// what makes it square. h are the initial equations of the model. Where h holds a derivative that the plan does not solve
/// for, all orders are one higher. Signals that the mode leaves open, or does not have, keep their guesses.
/// Source: Benveniste et al., Electronics 11 (2022) 2755, chapter 7, and Pryce, BIT Numer. Math. 41 (2001) 364-394.
class StartEquations {
 public:
  /// A row of the system: `order` of an equation of f, or, with order −1, an initial equation.
  struct Row {
    int equation = 0;
    int order = 0;
    [[nodiscard]] bool is_initial() const noexcept { return order < 0; }
  };
  /// Order of x (in the row of x) or y.
  struct Unknown {
    int signal = 0;
    int order = 0;
  };

  /// `instant` has the guesses, the values of inputs and of the mode, and fixed starts; all outlive this.
  StartEquations(const Model& model, const ModeSystem& system, const Instant& instant);

  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] const std::vector<Unknown>& unknowns() const noexcept { return unknowns_; }
  /// The first row of x, and how many there are.
  [[nodiscard]] int first_state() const noexcept { return signature_.state_row(0); }
  [[nodiscard]] int states() const noexcept { return signature_.n(); }
  [[nodiscard]] Eigen::VectorXd guess() const;
  [[nodiscard]] const Eigen::VectorXd& nominal() const noexcept { return nominal_; }

  /// Residuals and Jacobian at w. False where a function has no value.
  [[nodiscard]] bool evaluate(const Eigen::VectorXd& w);
  [[nodiscard]] const Eigen::VectorXd& value() const noexcept { return value_; }
  /// What rounding may have made of each residual; 0 of derivatives of f.
  [[nodiscard]] const Eigen::VectorXd& rounding() const noexcept { return rounding_; }
  /// Repeated entries add up.
  [[nodiscard]] const std::vector<Eigen::Triplet<double>>& jacobian() const noexcept { return jacobian_; }
  /// use(signal, l, slope): by the coefficient l of a row of v, whether it is unknown or known; of the w evaluated last.
  using UseSlope = std::function<void(int signal, int order, double slope)>;
  void for_slopes(int row, const UseSlope& use) const;
  /// The unknown that coefficient l of a row of v is, or that it is a multiple of; −1: it is known.
  [[nodiscard]] int unknown_of(int signal, int order) const { return column(signal, order).first; }
  /// Taylor coefficients of the rows of v, and v with copies as initial equations hold them, at the w evaluated last.
  [[nodiscard]] const TaylorSeries& series() const noexcept { return series_; }
  [[nodiscard]] const std::vector<double>& initial_signals() const noexcept { return of_h_; }
  /// v of the model at the w evaluated last.
  [[nodiscard]] std::vector<double> v() const;

 private:
  void choose_unknowns();
  void add_unknown(int signal, int order);
  void enter(const Eigen::VectorXd& w);
  void evaluate_equation(int row);
  void evaluate_initial(int row);
  void add_to_jacobian(int row);
  /// Which unknown order k of a row of S is, and its factor there: of ẋ that of x, one higher.
  [[nodiscard]] std::pair<int, double> column(int signal, int order) const;

  const Model& model_;
  const Signature& signature_;
  const ModeSystem& system_;
  const Instant& instant_;
  const Scenario* initial_;
  RowMap h_;
  std::vector<Row> rows_;
  std::vector<Unknown> unknowns_;
  std::vector<std::vector<int>> columns_;  ///< by row of S: the unknown of each order, −1: none
  Eigen::VectorXd nominal_, value_, rounding_;
  std::vector<Eigen::Triplet<double>> jacobian_;
  TaylorSeries series_;
  std::vector<double> of_h_;  ///< v and copies
  std::vector<double> of_f_;  ///< v
};

}  // namespace mti
