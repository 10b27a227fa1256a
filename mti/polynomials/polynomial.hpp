#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "mti/common/dual.hpp"
#include "mti/polynomials/coefficient.hpp"

namespace mti::text {

/// The groups of v in the order of the rows of S, then the copies of a scenario, which are not part of v, and
/// auxiliary algebraic signals, which come after the algebraic signals declared and the copies.
enum class Group : std::uint8_t { derivative, state, input, algebraic, binary, pre, copy, auxiliary };

/// A signal before the rows of S are known (auxiliary signals and pre(z) are found while expanding).
/// Symbols order as the rows do.
class Symbol {
 public:
  Symbol() = default;
  /// `idempotent`: takes the values 0 and 1 only, so that its square is itself. `remembered`: the left
  /// limit pre(s) in a law.
  Symbol(Group group, int index, bool idempotent, bool remembered = false)
      : code_((remembered ? kRemembered : 0U) | (static_cast<std::uint32_t>(group) << 28U) |
              (static_cast<std::uint32_t>(index) << 1U) | (idempotent ? 1U : 0U)) {}

  [[nodiscard]] Group group() const { return static_cast<Group>((code_ >> 28U) & 7U); }
  [[nodiscard]] int index() const { return static_cast<int>((code_ & 0x0FFFFFFFU) >> 1U); }
  [[nodiscard]] bool idempotent() const { return (code_ & 1U) != 0U; }
  [[nodiscard]] bool remembered() const { return (code_ & kRemembered) != 0U; }
  [[nodiscard]] std::uint32_t code() const { return code_; }

  friend auto operator<=>(const Symbol&, const Symbol&) = default;

 private:
  static constexpr std::uint32_t kRemembered = 1U << 31U;
  std::uint32_t code_ = 0;
};

struct Power {
  Symbol symbol;
  int exponent = 1;
  friend bool operator==(const Power&, const Power&) = default;
};

/// coefficient · Π symbol^exponent, symbols ascending.
struct Monomial {
  std::vector<Power> powers;
  Coefficient coefficient;
};

/// A polynomial over symbols: monomials in the order of their first appearance, equal ones merged.
///
/// It carries its derivatives in the directions of mti/common/dual.hpp, which are polynomials too:
///
///     (P + Σ_d P_d ε_d)(Q + Σ_d Q_d ε_d) = P Q + Σ_d (P_d Q + P Q_d) ε_d
///
/// A coefficient that is 0 may have a derivative that is not: P_d may hold symbols that P does not.
class Polynomial {
 public:
  Polynomial() = default;
  [[nodiscard]] static Polynomial constant(const Dual& value);
  [[nodiscard]] static Polynomial constant(const Coefficient& value);
  [[nodiscard]] static Polynomial variable(Symbol symbol);
  /// A number φ(c) that is made of `argument`, whose value is the number c:  φ(c) + Σ_d φ'(c) P_d ε_d.
  [[nodiscard]] static Polynomial chained(double value, double slope, const Polynomial& argument);

  void add(const Polynomial& other, double factor);
  void add(const Polynomial& other, const Dual& factor);
  void scale(double factor);
  void divide(const Dual& divisor);
  /// The same by a polynomial whose value is a number: P/c + Σ_d (P_d − (P/c) D_d)/c ε_d.
  void divide(const Polynomial& divisor);
  /// Forgets coefficients that have cancelled to nothing or to rounding.
  void drop_cancelled();

  [[nodiscard]] const std::vector<Monomial>& monomials() const { return monomials_; }
  [[nodiscard]] std::size_t size() const { return monomials_.size(); }
  /// The value, if no symbol is left after cancellation.
  [[nodiscard]] std::optional<double> constant_value() const;

  /// P_d, which carries none of its own; 0 for directions without one.
  [[nodiscard]] const Polynomial& tangent(std::size_t direction) const;
  [[nodiscard]] std::size_t tangents() const { return tangents_.size(); }
  /// What is to be P_d.
  void set_tangent(std::size_t direction, Polynomial tangent);
  /// For each direction 1 where P_d is not 0, else 0.
  [[nodiscard]] std::vector<double> directions() const;
  /// Whether some P_d is not 0.
  [[nodiscard]] bool varies() const;
  [[nodiscard]] bool is_zero() const;
  /// Of monomials that have not cancelled, here and in the derivatives; 0 of a number.
  [[nodiscard]] int highest_exponent() const;

  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

 private:
  void add(Monomial monomial);
  void add_value(const Polynomial& other, double factor);
  /// P_d, made if it is not there.
  [[nodiscard]] Polynomial& own_tangent(std::size_t direction);
  [[nodiscard]] bool stays_as_factor_of(const Polynomial& one) const;
  [[nodiscard]] static Polynomial value_product(const Polynomial& a, const Polynomial& b);

  std::vector<Monomial> monomials_;
  std::vector<Polynomial> tangents_;
  std::unordered_multimap<std::size_t, std::size_t> places_;  ///< by hash; filled once there are many
};

}  // namespace mti::text
