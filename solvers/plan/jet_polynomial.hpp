#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// The order-th derivative of a signal: x, y, a sliding ζ or an input, by its row of S. ẋ is order 1 of x.
struct Jet {
  int signal = 0;
  int order = 0;

  friend auto operator<=>(const Jet&, const Jet&) = default;
};

/// Which signals are numbers, and what inputs become when they are differentiated.
class JetRules {
 public:
  explicit JetRules(const Model& model);

  [[nodiscard]] int states() const noexcept { return n_; }
  [[nodiscard]] bool is_state(int signal) const noexcept { return signal >= n_ && signal < 2 * n_; }
  [[nodiscard]] bool is_input(int signal) const noexcept {
    return signal >= first_input_ && signal < first_input_ + static_cast<int>(value_.size());
  }
  /// The number that a constant input is.
  [[nodiscard]] std::optional<double> number(int signal) const;
  /// The number that a derivative is: of a constant 0; of the time 1, then 0.
  [[nodiscard]] std::optional<double> number(Jet jet) const;

 private:
  int n_ = 0, first_input_ = 0;
  std::vector<std::optional<double>> value_;
  std::vector<char> is_clock_;
};

/// A polynomial in signals and their derivatives: rows of a frozen f, their derivatives and sums of these.
///
///     Σ coefficient · Π jets,    jets ascending, a power as a repeated jet
///
/// A coefficient knows how large the numbers were that it was added up from, so that what cancels can be told
/// from what is small.
class JetPolynomial {
 public:
  using Monomial = std::vector<Jet>;
  struct Coefficient {
    double value = 0.0;
    double size = 0.0;
  };

  /// Row `row` of f, multiplied out. Nothing if that takes too many monomials.
  [[nodiscard]] static std::optional<JetPolynomial> of_row(const RowMap& f, int row, const JetRules& rules);

  [[nodiscard]] const std::map<Monomial, Coefficient>& terms() const noexcept { return terms_; }
  [[nodiscard]] bool empty() const noexcept { return terms_.empty(); }

  void add(Monomial monomial, double coefficient);
  /// += factor · other.
  void add(const JetPolynomial& other, double factor);
  /// Drops coefficients below `tolerance` times the size of what they were added up from.
  void drop_cancelled(double tolerance);
  template <class Predicate>
  void drop_if(Predicate predicate) {
    std::erase_if(terms_, [&](const auto& term) { return predicate(term.first, term.second); });
  }

  /// d/dt, by the product rule.
  [[nodiscard]] JetPolynomial derivative(const JetRules& rules) const;
  /// d/dt of inputs alone, everything else held.
  [[nodiscard]] JetPolynomial derivative_of_inputs(const JetRules& rules) const;
  /// ∂/∂jet.
  [[nodiscard]] JetPolynomial derivative_by(Jet jet) const;
  /// The value where `value(jet)` is that of a jet, with the error that those of the jets cause.
  template <class Value>
  [[nodiscard]] Ball evaluate(Value value) const {
    Ball sum;
    for (const auto& [monomial, coefficient] : terms_) {
      Ball product{coefficient.value, 0.0};
      for (const Jet jet : monomial) {
        const Ball factor = value(jet);
        const auto size = [](double number) { return number < 0.0 ? -number : number; };
        product = {product.value * factor.value,
                   size(product.value) * factor.error + product.error * (size(factor.value) + factor.error)};
      }
      constexpr double rounding = 1e-15;
      sum.value += product.value;
      sum.error += product.error + rounding * (product.value < 0.0 ? -product.value : product.value);
    }
    return sum;
  }

 private:
  template <class Selected>
  [[nodiscard]] JetPolynomial differentiated(const JetRules& rules, Selected selected) const;

  std::map<Monomial, Coefficient> terms_;
};

}  // namespace mti
