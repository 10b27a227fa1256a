#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "mti/polynomials/polynomial.hpp"

namespace mti::text {

/// It holds binaries, binary inputs or pre-values.
[[nodiscard]] bool holds_binaries(const Polynomial& polynomial);
/// A few terms without products, a state and an algebraic signal among them, such as q - G*(u - x).
[[nodiscard]] bool is_short_sum(const Polynomial& equation);

/// A sum d = Σ a_j s_j + b of signals, the first one a state, that decides binaries z by a constraint d·p(z) <= 0.
struct Difference {
  std::vector<std::pair<Symbol, double>> signals;  ///< ascending
  double constant = 0.0;
  Polynomial sum;
  std::vector<Symbol> binaries = {};

  [[nodiscard]] bool holds(Symbol symbol) const;
  /// Its signals with their coefficients over the first one's: that of all its thresholds.
  [[nodiscard]] std::vector<std::pair<Symbol, double>> direction() const;
};

/// The difference of a constraint; nothing if that has another form, or one signal and nothing beside it.
[[nodiscard]] std::optional<Difference> difference_of(const Polynomial& constraint);

/// The unknowns that an equation gives beside the difference, where no binary takes it from them: flows, and no switch that makes
/// the difference zero.
[[nodiscard]] std::vector<Symbol> flows_beside(const Difference& difference, const Polynomial& equation);

/// The binaries that multiply signals of the difference.
[[nodiscard]] std::vector<Symbol> binaries_beside(const Difference& difference, const Polynomial& equation);

/// By what factors a polynomial holds a difference:
///
///     P = Σ_i K_i·d + …,    K_i monomials without signals of d, with the least coefficient that a term of d leaves them
///
/// Where K_i holds binaries, hardly anything may be left of the terms of d: a load is, another function of the same signals
/// is not. Of d = a·s + b with one signal they hold nothing but binaries.
class DifferenceFactors {
 public:
  DifferenceFactors(const Polynomial& polynomial, const Difference& difference);

  [[nodiscard]] bool empty() const { return factors_.empty(); }
  /// The binaries that they hold.
  [[nodiscard]] std::vector<Symbol> binaries() const;
  /// P with y for d.
  [[nodiscard]] Polynomial named(Polynomial polynomial, const Polynomial& d, Symbol y) const;

 private:
  std::vector<std::pair<std::vector<Power>, Coefficient>> factors_;
};

}  // namespace mti::text
