#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// A number with its error bound: value ± error.
struct Ball {
  double value = 0.0;
  double error = 0.0;
};

/// k!
[[nodiscard]] double factorial(int k);

/// Taylor coefficients v_i(t₀ + τ) = Σ_k at(i, k) τ^k of all signals, each with an error bound.
class TaylorSeries {
 public:
  explicit TaylorSeries(int signals) : signals_(signals) {
    constexpr std::size_t usual_orders = 3;
    coefficients_.reserve(usual_orders * mti::at(signals));
  }

  /// Number of orders there is room for (order 0 … orders() − 1).
  [[nodiscard]] int orders() const noexcept { return orders_; }
  /// Adds one order, all coefficients 0 ± 0.
  void add_order() { coefficients_.resize(mti::at(++orders_) * mti::at(signals_)); }
  /// Becomes order 0 of another series, and nothing more.
  void take_order_0(const TaylorSeries& other) {
    orders_ = 1;
    coefficients_.assign(other.coefficients_.begin(), other.coefficients_.begin() + signals_);
  }
  [[nodiscard]] Ball& at(int signal, int order) {
    return coefficients_[mti::at(order) * mti::at(signals_) + mti::at(signal)];
  }
  [[nodiscard]] const Ball& at(int signal, int order) const {
    return coefficients_[mti::at(order) * mti::at(signals_) + mti::at(signal)];
  }

 private:
  int signals_ = 0, orders_ = 0;
  std::vector<Ball> coefficients_;
};

/// A CP map, with its functions, seen row by row: single rows, their gradients and their Taylor coefficients. For events, where
/// only some rows count; whole maps at every step are CpKernel's.
class RowMap {
 public:
  struct Factor {
    int signal;
    double S;
  };
  struct Term {
    int column;
    double Phi;
  };

  class Builder;

  RowMap() = default;
  explicit RowMap(const CpMap& map);

  [[nodiscard]] int rows() const noexcept { return static_cast<int>(term_start_.size()) - 1; }
  [[nodiscard]] std::span<const Term> terms(int row) const {
    const auto begin = mti::at(term_start_[mti::at(row)]), end = mti::at(term_start_[mti::at(row) + 1]);
    return {terms_.data() + begin, end - begin};
  }
  [[nodiscard]] std::span<const Factor> factors(int column) const {
    const auto begin = mti::at(factor_start_[mti::at(column)]),
               end = mti::at(factor_start_[mti::at(column) + 1]);
    return {factors_.data() + begin, end - begin};
  }
  /// φ of a column, which then holds the one factor v_a; null: the column is the product of its factors.
  [[nodiscard]] const ElementaryFunction* function_of(int column) const {
    return functions_.empty() ? nullptr : find_column(functions_, column);
  }
  /// The column is a number or a + b·v of one signal: its slope is a constant.
  [[nodiscard]] bool is_affine(int column) const {
    return factors(column).size() <= 1 && function_of(column) == nullptr;
  }
  [[nodiscard]] bool has_functions() const noexcept { return !functions_.empty(); }

  /// f_j(v).
  [[nodiscard]] double value(int row, std::span<const double> v) const;
  /// Σ_k |Φ_jk · Π …|: what rounding of f_j(v) is relative to.
  [[nodiscard]] double magnitude(int row, std::span<const double> v) const;
  /// Calls accumulate(signal, contribution) for every factor of every term: the contributions of a signal
  /// add up to ∂f_j/∂v_signal (8).
  template <class Accumulate>
  void gradient(int row, std::span<const double> v, Accumulate accumulate) const;
  /// Calls accumulate(signal, contribution) for every factor of every term: the contributions of a signal
  /// add up to the k-th Taylor coefficient of ∂f_j/∂v_signal along the series.
  template <class Accumulate>
  void gradient_coefficient(int row, const TaylorSeries& series, int k, Accumulate accumulate) const;
  /// k-th Taylor coefficient of f_j along the series, with the error carried through sums and products.
  [[nodiscard]] Ball coefficient(int row, const TaylorSeries& series, int k) const;

 private:
  /// Whether each term of these rows has a column that is its own, in the order of the terms, as a Builder makes them.
  [[nodiscard]] bool has_own_columns(int first, int last) const;
  [[nodiscard]] double factor_value(const Factor& factor, std::span<const double> v) const;
  /// Coefficient k of the product of a term's factors without the one at `left_out`.
  [[nodiscard]] double product_without(const Term& term, std::size_t left_out, const TaylorSeries& series,
                                       int k) const;
  [[nodiscard]] Ball value_and_error(int row, const TaylorSeries& series) const;
  [[nodiscard]] Ball first_coefficient(int row, const TaylorSeries& series) const;
  [[nodiscard]] Ball general_coefficient(int row, const TaylorSeries& series, int k) const;
  /// Coefficient k of a column that is a function, and of its slope.
  [[nodiscard]] static Ball function_coefficient(const ElementaryFunction& phi, int signal,
                                                 const TaylorSeries& series, int k);
  [[nodiscard]] static double slope_coefficient(const ElementaryFunction& phi, int signal,
                                                const TaylorSeries& series, int k);

  std::vector<int> term_start_{0}, factor_start_{0};
  std::vector<Term> terms_;
  std::vector<Factor> factors_;
  std::vector<FunctionColumn> functions_;  ///< ascending by column
};

/// Puts a row map together, row after row; every term has a column of its own.
class RowMap::Builder {
 public:
  void reserve(const RowMap& like);
  void begin_row();
  /// A term of the row begun last; factors have distinct signals. With φ it is Phi·φ(v_a) of the only factor.
  void add_term(double Phi, std::span<const Factor> factors, const ElementaryFunction* phi = nullptr);
  /// Rows first … last − 1 of a map.
  void add_rows(const RowMap& map, int first, int last);
  [[nodiscard]] RowMap build();

 private:
  RowMap map_;
};

template <class Accumulate>
void RowMap::gradient(int row, std::span<const double> v, Accumulate accumulate) const {
  for (const Term& term : terms(row)) {
    const std::span<const Factor> factors_of_term = factors(term.column);
    if (const ElementaryFunction* const phi = function_of(term.column)) {
      const int signal = factors_of_term[0].signal;
      accumulate(signal, term.Phi * phi->slope(v[at(signal)]));
      continue;
    }
    for (std::size_t b = 0; b < factors_of_term.size(); ++b) {
      // Columns have few factors, so the product without b is formed directly.
      double product = term.Phi * factors_of_term[b].S;
      for (std::size_t i = 0; i < factors_of_term.size(); ++i)
        if (i != b) product *= factor_value(factors_of_term[i], v);
      accumulate(factors_of_term[b].signal, product);
    }
  }
}

template <class Accumulate>
void RowMap::gradient_coefficient(int row, const TaylorSeries& series, int k, Accumulate accumulate) const {
  for (const Term& term : terms(row)) {
    const std::span<const Factor> factors_of_term = factors(term.column);
    if (const ElementaryFunction* const phi = function_of(term.column)) {
      const int signal = factors_of_term[0].signal;
      accumulate(signal, term.Phi * slope_coefficient(*phi, signal, series, k));
      continue;
    }
    for (std::size_t b = 0; b < factors_of_term.size(); ++b)
      accumulate(factors_of_term[b].signal,
                 term.Phi * factors_of_term[b].S * product_without(term, b, series, k));
  }
}

inline double RowMap::factor_value(const Factor& factor, std::span<const double> v) const {
  return 1.0 - (factor.S < 0.0 ? -factor.S : factor.S) + factor.S * v[at(factor.signal)];
}

}  // namespace mti
